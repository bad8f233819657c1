/** What values and items count for, by the service's arithmetic. */
import { tooDeep } from './attribute-value.ts';
import type { AttributeMap, AttributeValue } from './attribute-value.ts';
import { parseDecimal } from './decimal.ts';

const DEPTH_MAX = 32;
/** Lists and maps, before what they hold; and each thing that they hold. */
const CONTAINER_BYTES = 3;
const MEMBER_BYTES = 1;

/**
 * Bytes of a value.
 *
 * @source DynamoDB developer guide, item sizes and formats.
 * @throws {ServiceError} when it is nested deeper than an item may be.
 */
export function valueBytes(value: AttributeValue, depth = 0): number {
  if (depth > DEPTH_MAX) throw tooDeep();
  if ('S' in value) return Buffer.byteLength(value.S);
  if ('N' in value) return numberBytes(value.N);
  if ('B' in value) return Buffer.byteLength(value.B, 'base64');
  if ('SS' in value) return sum(value.SS.map((text) => Buffer.byteLength(text)));
  if ('NS' in value) return sum(value.NS.map(numberBytes));
  if ('BS' in value) return sum(value.BS.map((text) => Buffer.byteLength(text, 'base64')));
  if ('L' in value) {
    return (
      CONTAINER_BYTES + sum(value.L.map((inner) => MEMBER_BYTES + valueBytes(inner, depth + 1)))
    );
  }
  if ('M' in value) {
    const members = Object.keys(value.M).length;
    return CONTAINER_BYTES + mapBytes(value.M, depth + 1) + MEMBER_BYTES * members;
  }
  return 1;
}

/** Names and values. */
export function mapBytes(map: AttributeMap, depth = 0): number {
  let bytes = 0;
  for (const name in map) {
    const value = map[name];
    if (value !== undefined) bytes += Buffer.byteLength(name) + valueBytes(value, depth);
  }
  return bytes;
}

/** A byte, one more for each two digits as they stand around the point, one more below zero. */
function numberBytes(text: string): number {
  const { sign, digits, exponent } = parseDecimal(text);
  if (sign === 0) return 1;
  const last = exponent - digits.length + 1;
  const pairs = Math.floor(exponent / 2) - Math.floor(last / 2) + 1;
  return 1 + pairs + (sign < 0 ? 1 : 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
