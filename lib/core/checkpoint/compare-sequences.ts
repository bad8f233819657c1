import type { SequenceNumber } from '#core/record/records';

/**
 * Order two positions of a shard: negative when `a` comes first, zero for equals.
 *
 * Canonical decimals have no zeros in front, so the longer is the greater.
 *
 * @example compareSequences('9' as SequenceNumber, '10' as SequenceNumber) < 0; // true
 */
export function compareSequences(a: SequenceNumber, b: SequenceNumber): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
