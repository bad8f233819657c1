/** Finds the records in an answer. */
import type { JsonValue } from '#core/record/json';
import { describeValue, isJsonArray, isJsonObject, readPath } from '#core/record/path';
import type { Path } from '#core/record/path';

/** Where an answer holds its records, and in which shape. */
export interface RecordsPlace {
  readonly path: Path;
  /** Records are members of an object: the member of a record that takes its name. Undefined: an array. */
  readonly keyedBy: string | undefined;
  /** An answer without records may leave the place out, or hold null there or above it. */
  readonly isOptional?: boolean;
}

export type PageRecords =
  | { readonly kind: 'records'; readonly records: readonly JsonValue[] }
  | { readonly kind: 'unreadable'; readonly detail: string };

/** What a function's memory holds the events of, were each as small as can be. */
const RECORDS_MAX = 250_000;

/**
 * Take the records out of an answer, or say what stands in their place: a shape that has changed is
 * never a page without records.
 *
 * @example pageRecords({ by: { a7: { n: 1 } } }, { path: ['by'], keyedBy: 'id' }); // [{ id: 'a7', n: 1 }]
 */
export function pageRecords(
  body: JsonValue,
  { path, keyedBy, isOptional = false }: RecordsPlace,
): PageRecords {
  const found = readPath(body, path);
  if (isOptional && (found ?? lackedAt(body, path)) === null)
    return { kind: 'records', records: [] };
  const records = recordsOf(found, keyedBy);
  const place = path.length === 0 ? 'the answer' : `\`${path.join('.')}\``;
  if (records !== undefined) {
    if (records.length <= RECORDS_MAX) return { kind: 'records', records };
    const many = `${place} holds ${records.length} records, more than ${RECORDS_MAX}`;
    return { kind: 'unreadable', detail: `${many}: ask for smaller pages (source.pageSize)` };
  }
  const around = path.length === 0 ? '' : `; the answer is ${describeValue(body)}`;
  const wanted = keyedBy === undefined ? 'an array of records' : 'an object of records by name';
  const detail = `${place} holds ${describeValue(found)}, not ${wanted}${around}`;
  return { kind: 'unreadable', detail };
}

/** Null where an object on the way lacks the next member, or holds null: another shape is no absence. */
function lackedAt(body: JsonValue, path: Path): null | undefined {
  const ends = path.map((_, at) => readPath(body, path.slice(0, at)));
  const last = ends.findLast((end) => end !== undefined);
  return last === null || isJsonObject(last) ? null : undefined;
}

function recordsOf(
  found: JsonValue | undefined,
  keyedBy: string | undefined,
): readonly JsonValue[] | undefined {
  if (isJsonArray(found)) {
    // Some languages write a map without members so.
    return keyedBy === undefined || found.length === 0 ? found : undefined;
  }
  if (keyedBy === undefined || !isJsonObject(found)) return undefined;
  return Object.entries(found).map(([name, member]) => named(member, keyedBy, name));
}

/** A name of its own outranks the one it goes by. What is no object stays, to be refused as a record. */
function named(member: JsonValue, keyedBy: string, name: string): JsonValue {
  return isJsonObject(member) ? { [keyedBy]: name, ...member } : member;
}
