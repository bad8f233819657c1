/** What every operation of the emulator works on. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import type { Clock, FaultPlan, Storage } from '#local/contracts';
import { invalid, optionalText, refused } from './inputs.ts';
import { secondOf } from './rate-limit.ts';
import type { RecordStore } from './record-store.ts';
import type { Shard, ShardTraffic, Stream, StreamStore } from './stream-store.ts';

export interface KinesisState {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly faults: FaultPlan;
  readonly limits: KinesisLimits;
  readonly streams: StreamStore;
  readonly records: RecordStore;
  readonly accountId: string;
  readonly region: string;
  /** @source Kinesis Developer Guide, "Monitoring with CloudWatch": basic stream-level metrics. */
  readonly measure: (streamName: string, metric: StreamMetric, value: number) => void;
  /** Tells the listeners of a stream that it changed. */
  readonly announce: (streamName: string) => void;
}

export type StreamMetric =
  | 'IncomingBytes'
  | 'IncomingRecords'
  | 'ReadProvisionedThroughputExceeded'
  | 'WriteProvisionedThroughputExceeded';

export interface KinesisLimits {
  readonly requestRecordsMax: number;
  readonly requestBytesMax: number;
  readonly shardWriteRecordsPerSec: number;
  readonly shardWriteBytesPerSec: number;
  readonly shardReadsPerSec: number;
  readonly shardReadBytesPerSec: number;
  readonly readRecordsMax: number;
  readonly readBytesMax: number;
  readonly iteratorTtlMs: number;
}

/** @source Kinesis API 2013-12-02 (botocore 1.43.107) and its quotas page, October 2026. */
export const KINESIS_LIMITS: KinesisLimits = {
  requestRecordsMax: 500,
  requestBytesMax: 10 * 1024 * 1024,
  shardWriteRecordsPerSec: 1_000,
  shardWriteBytesPerSec: 1024 * 1024,
  shardReadsPerSec: 5,
  shardReadBytesPerSec: 2 * 1024 * 1024,
  readRecordsMax: 10_000,
  readBytesMax: 10 * 1024 * 1024,
  iteratorTtlMs: 300_000,
};

const STREAM_NAME = /^[a-zA-Z0-9_.-]{1,128}$/;
const HOUR_MS = 3_600_000;

/** The stream that a request names, by name or by ARN. */
export function streamOf(state: KinesisState, input: JsonInput): Stream {
  const arn = optionalText(input, 'StreamARN');
  const name = optionalText(input, 'StreamName') ?? arn?.split(':stream/')[1];
  if (name === undefined) throw refused('Either StreamName or StreamARN must be given.');
  if (!STREAM_NAME.test(name)) {
    throw invalid('streamName', name, 'satisfy regular expression pattern: [a-zA-Z0-9_.-]+');
  }
  const stream = state.streams.streams.get(name);
  if (stream === undefined || (arn !== undefined && arn !== stream.arn)) {
    throw new ServiceError(
      'ResourceNotFoundException',
      `Stream ${arn ?? name} under account ${state.accountId} not found.`,
    );
  }
  return stream;
}

export function shardOf(state: KinesisState, stream: Stream, shardId: string): Shard {
  if (!/^[a-zA-Z0-9_.-]{1,128}$/.test(shardId)) {
    throw invalid('shardId', shardId, 'satisfy regular expression pattern: [a-zA-Z0-9_.-]+');
  }
  const shard = livingShards(state, stream).find((other) => other.shardId === shardId);
  if (shard !== undefined) return shard;
  throw new ServiceError(
    'ResourceNotFoundException',
    `Shard ${shardId} in stream ${stream.name} under account ${state.accountId} does not exist`,
  );
}

/** Records that arrived before this moment are gone. */
export function horizonMs(state: KinesisState, stream: Stream): number {
  return state.clock.nowMs() - stream.retentionHours * HOUR_MS;
}

/** All shards but those closed so long ago that all their records are gone. */
export function livingShards(state: KinesisState, stream: Stream): readonly Shard[] {
  const horizon = horizonMs(state, stream);
  return stream.shards.filter(({ closedMs }) => closedMs === undefined || closedMs >= horizon);
}

export function trafficOf(state: KinesisState, shard: Shard): ShardTraffic {
  if (shard.traffic === undefined) {
    const nowMs = state.clock.nowMs();
    const { limits } = state;
    shard.traffic = {
      writtenRecords: secondOf(limits.shardWriteRecordsPerSec, nowMs),
      writtenBytes: secondOf(limits.shardWriteBytesPerSec, nowMs),
      reads: secondOf(limits.shardReadsPerSec, nowMs),
      readBytes: secondOf(limits.shardReadBytesPerSec, nowMs),
      shutUntilMs: 0,
    };
  }
  return shard.traffic;
}
