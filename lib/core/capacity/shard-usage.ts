/** How much of its shards' capacity a stream uses over a period. */
import { assert } from '#core/assert';
import { SHARD_LIMITS } from './plan-shards.ts';
import type { ShardLimits } from './plan-shards.ts';

export interface Written {
  readonly records: number;
  readonly bytes: number;
}

/**
 * Sum what `shards` take in `periodSec`: limits are by the second, metrics by the period.
 *
 * @throws {Defect} when there is no shard or no period.
 * @example shardsTake({ shards: 10, periodSec: 60 }).records; // 600_000
 */
export function shardsTake(
  { shards, periodSec }: { readonly shards: number; readonly periodSec: number },
  limits: ShardLimits = SHARD_LIMITS,
): Written {
  assert(shards >= 1 && periodSec >= 1, 'a stream has a shard and a period has a second');
  return {
    records: shards * limits.writeRecordsPerSec * periodSec,
    bytes: shards * limits.writeBytesPerSec * periodSec,
  };
}
