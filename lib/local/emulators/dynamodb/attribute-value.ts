/** Attribute values as the wire carries them: checked, and brought into the form that is stored. */
import { ServiceError } from '#local/aws-json';
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

export const VALUE_TYPES: readonly string[] = [
  'N',
  'BS',
  'L',
  'B',
  'NULL',
  'M',
  'S',
  'SS',
  'NS',
  'BOOL',
];
export const SET_TYPES: readonly string[] = ['SS', 'NS', 'BS'];

/** @source DynamoDB developer guide, quotas: nested attributes. */
const DEPTH_MAX = 32;
/** @source DynamoDB developer guide, naming rules: up to 64 KB, and not one byte more. */
const NAME_BYTES_MAX = 65_535;

export function parseMap(raw: unknown, depth = 0): AttributeMap {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw unserializable('Start of structure or map found where not expected');
  }
  const map: Record<string, AttributeValue> = Object.create(null);
  for (const [name, value] of Object.entries(raw)) {
    if (name.length * 3 > NAME_BYTES_MAX && Buffer.byteLength(name) > NAME_BYTES_MAX) {
      throw invalidValue('Attribute name is too large, must be less than 65536 bytes');
    }
    map[name] = parseValue(value, depth);
  }
  return map;
}

/** Check a value and bring its numbers into the form in which they are stored. */
export function parseValue(raw: unknown, depth = 0): AttributeValue {
  if (depth > DEPTH_MAX) throw tooDeep();
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw unserializable('Unexpected value type in payload');
  }
  const members = raw as Readonly<Record<string, unknown>>;
  let type: string | undefined;
  for (const name in members) {
    if (members[name] === undefined || members[name] === null || !isType(name)) continue;
    if (type !== undefined) {
      throw invalid(
        'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
      );
    }
    type = name;
  }
  if (type === undefined) {
    throw invalid(
      'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
    );
  }
  return parseTyped(type, members[type], depth);
}

const TYPE_SET = new Set(VALUE_TYPES);

function isType(name: string): boolean {
  return TYPE_SET.has(name);
}

export function tooDeep(): ServiceError {
  return invalid(
    'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
  );
}

function parseTyped(type: string, value: unknown, depth: number): AttributeValue {
  switch (type) {
    case 'S':
      return { S: textIn(value) };
    case 'N':
      return { N: canonicalNumber(textIn(value)) };
    case 'B':
      return { B: canonicalBinary(textIn(value)) };
    case 'BOOL':
      return { BOOL: booleanIn(value) };
    case 'NULL':
      if (booleanIn(value)) return { NULL: true };
      throw invalidValue('Null attribute value types must have the value of true');
    case 'M':
      return { M: parseMap(value, depth + 1) };
    case 'L':
      return { L: listIn(value).map((inner) => parseValue(inner, depth + 1)) };
    default:
      return parseSet(type, listIn(value).map(textIn));
  }
}

function parseSet(type: string, texts: readonly string[]): AttributeValue {
  if (type === 'SS') {
    if (texts.length === 0) throw invalidValue('An string set  may not be empty');
    if (hasTwice(texts))
      throw invalidValue(`Input collection [${texts.join(', ')}] contains duplicates.`);
    return { SS: texts };
  }
  if (type === 'NS') {
    if (texts.length === 0) throw invalidValue('An number set  may not be empty');
    const NS = texts.map(canonicalNumber);
    if (hasTwice(NS)) throw invalid('Input collection contains duplicates');
    return { NS };
  }
  if (texts.length === 0) throw invalidValue('Binary sets should not be empty');
  const BS = texts.map(canonicalBinary);
  if (hasTwice(BS))
    throw invalidValue(`Input collection [${BS.join(', ')}]of type BS contains duplicates.`);
  return { BS };
}

function hasTwice(members: readonly string[]): boolean {
  return new Set(members).size < members.length;
}

function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  throw unserializable(
    typeof value === 'number'
      ? 'NUMBER_VALUE cannot be converted to String'
      : typeof value === 'boolean'
        ? `${value ? 'TRUE' : 'FALSE'}_VALUE cannot be converted to String`
        : 'Start of structure or map found where not expected',
  );
}

function booleanIn(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw unserializable('Unexpected token received from parser');
}

function listIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw unserializable(
    typeof value === 'object'
      ? 'Start of structure or map found where not expected'
      : 'Unexpected field type',
  );
}

export function unserializable(message: string): ServiceError {
  return new ServiceError('SerializationException', message);
}

function canonicalNumber(text: string): string {
  // What most numbers are, and what they stay.
  if (text.length < 16 && /^(?:0|-?[1-9]\d*)$/.test(text)) return text;
  return decimalText(parseDecimal(text));
}

function canonicalBinary(text: string): string {
  const canonical = Buffer.from(text, 'base64').toString('base64');
  if (canonical === text) return text;
  throw unserializable(
    text.length % 4 === 0
      ? 'Invalid last non-pad Base64 character dectected'
      : `Base64 encoded length is expected a multiple of 4 bytes but found: ${text.length}`,
  );
}

export function typeOf(value: AttributeValue): string {
  for (const type in value) return type;
  return '';
}

/** Own members only: `constructor` is an attribute like any other. */
export function memberOf(map: AttributeMap | undefined, name: string): AttributeValue | undefined {
  return map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined;
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
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((member) => other.includes(member));
  }
  return one === other;
}

function equalOptional(a: AttributeValue | undefined, b: AttributeValue | undefined): boolean {
  return a !== undefined && b !== undefined && equalValues(a, b);
}
