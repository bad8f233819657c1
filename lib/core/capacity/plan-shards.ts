/** Counts the shards that a load needs. */
import { assert } from '#core/assert';

/** What one shard carries. Every reader that shares a shard takes its part of the reads. */
export interface ShardLimits {
  readonly writeBytesPerSec: number;
  readonly writeRecordsPerSec: number;
  readonly readBytesPerSec: number;
}

/** @source Kinesis Data Streams, quotas and limits: 1 MiB/s and 1,000 records/s in, 2 MiB/s out. */
export const SHARD_LIMITS: ShardLimits = {
  writeBytesPerSec: 1_048_576,
  writeRecordsPerSec: 1_000,
  readBytesPerSec: 2_097_152,
};

export interface StreamLoad {
  readonly recordsPerSecPeak: number;
  /** Data and partition key together, as they stand in the stream. */
  readonly recordBytesMean: number;
  /** Readers that share each shard's reads: one for each event source mapping. */
  readonly sharedReaders: number;
  /** Capacity kept above the load, as a factor of at least 1. */
  readonly headroom: number;
}

export type ShardBound = 'bytes' | 'records' | 'reads';

export interface ShardPlan {
  readonly shardCount: number;
  /** Which limit the load meets first. */
  readonly boundBy: ShardBound;
  /** Shards that each limit alone asks for, headroom included, before rounding up. */
  readonly needed: Readonly<Record<ShardBound, number>>;
}

/** A load that fills its shards to the last record is not one record more. */
const ROUNDING = 1e-9;

/**
 * Plan the fewest shards that carry `load` with its headroom.
 *
 * @throws {Defect} when the load is not positive or the headroom is below 1.
 */
export function planShards(load: StreamLoad, limits: ShardLimits = SHARD_LIMITS): ShardPlan {
  assert(load.recordsPerSecPeak > 0 && load.recordBytesMean > 0, 'a load is positive');
  assert(load.headroom >= 1, 'headroom is a factor of at least 1');
  const bytesPerSec = load.recordsPerSecPeak * load.recordBytesMean * load.headroom;
  const needed = {
    bytes: bytesPerSec / limits.writeBytesPerSec,
    records: (load.recordsPerSecPeak * load.headroom) / limits.writeRecordsPerSec,
    reads: (bytesPerSec * load.sharedReaders) / limits.readBytesPerSec,
  };
  const bounds: readonly ShardBound[] = ['bytes', 'records', 'reads'];
  const boundBy = bounds.reduce((most, bound) => (needed[bound] > needed[most] ? bound : most));
  return { shardCount: Math.max(1, Math.ceil(needed[boundBy] - ROUNDING)), boundBy, needed };
}
