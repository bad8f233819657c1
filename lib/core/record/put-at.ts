import type { JsonObject, JsonValue } from './json.ts';
import { isJsonObject } from './path.ts';
import type { Path } from './path.ts';

/**
 * Put a value at a path, making objects on the way; undefined where something else stands in it.
 *
 * @example putAt({ a: 1 }, ['b', 'c'], 2); // { a: 1, b: { c: 2 } }
 */
export function putAt(object: JsonObject, path: Path, value: JsonValue): JsonObject | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return undefined;
  if (rest.length === 0) return { ...object, [name]: value };
  const inner = Object.hasOwn(object, name) ? object[name] : {};
  const filled = isJsonObject(inner) ? putAt(inner, rest, value) : undefined;
  return filled && { ...object, [name]: filled };
}
