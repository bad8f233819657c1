/** What one invocation knows about its records: which are finished, and as what. */
import { assert } from '#core/assert';
import type { Finish, RecordEnd } from '#core/checkpoint/record-end';
import { compareSequences } from '#core/checkpoint/compare-sequences';
import type { StoredRecord } from '#core/record/records';
import type { StreamEvent } from '#core/record/stream-event';

/** A record that decoded, with its place in the batch. */
export interface Delivery {
  readonly place: number;
  readonly record: StoredRecord;
  readonly event: StreamEvent;
}

export interface BatchLedger {
  /** A record is finished once; what is never finished comes again. */
  finish(place: number, as: Finish): void;
  isFinished(place: number): boolean;
  /** By place. */
  ends(): readonly RecordEnd[];
  counts(): Readonly<Record<RecordEnd, number>>;
}

/** Invariant: every record of the batch counts exactly once. */
export function batchLedger(records: readonly StoredRecord[]): BatchLedger {
  const finishes: (Finish | undefined)[] = records.map(() => undefined);
  return {
    finish(place, as) {
      assert(place < finishes.length && finishes[place] === undefined, 'a record is finished once');
      finishes[place] = as;
    },
    isFinished: (place) => finishes[place] !== undefined,
    ends: () => finishes.map((finish) => finish ?? 'returned'),
    counts() {
      const counts = { written: 0, stale: 0, folded: 0, refused: 0, returned: 0 };
      for (const finish of finishes) counts[finish ?? 'returned']++;
      return counts;
    },
  };
}

/** Group a batch by key: keys in the order they first appear, versions in the order they came. */
export function byKey(deliveries: readonly Delivery[]): readonly (readonly Delivery[])[] {
  return [...Map.groupBy(deliveries, ({ event }) => event.subject).values()];
}

/** The lowest of some records, by sequence number. @throws {Defect} when there is none. */
export function lowest(records: readonly StoredRecord[]): StoredRecord {
  const [first, ...others] = records;
  assert(first !== undefined, 'the lowest of nothing is not asked for');
  return others.reduce(
    (low, next) => (compareSequences(next.sequenceNumber, low.sequenceNumber) < 0 ? next : low),
    first,
  );
}
