/** Operations that tell of streams and shards. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import { describeShard } from './describe-shard.ts';
import { onlyKnown, optionalCount, optionalText, refused } from './inputs.ts';
import type { KinesisState } from './state.ts';
import { livingShards, streamOf } from './state.ts';
import type { Shard, Stream } from './stream-store.ts';

const STREAM = ['StreamName', 'StreamARN', 'StreamId'];

function summaryOf(stream: Stream): object {
  return {
    StreamName: stream.name,
    StreamARN: stream.arn,
    StreamStatus: 'ACTIVE',
    StreamModeDetails: { StreamMode: stream.mode },
    StreamCreationTimestamp: stream.createdMs / 1_000,
    RetentionPeriodHours: stream.retentionHours,
    EnhancedMonitoring: [{ ShardLevelMetrics: [] }],
    EncryptionType: 'NONE',
  };
}

export function describeStreamSummary(state: KinesisState, input: JsonInput): object {
  onlyKnown(input, STREAM);
  const stream = streamOf(state, input);
  return {
    StreamDescriptionSummary: {
      ...summaryOf(stream),
      OpenShardCount: stream.openShards.length,
      ConsumerCount: 0,
      MaxRecordSizeInKiB: stream.recordBytesMax / 1024,
    },
  };
}

export function describeStream(state: KinesisState, input: JsonInput): object {
  onlyKnown(input, [...STREAM, 'Limit', 'ExclusiveStartShardId']);
  const limit = optionalCount(input, 'Limit', { min: 1, max: 10_000 }) ?? 100;
  const stream = streamOf(state, input);
  const rest = after(livingShards(state, stream), optionalText(input, 'ExclusiveStartShardId'));
  return {
    StreamDescription: {
      ...summaryOf(stream),
      Shards: rest.slice(0, limit).map(describeShard),
      HasMoreShards: rest.length > limit,
    },
  };
}

export function listStreams(state: KinesisState, input: JsonInput): object {
  onlyKnown(input, ['Limit', 'ExclusiveStartStreamName', 'NextToken']);
  const limit = optionalCount(input, 'Limit', { min: 1, max: 10_000 }) ?? 100;
  const start =
    optionalText(input, 'NextToken') ?? optionalText(input, 'ExclusiveStartStreamName') ?? '';
  const rest = [...state.streams.streams.values()]
    .filter(({ name }) => name > start)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const page = rest.slice(0, limit);
  const more = rest.length > limit;
  return {
    StreamNames: page.map(({ name }) => name),
    StreamSummaries: page.map(({ name, arn, mode, createdMs }) => ({
      StreamName: name,
      StreamARN: arn,
      StreamStatus: 'ACTIVE',
      StreamModeDetails: { StreamMode: mode },
      StreamCreationTimestamp: createdMs / 1_000,
    })),
    HasMoreStreams: more,
    ...(more ? { NextToken: page.at(-1)?.name } : {}),
  };
}

export function listShards(state: KinesisState, input: JsonInput): object {
  onlyKnown(input, [
    ...STREAM,
    'NextToken',
    'MaxResults',
    'ExclusiveStartShardId',
    'ShardFilter',
    'StreamCreationTimestamp',
  ]);
  const limit = optionalCount(input, 'MaxResults', { min: 1, max: 10_000 });
  const token = optionalText(input, 'NextToken');
  if (
    token !== undefined &&
    (input['StreamName'] ?? input['ExclusiveStartShardId']) !== undefined
  ) {
    throw refused(
      'NextToken and StreamName (or ExclusiveStartShardId) cannot be provided together.',
    );
  }
  const ask: ShardAsk =
    token === undefined
      ? {
          stream: streamOf(state, input).name,
          start: optionalText(input, 'ExclusiveStartShardId') ?? '',
          filter: input['ShardFilter'] as ShardAsk['filter'],
          limit: limit ?? 1_000,
        }
      : decodeToken(state, token);
  const stream = streamOf(state, { StreamName: ask.stream });
  const rest = after(filterShards(state, stream, ask.filter), ask.start);
  const page = rest.slice(0, limit ?? ask.limit);
  const last = page.at(-1);
  return {
    Shards: page.map(describeShard),
    ...(rest.length > page.length && last !== undefined
      ? { NextToken: encodeToken({ ...ask, start: last.shardId }, state.clock.nowMs()) }
      : {}),
  };
}

interface ShardAsk {
  readonly stream: string;
  readonly start: string;
  readonly limit: number;
  readonly filter:
    | { readonly Type?: string; readonly ShardId?: string; readonly Timestamp?: number }
    | undefined;
}

/** @source Kinesis API 2013-12-02, ShardFilter. */
function filterShards(
  state: KinesisState,
  stream: Stream,
  filter: ShardAsk['filter'],
): readonly Shard[] {
  const shards = livingShards(state, stream);
  const momentMs = (filter?.Timestamp ?? 0) * 1_000;
  const openFrom = (ms: number) => (shard: Shard) =>
    shard.closedMs === undefined || shard.closedMs >= ms;
  switch (filter?.Type) {
    case undefined:
    case 'FROM_TRIM_HORIZON':
      return shards;
    case 'AFTER_SHARD_ID':
      return after(shards, filter?.ShardId);
    case 'AT_LATEST':
      return stream.openShards.toSorted(byId);
    case 'AT_TRIM_HORIZON':
      return shards.filter(({ parentShardIds }) =>
        parentShardIds.every((id) => !shards.some(({ shardId }) => shardId === id)),
      );
    case 'AT_TIMESTAMP':
      return shards.filter(openFrom(momentMs)).filter(({ createdMs }) => createdMs <= momentMs);
    case 'FROM_TIMESTAMP':
      return shards.filter(openFrom(momentMs));
    default:
      throw refused(`ShardFilter type ${filter?.Type} is unknown.`);
  }
}

const TOKEN_TTL_MS = 300_000;

function encodeToken(ask: ShardAsk, nowMs: number): string {
  return Buffer.from(JSON.stringify({ ask, nowMs })).toString('base64');
}

function decodeToken(state: KinesisState, token: string): ShardAsk {
  let content: { ask?: ShardAsk; nowMs?: number };
  try {
    content = JSON.parse(Buffer.from(token, 'base64').toString()) as typeof content;
  } catch {
    throw refused('NextToken is invalid.');
  }
  if (content.ask === undefined) throw refused('NextToken is invalid.');
  if (state.clock.nowMs() - Number(content.nowMs) > TOKEN_TTL_MS) {
    throw new ServiceError('ExpiredNextTokenException', 'NextToken has expired.');
  }
  return content.ask;
}

function after(shards: readonly Shard[], shardId = ''): readonly Shard[] {
  return shards.filter((shard) => shard.shardId > shardId);
}

function byId(a: Shard, b: Shard): number {
  return a.index - b.index;
}
