/** Bytes of an item by DynamoDB's own rules, near enough to refuse before sending. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { utf8Bytes } from '#core/utf8';

/** @source DynamoDB, service quotas: item size 400 KB, names and values together (2026-10). */
export const ITEM_BYTES_MAX = 400 * 1024;

/** @source DynamoDB, item sizes and formats: a list or map costs 3 bytes, each element 1 more. */
const NESTING_BYTES = 3;
const ELEMENT_BYTES = 1;

type Attributes = Readonly<Record<string, AttributeValue>>;

/** @example itemBytes({ id: { S: '7' } }); // 3 */
export function itemBytes(attributes: Attributes): number {
  return membersBytes(attributes, 0);
}

function membersBytes(attributes: Attributes, elementBytes: number): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(attributes)) {
    bytes += utf8Bytes(name) + valueBytes(value) + elementBytes;
  }
  return bytes;
}

function valueBytes(value: AttributeValue): number {
  if (value.S !== undefined) return utf8Bytes(value.S);
  if (value.N !== undefined) return numberBytes(value.N);
  if (value.M !== undefined) return NESTING_BYTES + membersBytes(value.M, ELEMENT_BYTES);
  if (value.L === undefined) return 1;
  return value.L.reduce((sum, one) => sum + ELEMENT_BYTES + valueBytes(one), NESTING_BYTES);
}

/** "Approximately 1 byte per two significant digits, and 1 byte more." */
function numberBytes(text: string): number {
  const digits = text.replace(/[eE].*$|[-.]/g, '').replace(/^0+|0+$/g, '').length;
  return Math.ceil(digits / 2) + 1;
}
