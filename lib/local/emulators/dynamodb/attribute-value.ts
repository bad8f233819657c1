/** Attribute values as the wire carries them: checked, and brought into the form that is stored. */
import { ServiceError } from '#local/aws-json';
import { decimalText, parseDecimal } from './decimal.ts';
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

/** Every own member is an attribute, whatever its name: to be read with `memberOf`, written with `setMember`. */
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

/** The map itself where all of it is in the form that is stored. */
export function parseMap(raw: unknown, depth = 0): AttributeMap {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw unserializable('Start of structure or map found where not expected');
  }
  const given = raw as AttributeMap;
  let map: Record<string, AttributeValue> | undefined;
  for (const name in given) {
    if (name.length * 3 > NAME_BYTES_MAX && Buffer.byteLength(name) > NAME_BYTES_MAX) {
      throw invalidValue('Attribute name is too large, must be less than 65536 bytes');
    }
    const value = parseValue(given[name], depth);
    if (value !== given[name]) (map ??= { ...given })[name] = value;
  }
  return map ?? given;
}

/** Check a value and bring its numbers into the form in which they are stored. */
export function parseValue(raw: unknown, depth = 0): AttributeValue {
  if (depth > DEPTH_MAX) throw tooDeep();
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw unserializable('Unexpected value type in payload');
  }
  const members = raw as Readonly<Record<string, unknown>>;
  let type: string | undefined;
  let isAlone = true;
  for (const name in members) {
    if (members[name] === undefined || members[name] === null || !isType(name)) {
      isAlone = false;
      continue;
    }
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
  const content = parseContent(type, members[type], depth);
  return (isAlone && content === members[type] ? raw : { [type]: content }) as AttributeValue;
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

/** What stands under the type; the value itself where it is in the form that is stored. */
function parseContent(type: string, value: unknown, depth: number): unknown {
  switch (type) {
    case 'S':
      return textIn(value);
    case 'N':
      return canonicalNumber(textIn(value));
    case 'B':
      return canonicalBinary(textIn(value));
    case 'BOOL':
      return booleanIn(value);
    case 'NULL':
      if (booleanIn(value)) return true;
      throw invalidValue('Null attribute value types must have the value of true');
    case 'M':
      return parseMap(value, depth + 1);
    case 'L':
      return listIn(value).map((inner) => parseValue(inner, depth + 1));
    default:
      return parseSet(type, listIn(value).map(textIn));
  }
}

function parseSet(type: string, texts: readonly string[]): readonly string[] {
  if (type === 'SS') {
    if (texts.length === 0) throw invalidValue('An string set  may not be empty');
    if (hasTwice(texts))
      throw invalidValue(`Input collection [${texts.join(', ')}] contains duplicates.`);
    return texts;
  }
  if (type === 'NS') {
    if (texts.length === 0) throw invalidValue('An number set  may not be empty');
    const numbers = texts.map(canonicalNumber);
    if (hasTwice(numbers)) throw invalid('Input collection contains duplicates');
    return numbers;
  }
  if (texts.length === 0) throw invalidValue('Binary sets should not be empty');
  const binaries = texts.map(canonicalBinary);
  if (hasTwice(binaries))
    throw invalidValue(`Input collection [${binaries.join(', ')}]of type BS contains duplicates.`);
  return binaries;
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

export function typeOf(value: AttributeValue | undefined): string {
  for (const type in value) return type;
  return '';
}

/** Own members only: `constructor` is an attribute like any other. */
export function memberOf(map: AttributeMap | undefined, name: string): AttributeValue | undefined {
  return map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined;
}

/** Also under the one name that would be the map's prototype. */
export function setMember(
  map: Record<string, AttributeValue>,
  name: string,
  value: AttributeValue,
): void {
  if (name !== '__proto__') map[name] = value;
  else Object.defineProperty(map, name, { ...OF_A_MEMBER, value });
}

const OF_A_MEMBER = { configurable: true, enumerable: true, writable: true };
