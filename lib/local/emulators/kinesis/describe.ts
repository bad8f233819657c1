/** Operations that tell of streams. */
import type { JsonInput } from '#local/aws-json';
import { describeShard } from './describe-shard.ts';
import { shardsAfter } from './list-shards.ts';
import { decodeToken, encodeToken } from './next-token.ts';
import { refused } from './refused.ts';
import type { KinesisState } from './state.ts';
import { allStreams, livingShards, streamOf } from './state.ts';
import { encryptionOf, statusOf } from './stream.ts';
import type { Stream } from './stream.ts';

/** @source Kinesis API 2013-12-02, DescribeStream and ListStreams: 100 unless less is asked for. */
const PAGE_MAX = 100;

export function describeStreamSummary(state: KinesisState, input: JsonInput): object {
  const stream = streamOf(state, input);
  return {
    StreamDescriptionSummary: {
      ...descriptionOf(state, stream),
      OpenShardCount: stream.openShards.length,
      ConsumerCount: stream.settings.consumers.length,
      MaxRecordSizeInKiB: stream.recordBytesMax / 1024,
    },
  };
}

export function describeStream(state: KinesisState, input: JsonInput): object {
  const { Limit = PAGE_MAX, ExclusiveStartShardId: start } = input as {
    Limit?: number;
    ExclusiveStartShardId?: string;
  };
  const limit = Math.min(Limit, PAGE_MAX);
  const stream = streamOf(state, input);
  const isCreating = statusOf(stream, state.clock.nowMs()) === 'CREATING';
  const rest = isCreating ? [] : shardsAfter(livingShards(state, stream), start);
  return {
    StreamDescription: {
      ...descriptionOf(state, stream),
      Shards: rest.slice(0, limit).map(describeShard),
      HasMoreShards: rest.length > limit,
    },
  };
}

export function listStreams(state: KinesisState, input: JsonInput): object {
  const {
    Limit: limit = PAGE_MAX,
    NextToken: token,
    ExclusiveStartStreamName,
  } = input as {
    Limit?: number;
    NextToken?: string;
    ExclusiveStartStreamName?: string;
  };
  if (token !== undefined && ExclusiveStartStreamName !== undefined) {
    throw refused('NextToken and ExclusiveStartStreamName cannot be provided together.');
  }
  const start = token === undefined ? ExclusiveStartStreamName : String(decodeToken(state, token));
  const rest = allStreams(state).filter(({ name }) => start === undefined || name > start);
  const page = rest.slice(0, limit);
  const more = rest.length > limit;
  return {
    StreamNames: page.map(({ name }) => name),
    StreamSummaries: page.map((stream) => summaryOf(state, stream)),
    HasMoreStreams: more,
    ...(more ? { NextToken: encodeToken(state, page.at(-1)?.name) } : {}),
  };
}

export function describeLimits(state: KinesisState): object {
  const streams = allStreams(state);
  return {
    ShardLimit: state.limits.accountShardsMax,
    OpenShardCount: streams.reduce((sum, { openShards }) => sum + openShards.length, 0),
    OnDemandStreamCount: streams.filter(({ mode }) => mode === 'ON_DEMAND').length,
    OnDemandStreamCountLimit: state.limits.accountOnDemandStreamsMax,
  };
}

function summaryOf(state: KinesisState, stream: Stream): object {
  return {
    StreamName: stream.name,
    StreamARN: stream.arn,
    StreamStatus: statusOf(stream, state.clock.nowMs()),
    StreamModeDetails: { StreamMode: stream.mode },
    StreamCreationTimestamp: stream.createdMs / 1_000,
  };
}

function descriptionOf(state: KinesisState, stream: Stream): object {
  const { keyId, shardLevelMetrics } = stream.settings;
  return {
    ...summaryOf(state, stream),
    RetentionPeriodHours: stream.retentionHours,
    EnhancedMonitoring: [{ ShardLevelMetrics: shardLevelMetrics }],
    EncryptionType: encryptionOf(stream),
    ...(keyId === undefined ? {} : { KeyId: keyId }),
  };
}
