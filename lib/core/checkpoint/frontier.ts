/** How far a batch came: what must come again, and what never needs to. */
import type { SequenceNumber, StoredRecord } from '#core/record/records';
import { sortableSequence } from './sortable-sequence.ts';

export interface Progress {
  /** The lowest unfinished sequence number: the shard resumes with it. */
  readonly resumeAt?: SequenceNumber;
  /** The last record with nothing unfinished at or before it in the batch. */
  readonly frontier?: StoredRecord;
  /** The finished record with the highest sequence number, whatever is unfinished below it. */
  readonly highestFinished?: StoredRecord;
}

/**
 * Compare sequence numbers as numbers and find where a batch stands.
 *
 * @param isFinished tells for a record's place in `records` whether it never needs to come again.
 * @example decideProgress([], () => true); // {}
 */
export function decideProgress(
  records: readonly StoredRecord[],
  isFinished: (place: number) => boolean,
): Progress {
  const places = records
    .map((record, place) => ({ record, place, order: sortableSequence(record.sequenceNumber) }))
    .sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : a.place - b.place));
  const unfinished = places.find(({ place }) => !isFinished(place));
  const below = places.filter(({ order }) => !unfinished || order < unfinished.order);
  const frontier = below.at(-1)?.record;
  const highestFinished = places.findLast(({ place }) => isFinished(place))?.record;
  return {
    ...(unfinished && { resumeAt: unfinished.record.sequenceNumber }),
    ...(frontier && { frontier }),
    ...(highestFinished && { highestFinished }),
  };
}
