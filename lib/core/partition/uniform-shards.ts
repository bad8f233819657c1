import { HASH_KEY_MAX } from './hash-ring.ts';
import type { ShardRange } from './hash-ring.ts';

/**
 * The shards of a stream that was made with so many, or scaled to so many: equal slices, the last
 * with what is left over.
 *
 * @source Kinesis API 2013-12-02, UpdateShardCount: UNIFORM_SCALING creates shards of equal size.
 */
export function uniformShards(shardCount: number): readonly ShardRange[] {
  const width = (HASH_KEY_MAX + 1n) / BigInt(shardCount);
  return Array.from({ length: shardCount }, (_, at) => ({
    shardId: `shardId-${String(at).padStart(12, '0')}`,
    startingHashKey: width * BigInt(at),
    endingHashKey: at === shardCount - 1 ? HASH_KEY_MAX : width * BigInt(at + 1) - 1n,
  }));
}
