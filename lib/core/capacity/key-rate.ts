/** How fast a single key can change: all of its records are in one shard. */
import { SHARD_LIMITS } from './plan-shards.ts';
import type { ShardBound, ShardLimits } from './plan-shards.ts';

export interface KeyRate {
  /** Records of a second, however many shards there are. */
  readonly recordsPerSec: number;
  readonly boundBy: ShardBound;
}

/** @param load `recordBytes`: data and partition key together. */
export function keyRate(
  load: { readonly recordBytes: number; readonly sharedReaders: number },
  limits: ShardLimits = SHARD_LIMITS,
): KeyRate {
  const { recordBytes, sharedReaders } = load;
  const rates: readonly KeyRate[] = [
    { boundBy: 'records', recordsPerSec: limits.writeRecordsPerSec },
    { boundBy: 'bytes', recordsPerSec: limits.writeBytesPerSec / recordBytes },
    { boundBy: 'reads', recordsPerSec: limits.readBytesPerSec / sharedReaders / recordBytes },
  ];
  return rates.reduce((least, rate) => (rate.recordsPerSec < least.recordsPerSec ? rate : least));
}
