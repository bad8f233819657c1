/** A place inside a record, written with dots: `properties.updated`, `data.0.id`. */
import { isExactNumber } from './exact-json.ts';
import type { JsonObject, JsonValue } from './json.ts';

export type Path = readonly string[];

/**
 * Split a dot path into its segments; the empty path and `$` name the whole value.
 *
 * @example parsePath('data.items'); // ['data', 'items']
 */
export function parsePath(text: string): Path {
  return text === '' || text === '$' ? [] : text.split('.');
}

/**
 * Read the value at a path; undefined where the path leads nowhere.
 *
 * Only a value's own members count, so no name leads into the language's own objects. A name may hold
 * dots itself, as `@odata.nextLink` does: it is found where no step by step leads anywhere.
 *
 * @example readPath({ 'a.b': { c: 1 } }, ['a', 'b', 'c']); // 1
 */
export function readPath(value: JsonValue, path: Path): JsonValue | undefined {
  const found = readSteps(value, path);
  return found === undefined && path.length > 1 ? readDotted(value, path) : found;
}

/** The same, step by step alone: no name holds dots. */
export function readSteps(value: JsonValue, path: Path): JsonValue | undefined {
  let here: JsonValue | undefined = value;
  for (const segment of path) {
    if (here === undefined) return undefined;
    here = memberOf(here, segment);
  }
  return here;
}

/** The shortest names first. */
function readDotted(value: JsonValue, path: Path): JsonValue | undefined {
  for (let taken = 1; taken <= path.length; taken++) {
    const member = memberOf(value, path.slice(0, taken).join('.'));
    if (member === undefined) continue;
    const found = taken === path.length ? member : readDotted(member, path.slice(taken));
    if (found !== undefined) return found;
  }
  return undefined;
}

function memberOf(value: JsonValue, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (isJsonArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined;
  // Of a number with its digits a path sees no member; asked last, as that costs most.
  return Object.hasOwn(value, name) && !isExactNumber(value) ? value[name] : undefined;
}

export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
  );
}

/** Say in two or three words what stands somewhere, without quoting it. */
export function describeValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'an array';
  if (isExactNumber(value)) return 'a number';
  if (value === '') return 'an empty text';
  if (typeof value === 'string') return 'a text';
  if (typeof value === 'object') return describeMembers(Object.keys(value));
  return `a ${typeof value}`;
}

/** Enough to recognize an object by; more would be a dump. */
const MEMBERS_NAMED_MAX = 5;

function describeMembers(names: readonly string[]): string {
  if (names.length === 0) return 'an empty object';
  const named = names.slice(0, MEMBERS_NAMED_MAX).map((name) => `\`${name.slice(0, 40)}\``);
  const more = names.length > MEMBERS_NAMED_MAX ? ', …' : '';
  return `an object with ${named.join(', ')}${more}`;
}
