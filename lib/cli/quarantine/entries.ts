/** What rests in a quarantine bucket, as far as its keys tell. */
import type { Bucket, ListedObject } from '#adapters/objects/bucket';
import { quarantineId, readQuarantineKey, REDRIVEN } from '#adapters/objects/quarantine-key';
import type { QuarantineKey } from '#adapters/objects/quarantine-key';

export interface Entry extends ListedObject {
  readonly id: string;
  readonly place: QuarantineKey;
}

export interface EntryFilter {
  /** What refused it: `poll`, or a consumer's name. */
  readonly by?: string | undefined;
  readonly reason?: string | undefined;
  /** The record's key, or its partition key. */
  readonly key?: string | undefined;
  /** Of its arrival, in ms since the epoch. */
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  /** Short names, or whole keys; a beginning of a name does. */
  readonly ids?: readonly string[] | undefined;
}

/** What a given-up document counts as, beside the records that are kept as such. */
export const GIVEN_UP = 'given-up';

/** Everything that waits for somebody: neither what was sent again, nor originals of it. */
export async function* restingIn(bucket: Bucket): AsyncGenerator<Entry> {
  for await (const entry of entriesIn(bucket)) {
    const { kind } = entry.place;
    if (kind !== 'redriven' && kind !== 'original') yield entry;
  }
}

/** What was sent again, and ended. */
export async function* redrivenIn(bucket: Bucket): AsyncGenerator<Entry> {
  for await (const entry of entriesIn(bucket, REDRIVEN)) {
    yield { ...entry, place: readQuarantineKey(entry.key.slice(REDRIVEN.length)) };
  }
}

async function* entriesIn(bucket: Bucket, prefix?: string): AsyncGenerator<Entry> {
  for await (const listed of bucket.list(prefix)) {
    yield { ...listed, id: quarantineId(listed.key), place: readQuarantineKey(listed.key) };
  }
}

/** Whether an entry may be meant, by its key alone; see `needsContent`. */
export function mayMatch({ id, key, place }: Entry, filter: EntryFilter): boolean {
  const { by, reason, ids, sinceMs, untilMs } = filter;
  if (ids !== undefined && !ids.some((one) => id.startsWith(one) || key === one)) return false;
  if (place.kind === 'unknown') {
    return (
      by === undefined && reason === undefined && sinceMs === undefined && untilMs === undefined
    );
  }
  if (place.kind === 'document') return reason === undefined || reason === GIVEN_UP;
  if (place.kind !== 'record') return false;
  if (by !== undefined && place.stage !== by) return false;
  if (reason !== undefined && place.reason !== reason) return false;
  const isTooOld = sinceMs !== undefined && place.day < dayOf(sinceMs);
  return !isTooOld && !(untilMs !== undefined && place.day > dayOf(untilMs));
}

/** Whether its key alone does not decide. */
export function needsContent({ place }: Entry, filter: EntryFilter): boolean {
  const { by, key, sinceMs, untilMs } = filter;
  const inside = [key, sinceMs, untilMs, place.kind === 'document' ? by : undefined];
  return inside.some((one) => one !== undefined);
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
