/** The order in which records go to a consumer again. */
import { sortableSequence } from '#core/checkpoint/sortable-sequence';
import type { StoredRecord } from '#core/record/records';

export type StreamPosition = Pick<StoredRecord, 'shardId' | 'sequenceNumber'>;

/**
 * Sort by shard and sequence number, so that each key's records stand in the order of the stream.
 *
 * A key's records move from a shard to a child of it, and no child has a lower number than its parent.
 *
 * @source Kinesis: the ids of shards are numbered in the order in which they are made.
 */
export function redriveOrder<T extends { readonly position: StreamPosition }>(
  entries: readonly T[],
): readonly T[] {
  const ranks = new Map(
    entries.map((entry) => {
      const { shardId, sequenceNumber } = entry.position;
      return [entry, `${shardNumber(shardId)} ${sortableSequence(sequenceNumber)}`];
    }),
  );
  const rank = (entry: T): string => ranks.get(entry) ?? '';
  return entries.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1));
}

const DIGITS = 20;

function shardNumber(shardId: string): string {
  return shardId.replace(/^\D*/, '').padStart(DIGITS, '0');
}
