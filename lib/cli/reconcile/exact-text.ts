/** One canonical text for equal values, whatever road they came by: JSON digits or DynamoDB's. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** JSON whose numbers are kept as the digits they were written with. */
export type ExactValue =
  | null
  | boolean
  | string
  | { readonly digits: string }
  | readonly ExactValue[]
  | ReadonlyMap<string, ExactValue>;

type ReviverContext = { readonly source?: string };
type SourceReviver = (
  this: unknown,
  key: string,
  value: unknown,
  context: ReviverContext,
) => unknown;

/** Parse JSON and keep every number's digits. @throws {SyntaxError} when it is not JSON. */
export function parseDigits(text: string): ExactValue {
  const revive: SourceReviver = (_key, value, context) => {
    if (typeof value === 'number') return { digits: context.source ?? String(value) };
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
    return new Map(Object.entries(value));
  };
  const parse = JSON.parse as (text: string, reviver: SourceReviver) => unknown;
  return parse(text, revive) as ExactValue;
}

/** Read a value as DynamoDB stores it. */
export function fromAttribute(value: AttributeValue): ExactValue {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return { digits: value.N };
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.NULL !== undefined) return null;
  if (value.L !== undefined) return value.L.map(fromAttribute);
  if (value.M !== undefined) return fromItem(value.M);
  // Others may write what JSON has not, and what is equal to nothing of a source's.
  if (value.SS !== undefined) return strange('SS', value.SS.toSorted());
  if (value.NS !== undefined) return strange('NS', value.NS.toSorted());
  if (value.B !== undefined) return strange('B', base64(value.B));
  return strange('BS', (value.BS ?? []).map(base64).toSorted());
}

function strange(type: string, value: ExactValue): ExactValue {
  return new Map([[`DynamoDB ${type}`, value]]);
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

export function fromItem(
  item: Readonly<Record<string, AttributeValue>>,
): ReadonlyMap<string, ExactValue> {
  return new Map(Object.entries(item).map(([name, value]) => [name, fromAttribute(value)]));
}

/** Write a value so that equal values, in whatever order and form, have equal texts. */
export function canonicalText(value: ExactValue): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (value instanceof Map) {
    const members = [...(value as ReadonlyMap<string, ExactValue>)]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`);
    return `{${members.join(',')}}`;
  }
  if ('digits' in value) return canonicalDecimal(value.digits);
  return `[${(value as readonly ExactValue[]).map(canonicalText).join(',')}]`;
}

/** Write a number of any length as `-1234e-2`: whole digits without idle zeros, and an exponent. */
export function canonicalDecimal(text: string): string {
  const match = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) return text;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  if (kept === '') return '0';
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - kept.length);
  return `${sign === '-' ? '-' : ''}${kept}e${power}`;
}

/** The value at a dot path, whose names may hold dots; undefined where it leads nowhere. */
export function valueAt(value: ExactValue, path: string): ExactValue | undefined {
  if (!(value instanceof Map)) return undefined;
  const members = value as ReadonlyMap<string, ExactValue>;
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const member = members.get(path.slice(0, dot));
    const found = member === undefined ? undefined : valueAt(member, path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return members.get(path);
}

/** The plain text of a string or a number; undefined for anything else. */
export function textAt(value: ExactValue, path: string): string | undefined {
  const found = valueAt(value, path);
  if (typeof found === 'string') return found;
  const isNumber = found !== null && typeof found === 'object' && 'digits' in found;
  return isNumber ? found.digits : undefined;
}
