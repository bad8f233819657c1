/** The described load by which a pipeline counts a given number of shards. */
import { assert } from '#core/assert';
import { planShards } from './plan-shards.ts';
import type { StreamLoad } from './plan-shards.ts';

/** A bound that is a whole number but for its last digit is that number. */
const ROUNDING = 1 + 1e-12;

/**
 * The highest peak, in whole records a second, for which `planShards` counts `shardCount`; undefined
 * where one record more or less a second is a shard or more.
 *
 * @param load what is described beside the peak stays.
 */
export function peakForShards(load: StreamLoad, shardCount: number): number | undefined {
  assert(shardCount >= 1, 'a stream has a shard');
  const { needed, boundBy } = planShards(load);
  const bound = (load.recordsPerSecPeak * shardCount) / needed[boundBy];
  const peak = Math.floor(bound * ROUNDING);
  if (peak < 1) return undefined;
  const counted = planShards({ ...load, recordsPerSecPeak: peak }).shardCount;
  return counted === shardCount ? peak : undefined;
}
