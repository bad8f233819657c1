/** JSON as DynamoDB attribute values, every digit kept or the record refused. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { numberText } from '#core/record/exact-json';
import type { JsonObject, JsonValue } from '#core/record/json';
import { isJsonArray, isJsonObject } from '#core/record/path';
import type { Refusal, RefusalReason } from '#core/record/refusal';

/** @source DynamoDB, naming rules and data types: 38 digits; 1E-130 to 9.9…9E+125 (2026-10). */
const NUMBER = { digitsMax: 38, exponentMin: -130, exponentMax: 125 };

/** 38 digits with a sign, a point and an exponent; longer texts are mostly zeros. */
const NUMBER_TEXT_MAX = 45;

/** @source DynamoDB, constraints: "nested elements up to 32 levels deep" (2026-10). */
const LEVELS_MAX = 32;

export type ItemOutcome =
  | { readonly kind: 'attributes'; readonly attributes: Record<string, AttributeValue> }
  | Refusal;

/**
 * Turn a record's members into an item's attributes; undefined members are left out.
 *
 * @example toAttributes({ total: 7 }); // { kind: 'attributes', attributes: { total: { N: '7' } } }
 */
export function toAttributes(record: JsonObject): ItemOutcome {
  try {
    return { kind: 'attributes', attributes: toMap(record, []) };
  } catch (error) {
    if (error instanceof Unstorable) return error.refusal;
    throw error;
  }
}

/** Travels from the depth of a record to its top; never leaves this file. */
class Unstorable extends Error {
  readonly refusal: Refusal;

  constructor(reason: RefusalReason, path: readonly string[], what: string) {
    super(what);
    this.refusal = { kind: 'refused', reason, detail: `\`${path.join('.')}\` ${what}` };
  }
}

type Path = readonly string[];

function toMap(object: JsonObject, path: Path): Record<string, AttributeValue> {
  const attributes: [string, AttributeValue][] = [];
  for (const [name, value] of Object.entries(object)) {
    // What a pipeline's own code leaves undefined is no member of JSON either.
    if (value === undefined) continue;
    const at = [...path, name];
    if (path.length > 0 && name === '__proto__') {
      throw new Unstorable('field-name-not-allowed', at, 'is a name that no SDK reads back');
    }
    attributes.push([name, toValue(value, at)]);
  }
  return Object.fromEntries(attributes);
}

function toValue(value: JsonValue, path: Path): AttributeValue {
  if (value === null) return { NULL: true };
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'boolean') return { BOOL: value };
  const number = numberText(value);
  if (number !== undefined) return { N: storableNumber(number, path) };
  if (path.length > LEVELS_MAX) {
    throw new Unstorable('nested-too-deep', path.slice(0, 3), `nests deeper than ${LEVELS_MAX}`);
  }
  if (isJsonArray(value)) {
    const present = value.map((element, at) => toValue(element ?? null, [...path, String(at)]));
    return { L: present };
  }
  if (isJsonObject(value)) return { M: toMap(value, path) };
  throw new TypeError(`${path.join('.')} is no JSON value`);
}

/** The number's text when DynamoDB keeps its value; `10.00` may come back as `10`. */
function storableNumber(text: string, path: Path): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!match) throw new Unstorable('number-out-of-range', path, 'is not a decimal number');
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';

  // Written d.ddd × 10^magnitude; leading zeros are neither digits nor magnitude.
  const magnitude = Number(exponentText) + digits.length - 1 - fraction.length;
  if (significant.length > NUMBER.digitsMax) {
    const what = `has ${significant.length} digits; an item keeps ${NUMBER.digitsMax}`;
    throw new Unstorable('number-out-of-range', path, what);
  }
  if (magnitude < NUMBER.exponentMin || magnitude > NUMBER.exponentMax) {
    throw new Unstorable('number-out-of-range', path, `is of magnitude 10^${magnitude}`);
  }
  const exponent = magnitude - significant.length + 1;
  return text.length <= NUMBER_TEXT_MAX ? text : `${sign}${significant}E${exponent}`;
}
