/** Where a second reading of a shard ends. */
import type { SequenceNumber, StoredRecord } from '#core/record/records';
import { sortableSequence } from './sortable-sequence.ts';

export type RangeEnd =
  /** With the last record before the first that arrived later. */
  | { readonly kind: 'time'; readonly untilMs: number }
  /** With that record, or the last before it. */
  | { readonly kind: 'sequence'; readonly sequenceNumber: SequenceNumber };

export interface CutPage {
  readonly records: readonly StoredRecord[];
  /** Nothing that follows in the shard belongs to the range. */
  readonly isOver: boolean;
}

/**
 * Leave out what lies behind the end. A shard's order decides, not each record's arrival: that is
 * not guaranteed to rise, and one record out of step must not let later ones in.
 *
 * @param records in the order of their shard.
 */
export function cutAtEnd(records: readonly StoredRecord[], end: RangeEnd): CutPage {
  const at = records.findIndex((record) => isBehind(record, end));
  if (at >= 0) return { records: records.slice(0, at), isOver: true };
  const last = records.at(-1);
  return {
    records,
    isOver: end.kind === 'sequence' && last?.sequenceNumber === end.sequenceNumber,
  };
}

function isBehind(record: StoredRecord, end: RangeEnd): boolean {
  return end.kind === 'time'
    ? record.arrivalTimeMs > end.untilMs
    : sortableSequence(record.sequenceNumber) > sortableSequence(end.sequenceNumber);
}
