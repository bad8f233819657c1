/** What one invocation knows about its records: which are finished, and as what. */
import { assert } from '#core/assert';
import type { Finish, RecordEnd } from '#core/checkpoint/record-end';

export interface BatchLedger {
  /** A record is finished once; what is never finished comes again. */
  finish(place: number, as: Finish): void;
  isFinished(place: number): boolean;
  /** By place, as they are now. */
  readonly ends: readonly RecordEnd[];
  readonly counts: Readonly<Record<RecordEnd, number>>;
}

/** Invariant: every record of the batch counts exactly once. */
export function batchLedger(records: readonly unknown[]): BatchLedger {
  const ends = records.map((): RecordEnd => 'returned');
  const counts = { written: 0, stale: 0, folded: 0, refused: 0, returned: records.length };
  return {
    ends,
    counts,
    isFinished: (place) => ends[place] !== 'returned',
    finish(place, as) {
      assert(ends[place] === 'returned', 'a record is finished once');
      ends[place] = as;
      counts[as]++;
      counts.returned--;
    },
  };
}
