/** Attribute values as the wire carries them: checked, measured and compared. */
import { decimalText, parseDecimal, sortableDecimal } from './decimal.ts';
import { invalid, invalidValue } from './refusal.ts';

export type AttributeValue =
  | { readonly S: string }
  | { readonly N: string }
  /** Base64. */
  | { readonly B: string }
  | { readonly BOOL: boolean }
  | { readonly NULL: true }
  | { readonly SS: readonly string[] }
  | { readonly NS: readonly string[] }
  | { readonly BS: readonly string[] }
  | { readonly L: readonly AttributeValue[] }
  | { readonly M: AttributeMap };

/** Without a prototype, so that every name is only a name. */
export type AttributeMap = Readonly<Record<string, AttributeValue>>;

const DEPTH_MAX = 32;

export function parseMap(raw: unknown, depth = 0): AttributeMap {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw invalid('Supplied AttributeValue is not a map of attributes');
  }
  const map: Record<string, AttributeValue> = Object.create(null);
  for (const [name, value] of Object.entries(raw)) map[name] = parseValue(value, depth);
  return map;
}

/** Check a value and bring its numbers into the form in which they are stored. */
export function parseValue(raw: unknown, depth = 0): AttributeValue {
  if (depth > DEPTH_MAX) {
    throw invalid(
      'Nesting Levels have exceeded supported limits: Attributes have nested levels beyond supported limit',
    );
  }
  const entries = typeof raw === 'object' && raw !== null ? Object.entries(raw) : [];
  const set = entries.filter(([, value]) => value !== undefined && value !== null);
  const [first] = set;
  if (first === undefined) {
    throw invalid(
      'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
    );
  }
  if (set.length > 1) {
    throw invalid(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    );
  }
  return parseTyped(first[0], first[1], depth);
}

function parseTyped(type: string, value: unknown, depth: number): AttributeValue {
  if (type === 'S' && typeof value === 'string') return { S: value };
  if (type === 'N' && typeof value === 'string') return { N: canonicalNumber(value) };
  if (type === 'B' && typeof value === 'string') return { B: canonicalBinary(value) };
  if (type === 'BOOL' && typeof value === 'boolean') return { BOOL: value };
  if (type === 'NULL' && typeof value === 'boolean') {
    if (!value) throw invalidValue('Null attribute value types must have the value of true');
    return { NULL: true };
  }
  if (type === 'M') return { M: parseMap(value, depth + 1) };
  if (type === 'L' && Array.isArray(value)) {
    return { L: value.map((inner) => parseValue(inner, depth + 1)) };
  }
  if (isTexts(value)) {
    if (type === 'SS') return { SS: parseSet(value, (text) => text) };
    if (type === 'NS') return { NS: parseSet(value, canonicalNumber) };
    if (type === 'BS') return { BS: parseSet(value, canonicalBinary) };
  }
  throw invalid(
    'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
  );
}

function parseSet(
  texts: readonly string[],
  canonical: (text: string) => string,
): readonly string[] {
  if (texts.length === 0) throw invalidValue('A set may not be empty');
  const members = texts.map(canonical);
  if (new Set(members).size < members.length) {
    throw invalidValue(`Input collection [${texts.join(', ')}] contains duplicates.`);
  }
  return members;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((member) => typeof member === 'string');
}

function canonicalNumber(text: string): string {
  return decimalText(parseDecimal(text));
}

function canonicalBinary(text: string): string {
  return Buffer.from(text, 'base64').toString('base64');
}

export function typeOf(value: AttributeValue): string {
  return Object.keys(value)[0] ?? '';
}

/** Own members only: `constructor` is an attribute like any other. */
export function memberOf(map: AttributeMap | undefined, name: string): AttributeValue | undefined {
  return map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined;
}

/** @source Amazon DynamoDB developer guide, item sizes and formats. */
export function valueBytes(value: AttributeValue): number {
  if ('S' in value) return Buffer.byteLength(value.S);
  if ('N' in value) return numberBytes(value.N);
  if ('B' in value) return Buffer.byteLength(value.B, 'base64');
  if ('SS' in value) return sum(value.SS.map((text) => Buffer.byteLength(text)));
  if ('NS' in value) return sum(value.NS.map(numberBytes));
  if ('BS' in value) return sum(value.BS.map((text) => Buffer.byteLength(text, 'base64')));
  if ('L' in value) return 3 + sum(value.L.map((inner) => 1 + valueBytes(inner)));
  if ('M' in value) return 3 + mapBytes(value.M) + Object.keys(value.M).length;
  return 1;
}

export function mapBytes(map: AttributeMap): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(map))
    bytes += Buffer.byteLength(name) + valueBytes(value);
  return bytes;
}

function numberBytes(text: string): number {
  const { sign, digits } = parseDecimal(text);
  return 1 + Math.ceil(digits.length / 2) + (sign < 0 ? 1 : 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Below zero, zero or above, for two texts, numbers or binaries; undefined for all else. */
export function compareValues(a: AttributeValue, b: AttributeValue): number | undefined {
  if ('S' in a && 'S' in b) return Buffer.compare(Buffer.from(a.S), Buffer.from(b.S));
  if ('N' in a && 'N' in b) return compareText(sortableNumber(a.N), sortableNumber(b.N));
  if ('B' in a && 'B' in b)
    return Buffer.compare(Buffer.from(a.B, 'base64'), Buffer.from(b.B, 'base64'));
  return undefined;
}

export function sortableNumber(text: string): string {
  return sortableDecimal(parseDecimal(text));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Equal in type and content; sets without order. */
export function equalValues(a: AttributeValue, b: AttributeValue): boolean {
  if ('L' in a && 'L' in b) {
    return a.L.length === b.L.length && a.L.every((inner, at) => equalOptional(inner, b.L[at]));
  }
  if ('M' in a && 'M' in b) {
    const names = Object.keys(a.M);
    return (
      names.length === Object.keys(b.M).length &&
      names.every((name) => equalOptional(memberOf(a.M, name), memberOf(b.M, name)))
    );
  }
  const type = typeOf(a);
  if (type !== typeOf(b)) return false;
  const [one, other] = [Object.values(a)[0], Object.values(b)[0]];
  if (isTexts(one) && isTexts(other)) {
    return one.length === other.length && one.every((member) => other.includes(member));
  }
  return one === other;
}

function equalOptional(a: AttributeValue | undefined, b: AttributeValue | undefined): boolean {
  return a !== undefined && b !== undefined && equalValues(a, b);
}
