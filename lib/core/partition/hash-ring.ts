/** Which shard a partition key goes to: the slice of a ring of 2^128 that its hash key falls into. */
import { assert } from '#core/assert';

/** Both ends belong to it. */
export interface ShardRange {
  readonly shardId: string;
  readonly startingHashKey: bigint;
  readonly endingHashKey: bigint;
}

export interface HashRing {
  readonly shardIds: readonly string[];
  /** @throws {Defect} when it is outside of 0 to 2^128 − 1. */
  shardOf(hashKey: bigint): string;
}

/**
 * The largest hash key.
 *
 * @source Kinesis API 2013-12-02, HashKeyRange: 0 to 2^128 − 1; a partition key's is its MD5.
 */
export const HASH_KEY_MAX = 2n ** 128n - 1n;

/**
 * Make a ring of the open shards of a stream; undefined when they leave a gap or overlap, as they
 * may in the midst of a split or merge: ask again.
 */
export function hashRing(open: readonly ShardRange[]): HashRing | undefined {
  const ranges = open.toSorted((a, b) => (a.startingHashKey < b.startingHashKey ? -1 : 1));
  let next = 0n;
  for (const { startingHashKey, endingHashKey } of ranges) {
    if (startingHashKey !== next || endingHashKey < startingHashKey) return undefined;
    next = endingHashKey + 1n;
  }
  if (next !== HASH_KEY_MAX + 1n) return undefined;
  return {
    shardIds: ranges.map(({ shardId }) => shardId),
    shardOf(hashKey) {
      assert(hashKey >= 0n && hashKey <= HASH_KEY_MAX, 'a hash key has 128 bits');
      let low = 0;
      let high = ranges.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        const isBelow = hashKey < (ranges[middle] as ShardRange).startingHashKey;
        if (isBelow) high = middle - 1;
        else low = middle;
      }
      return (ranges[low] as ShardRange).shardId;
    },
  };
}
