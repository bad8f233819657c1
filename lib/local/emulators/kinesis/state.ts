/** What every operation of the emulator works on. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import type { Clock, FaultPlan, NewId, Storage } from '#local/contracts';
import type { CallRates } from './call-rates.ts';
import { refused } from './refused.ts';
import { secondOf } from './rate-limit.ts';
import type { RecordStore } from './record-store.ts';
import { statusOf } from './stream.ts';
import type { Shard, ShardTraffic, Stream, StreamStatus } from './stream.ts';
import type { StreamStore } from './stream-store.ts';

export interface KinesisState {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly faults: FaultPlan;
  readonly limits: KinesisLimits;
  readonly streams: StreamStore;
  readonly records: RecordStore;
  readonly calls: CallRates;
  readonly newId: NewId;
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
  readonly requestBytesMax: number;
  readonly shardWriteRecordsPerSec: number;
  readonly shardWriteBytesPerSec: number;
  readonly shardReadsPerSec: number;
  readonly shardReadBytesPerSec: number;
  readonly shardIteratorsPerSec: number;
  readonly readRecordsMax: number;
  readonly readBytesMax: number;
  readonly iteratorTtlMs: number;
  readonly tokenTtlMs: number;
  /** Of all streams of the account together. */
  readonly accountShardsMax: number;
  readonly accountOnDemandStreamsMax: number;
  readonly streamConsumersMax: number;
  /** How long a stream, or a consumer, shows that it is being created, changed or deleted. */
  readonly settleMs: number;
  /** How many times AWS's rate control operations may be called. */
  readonly callRateFactor: number;
}

/** @source Kinesis API 2013-12-02 (botocore 1.44.8) and its quotas page, October 2026. */
export const KINESIS_LIMITS: KinesisLimits = {
  requestBytesMax: 10 * 1024 * 1024,
  shardWriteRecordsPerSec: 1_000,
  shardWriteBytesPerSec: 1024 * 1024,
  shardReadsPerSec: 5,
  shardReadBytesPerSec: 2 * 1024 * 1024,
  shardIteratorsPerSec: 5,
  readRecordsMax: 10_000,
  readBytesMax: 10 * 1024 * 1024,
  iteratorTtlMs: 300_000,
  tokenTtlMs: 300_000,
  accountShardsMax: 20_000,
  accountOnDemandStreamsMax: 50,
  streamConsumersMax: 20,
  settleMs: 500,
  callRateFactor: 1,
};

const HOUR_MS = 3_600_000;

/** All streams, by name; those that were deleted are among them until that has shown long enough. */
export function allStreams(state: KinesisState): readonly Stream[] {
  return [...state.streams.streams.keys()].sort().flatMap((name) => findStream(state, name) ?? []);
}

export function findStream(state: KinesisState, name: string): Stream | undefined {
  const stream = state.streams.streams.get(name);
  if (stream?.change?.status !== 'DELETING') return stream;
  if (state.clock.nowMs() < stream.change.untilMs) return stream;
  state.streams.forgetStream(stream);
  return undefined;
}

/** The stream that a request names, by name, by ARN, or by both. */
export function streamOf(state: KinesisState, input: JsonInput): Stream {
  const { StreamARN: arn, StreamName } = input as { StreamARN?: string; StreamName?: string };
  const ofArn = arn?.split(':stream/')[1];
  const name = StreamName ?? ofArn;
  if (name === undefined) throw refused('Either StreamName or StreamARN should be provided.');
  if (StreamName !== undefined && ofArn !== undefined && StreamName !== ofArn) {
    throw refused(`StreamARN ${arn} is not of the stream that StreamName names: ${StreamName}.`);
  }
  const stream = findStream(state, name);
  if (stream === undefined || (arn !== undefined && arn !== stream.arn)) {
    throw streamNotFound(state, arn ?? name);
  }
  return stream;
}

export function streamNotFound({ accountId }: KinesisState, name: string): ServiceError {
  return new ServiceError(
    'ResourceNotFoundException',
    `Stream ${name} under account ${accountId} not found.`,
  );
}

/** A stream that is not on its way in or out: only then are there records. */
export function readyStreamOf(state: KinesisState, input: JsonInput): Stream {
  const stream = streamOf(state, input);
  const status = statusOf(stream, state.clock.nowMs());
  if (status === 'ACTIVE' || status === 'UPDATING') return stream;
  throw streamNotFound(state, stream.name);
}

/** A stream that nothing else is being done to. */
export function activeStreamOf(state: KinesisState, input: JsonInput): Stream {
  const stream = streamOf(state, input);
  const status = statusOf(stream, state.clock.nowMs());
  if (status === 'ACTIVE') return stream;
  throw inUse(
    `Stream ${stream.name} under account ${state.accountId} not ACTIVE, instead in state ${status}`,
  );
}

export function inUse(message: string): ServiceError {
  return new ServiceError('ResourceInUseException', message);
}

/** Show that something was begun; it is done already. */
export function beginChange(state: KinesisState, stream: Stream, status: StreamStatus): void {
  const { settleMs } = state.limits;
  stream.change = { status, untilMs: state.clock.nowMs() + settleMs };
}

/** A shard by its id, or by the number in it. */
export function shardOf(state: KinesisState, stream: Stream, asked: string): Shard {
  const [, digits] = /^(?:[^-]*-)?(\d+)$/.exec(asked) ?? [];
  const index = Number(digits);
  const place = `${asked} in stream ${stream.name} under account ${state.accountId}`;
  if (!(index <= SHARD_INDEX_MAX)) {
    throw new ServiceError('ResourceNotFoundException', `Could not find shard ${place}.`);
  }
  const shard = livingShards(state, stream).find((other) => other.index === index);
  if (shard !== undefined) return shard;
  throw new ServiceError('ResourceNotFoundException', `Shard ${place} does not exist`);
}

const SHARD_INDEX_MAX = 2 ** 31 - 1;

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
      iterators: secondOf(limits.shardIteratorsPerSec, nowMs),
      shutUntilMs: 0,
    };
  }
  return shard.traffic;
}
