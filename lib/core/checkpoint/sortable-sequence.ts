import { assert } from '#core/assert';
import type { SequenceNumber } from '#core/record/records';

/** @source Kinesis API 2013-12-02, shape SequenceNumber: `0|([1-9]\d{0,128})`. */
const DIGITS_MAX = 129;

/**
 * Widen a sequence number until text order is number order, for use in a DynamoDB condition.
 *
 * DynamoDB compares strings byte by byte, and its numbers keep 38 digits: too few for a
 * sequence number to survive as one.
 *
 * @returns exactly 129 digits.
 * @throws {Defect} when the text is not a canonical decimal.
 * @example sortableSequence('10' as SequenceNumber) > sortableSequence('9' as SequenceNumber); // true
 */
export function sortableSequence(sequenceNumber: SequenceNumber): string {
  assert(/^(0|[1-9]\d{0,128})$/.test(sequenceNumber), 'a sequence number is canonical decimal');
  return sequenceNumber.padStart(DIGITS_MAX, '0');
}

/** Undo `sortableSequence`. */
export function plainSequence(sortable: string): SequenceNumber {
  assert(sortable.length === DIGITS_MAX, 'a sortable sequence number has 129 digits');
  return sortable.replace(/^0+(?=\d)/, '') as SequenceNumber;
}
