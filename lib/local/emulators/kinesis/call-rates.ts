/** How often a control operation may be called: beyond that the caller is told to slow down. */
import { ServiceError } from '#local/aws-json';
import type { OperationName } from './operation-inputs.ts';
import { holds, refill, secondOf } from './rate-limit.ts';
import type { Bucket } from './rate-limit.ts';

interface CallRate {
  readonly perSec: number;
  /** Of all streams together, or of each. */
  readonly per: 'account' | 'stream';
}

/** @source Kinesis API 2013-12-02, each operation; Developer Guide, "Quotas and limits". */
const CALL_RATES: Readonly<Partial<Record<OperationName, CallRate>>> = {
  AddTagsToStream: { perSec: 5, per: 'account' },
  CreateStream: { perSec: 5, per: 'account' },
  DecreaseStreamRetentionPeriod: { perSec: 5, per: 'stream' },
  DeleteStream: { perSec: 5, per: 'account' },
  DeregisterStreamConsumer: { perSec: 5, per: 'stream' },
  DescribeLimits: { perSec: 1, per: 'account' },
  DescribeStream: { perSec: 10, per: 'account' },
  DescribeStreamConsumer: { perSec: 20, per: 'stream' },
  DescribeStreamSummary: { perSec: 20, per: 'account' },
  DisableEnhancedMonitoring: { perSec: 5, per: 'stream' },
  EnableEnhancedMonitoring: { perSec: 5, per: 'stream' },
  IncreaseStreamRetentionPeriod: { perSec: 5, per: 'stream' },
  ListShards: { perSec: 1_000, per: 'stream' },
  ListStreamConsumers: { perSec: 5, per: 'stream' },
  ListStreams: { perSec: 5, per: 'account' },
  ListTagsForStream: { perSec: 5, per: 'account' },
  MergeShards: { perSec: 5, per: 'account' },
  RegisterStreamConsumer: { perSec: 5, per: 'account' },
  RemoveTagsFromStream: { perSec: 5, per: 'account' },
  SplitShard: { perSec: 5, per: 'account' },
  UpdateShardCount: { perSec: 10, per: 'account' },
};

export interface CallRates {
  /** @throws {ServiceError} LimitExceededException, when it comes too soon after the others. */
  take(operation: OperationName, stream: string, nowMs: number): void;
}

/** `factor` times as many calls as AWS lets through. */
export function callRates(factor: number): CallRates {
  const buckets = new Map<string, Bucket>();
  return {
    take(operation, stream, nowMs) {
      const rate = CALL_RATES[operation];
      if (rate === undefined) return;
      const whose = rate.per === 'account' ? operation : `${operation}/${stream}`;
      let bucket = buckets.get(whose);
      if (bucket === undefined) {
        bucket = secondOf(rate.perSec * factor, nowMs);
        buckets.set(whose, bucket);
      }
      refill(bucket, nowMs);
      if (!holds(bucket, 1)) {
        throw new ServiceError('LimitExceededException', `Rate exceeded for ${operation}.`);
      }
      bucket.level -= 1;
    },
  };
}
