/** How far a batch came: what must come again, and what never needs to. */
import type { SequenceNumber, StoredRecord } from '#core/record/records';
import { compareSequences } from './compare-sequences.ts';

export interface Progress {
  /** The lowest unfinished sequence number: the shard resumes with it. */
  readonly resumeAt?: SequenceNumber;
  /** How many records have nothing unfinished at or before them in the batch. */
  readonly done: number;
  /** The last record with nothing unfinished at or before it in the batch. */
  readonly frontier?: StoredRecord;
  /** The finished record with the highest sequence number, whatever is unfinished below it. */
  readonly highestFinished?: StoredRecord;
}

/**
 * Compare sequence numbers as numbers and find where a batch stands.
 *
 * @param isFinished tells for a record's place in `records` whether it never needs to come again.
 * @example decideProgress([], () => true); // { done: 0 }
 */
export function decideProgress(
  records: readonly StoredRecord[],
  isFinished: (place: number) => boolean,
): Progress {
  let unfinished: StoredRecord | undefined;
  let highestFinished: StoredRecord | undefined;
  for (const [place, record] of records.entries()) {
    if (isFinished(place)) highestFinished = later(highestFinished, record);
    else if (isBefore(record, unfinished)) unfinished = record;
  }
  // What lies before the lowest unfinished is finished.
  const below = unfinished ? records.filter((record) => isBefore(record, unfinished)) : records;
  const frontier = unfinished ? below.reduce(later, undefined) : highestFinished;
  return {
    ...(unfinished && { resumeAt: unfinished.sequenceNumber }),
    done: below.length,
    ...(frontier && { frontier }),
    ...(highestFinished && { highestFinished }),
  };
}

function isBefore(one: StoredRecord, other: StoredRecord | undefined): boolean {
  return other === undefined || compareSequences(one.sequenceNumber, other.sequenceNumber) < 0;
}

/** Of equals the second. */
function later(one: StoredRecord | undefined, other: StoredRecord): StoredRecord {
  return one === undefined || !isBefore(other, one) ? other : one;
}
