/** Lists what rests in quarantine: counts of all, and the newest of them. */
import { GIVEN_UP, redrivenIn, restingIn } from './entries.ts';
import type { Entry, EntryFilter } from './entries.ts';
import type { QuarantineBucket } from './open-quarantine.ts';
import { matching, readAll } from './read-entry.ts';
import type { ReadEntry } from './read-entry.ts';

export interface Listing {
  readonly found: number;
  /** `2026-11-02`, of the oldest; undefined when there is none. */
  readonly fromDay: string | undefined;
  /** Of `by` and `reason`, the largest first. */
  readonly counts: readonly {
    readonly by: string;
    readonly reason: string;
    readonly count: number;
  }[];
  /** The newest, the newest last. */
  readonly newest: readonly ReadEntry[];
}

/** Memory holds the newest alone, however many there are. */
export async function listEntries(
  bucket: QuarantineBucket,
  filter: EntryFilter,
  { numberMax, redriven }: { readonly numberMax: number; readonly redriven: boolean },
): Promise<Listing> {
  const counts = new Map<string, number>();
  let newest: Entry[] = [];
  let found = 0;
  let fromDay: string | undefined;
  const trim = (): void => {
    newest = numberMax === 0 ? [] : newest.toSorted(byAge).slice(-numberMax);
  };
  const entries = redriven ? redrivenIn(bucket) : restingIn(bucket);
  for await (const entry of matching(bucket, entries, filter)) {
    found += 1;
    const { by, reason } = kindOf(entry);
    const name = JSON.stringify([by, reason]);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    const day = dayOf(entry);
    if (fromDay === undefined || day < fromDay) fromDay = day;
    newest.push(entry);
    if (newest.length >= 2 * numberMax + 1) trim();
  }
  trim();
  const read: ReadEntry[] = [];
  for await (const entry of readAll(bucket, newest)) if (entry !== undefined) read.push(entry);
  return { found, fromDay, counts: sorted(counts), newest: read };
}

function kindOf({ place }: Entry): { by: string; reason: string } {
  if (place.kind === 'record') return { by: place.stage, reason: place.reason };
  return place.kind === 'document'
    ? { by: 'a mapping', reason: GIVEN_UP }
    : { by: 'unknown', reason: 'unknown' };
}

function dayOf({ place, modifiedMs }: Entry): string {
  return 'day' in place ? place.day : new Date(modifiedMs).toISOString().slice(0, 10);
}

function byAge(one: Entry, other: Entry): number {
  const [day, otherDay] = [dayOf(one), dayOf(other)];
  if (day !== otherDay) return day < otherDay ? -1 : 1;
  return one.modifiedMs - other.modifiedMs || (one.key < other.key ? -1 : 1);
}

function sorted(counts: ReadonlyMap<string, number>): Listing['counts'] {
  return [...counts]
    .map(([name, count]) => {
      const [by = '', reason = ''] = JSON.parse(name) as string[];
      return { by, reason, count };
    })
    .toSorted((one, other) => other.count - one.count || (one.by < other.by ? -1 : 1));
}
