/**
 * Compares what a source holds with what reached the stream, the table and the quarantine.
 *
 * It shares no code with the poller, the publisher or the consumer that it judges.
 */
import { canonicalText, textAt, valueAt } from './exact-text.ts';
import type { ExactValue } from './exact-text.ts';

/** Where a row says who it is; all are dot paths. */
export interface RowPlaces {
  /** One, or two: the parts of the key. */
  readonly key: string | readonly [string, string];
  /** Rises with every change of a row, even of one second. */
  readonly change: string;
  /** Null, false or absent while the row is not deleted. */
  readonly deleted?: string | undefined;
}

/** One event of the stream, in reading order: parents before children, by sequence number. */
export interface StreamSighting {
  /** The CloudEvent's. */
  readonly id: string;
  readonly key: string;
  /** Digits. */
  readonly change: string;
}

export interface Evidence {
  readonly rows: readonly ExactValue[];
  /** How many records the source answered that can never succeed. */
  readonly malformed: number;
  /** Items without change: attributes whose names begin with `_` are Penstock's own. */
  readonly items: readonly ReadonlyMap<string, ExactValue>[];
  /** Undefined stands for a record that is no event of a row. */
  readonly sightings: readonly (StreamSighting | undefined)[];
  /** Reason of each object in quarantine. */
  readonly quarantined: readonly string[];
  /** Requests that came before the wait they had been told was over. */
  readonly askedTooEarly: number;
}

export interface Verdict {
  readonly sourceRows: number;
  readonly sourceDeleted: number;
  readonly tableRows: number;
  readonly tombstones: number;
  /** Rows that stand in the table as the source holds them, deletes as tombstones. */
  readonly same: number;
  /** Keys whose newest state is in neither the stream nor the table. */
  readonly lost: readonly string[];
  /** Keys the table holds in another state than the source. */
  readonly different: readonly string[];
  /** Keys of the table that the source does not know. */
  readonly unknown: readonly string[];
  readonly streamRecords: number;
  readonly unreadable: number;
  readonly deliveredTwice: number;
  /** Keys whose changes first appear in the stream out of order. */
  readonly reordered: readonly string[];
  readonly quarantined: Readonly<Record<string, number>>;
  readonly askedTooEarly: number;
  /** One sentence for each promise that does not hold; none when all do. */
  readonly complaints: readonly string[];
}

/** Judge one pipeline. */
export function judge(evidence: Evidence, places: RowPlaces): Verdict {
  const table = new Map(evidence.items.map((item) => [keyOf(item, places) ?? '', item]));
  const stream = readStream(evidence.sightings);
  const tally = { deleted: 0, same: 0 };
  const lost: string[] = [];
  const different: string[] = [];
  const known = new Set<string>();

  for (const row of evidence.rows) {
    const key = keyOf(row, places) ?? '';
    known.add(key);
    if (isDeleted(row, places)) tally.deleted += 1;
    const item = table.get(key);
    const newest = stream.newest.get(key);
    const inStream = newest !== undefined && newest.change === textAt(row, places.change);
    const eventId = inStream ? newest.id : undefined;
    if (item !== undefined && stands({ row, item, eventId }, places)) tally.same += 1;
    else if (item === undefined || !inStream) lost.push(key);
    else different.push(key);
  }
  const unknown = [...table.keys()].filter((key) => !known.has(key));
  const tombstones = evidence.items.filter((item) => item.get('_deleted') === true).length;
  const facts = {
    sourceRows: evidence.rows.length - tally.deleted,
    sourceDeleted: tally.deleted,
    tableRows: evidence.items.length - tombstones,
    tombstones,
    same: tally.same,
    lost,
    different,
    unknown,
    streamRecords: evidence.sightings.length,
    unreadable: stream.unreadable,
    deliveredTwice: stream.deliveredTwice,
    reordered: stream.reordered,
    quarantined: countEach(evidence.quarantined),
    askedTooEarly: evidence.askedTooEarly,
  };
  return { ...facts, complaints: complaintsOf(facts, evidence) };
}

/** The key as text, two parts as a list of JSON; undefined where a part is missing. */
export function keyOf(value: ExactValue, { key }: RowPlaces): string | undefined {
  const parts = [key].flat().map((path) => textAt(value, path));
  if (parts.includes(undefined)) return undefined;
  return parts.length === 1 ? parts[0] : JSON.stringify(parts);
}

function isDeleted(row: ExactValue, { deleted }: RowPlaces): boolean {
  if (deleted === undefined) return false;
  const value = valueAt(row, deleted) ?? null;
  return value !== null && value !== false;
}

interface Pair {
  readonly row: ExactValue;
  readonly item: ReadonlyMap<string, ExactValue>;
  /** The event that carried the row's newest change. */
  readonly eventId: string | undefined;
}

/** Whether an item says what the row says; a tombstone keeps nothing of it but its event's id. */
function stands({ row, item, eventId }: Pair, places: RowPlaces): boolean {
  const isTombstone = item.get('_deleted') === true;
  if (isTombstone !== isDeleted(row, places)) return false;
  if (isTombstone) return eventId !== undefined && item.get('_event_id') === eventId;
  const kept = new Map([...item].filter(([name]) => !name.startsWith('_')));
  return canonicalText(kept) === canonicalText(row);
}

interface StreamFacts {
  /** By key: the highest change that was sighted. */
  readonly newest: ReadonlyMap<string, { readonly change: string; readonly id: string }>;
  readonly deliveredTwice: number;
  readonly unreadable: number;
  readonly reordered: readonly string[];
}

function readStream(sightings: Evidence['sightings']): StreamFacts {
  const ids = new Set<string>();
  const newest = new Map<string, { change: string; id: string }>();
  const reordered = new Set<string>();
  let unreadable = 0;
  for (const sighting of sightings) {
    if (sighting === undefined) {
      unreadable += 1;
      continue;
    }
    const { id, key, change } = sighting;
    if (ids.has(id)) continue;
    ids.add(id);
    const before = newest.get(key);
    if (before !== undefined && BigInt(before.change) >= BigInt(change)) {
      reordered.add(key);
    } else {
      newest.set(key, { change, id });
    }
  }
  const deliveredTwice = sightings.length - unreadable - ids.size;
  return { newest, deliveredTwice, unreadable, reordered: [...reordered] };
}

function countEach(reasons: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}

function complaintsOf(facts: Omit<Verdict, 'complaints'>, evidence: Evidence): string[] {
  const refused = evidence.quarantined.length;
  const rules: readonly (readonly [boolean, string])[] = [
    [facts.lost.length > 0, `${named(facts.lost)} lost`],
    [facts.different.length > 0, `${named(facts.different)} not in the source's newest state`],
    [facts.unknown.length > 0, `${named(facts.unknown)} in the table but not in the source`],
    [facts.reordered.length > 0, `${named(facts.reordered)} out of order in the stream`],
    [facts.unreadable > 0, `${facts.unreadable} records of the stream are no events`],
    [
      refused !== evidence.malformed,
      `the source answered ${evidence.malformed} malformed records, quarantine holds ${refused}`,
    ],
    [facts.askedTooEarly > 0, `the source was asked too early ${facts.askedTooEarly} times`],
    [evidence.rows.length === 0, 'the source holds no rows: nothing was shown'],
  ];
  return rules.filter(([broken]) => broken).map(([, sentence]) => sentence);
}

function named(keys: readonly string[]): string {
  const some = [...keys.slice(0, 3), ...(keys.length > 3 ? ['…'] : [])].join(', ');
  return `${keys.length} ${keys.length === 1 ? 'row' : 'rows'} (${some})`;
}
