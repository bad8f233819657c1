/** ListShards: which shards, in pages. */
import type { JsonInput } from '#local/aws-json';
import { describeShard } from './describe-shard.ts';
import { decodeToken, encodeToken } from './next-token.ts';
import { refused } from './refused.ts';
import type { KinesisState } from './state.ts';
import { findStream, inUse, livingShards, streamNotFound, streamOf } from './state.ts';
import { statusOf } from './stream.ts';
import type { Shard, Stream } from './stream.ts';

/** @source Kinesis API 2013-12-02, ListShards: more may be asked for, and are not given. */
const PAGE_MAX = 1_000;

interface ShardFilter {
  readonly Type: string;
  readonly ShardId?: string;
  /** In seconds. */
  readonly Timestamp?: number;
}

/** What a token stands for: the first request, and where it got to. */
interface Ask {
  readonly name: string;
  readonly streamId: number;
  readonly after: string | undefined;
  readonly filter: ShardFilter | undefined;
}

export function listShards(state: KinesisState, input: JsonInput): object {
  const { MaxResults, NextToken: token } = input as { MaxResults?: number; NextToken?: string };
  if (token !== undefined) refuseWithToken(input);
  const ask = token === undefined ? firstAsk(state, input) : (decodeToken(state, token) as Ask);
  const stream = findStream(state, ask.name);
  if (stream?.id !== ask.streamId) throw streamNotFound(state, ask.name);
  refuseUnready(state, stream);
  const rest = shardsAfter(filterShards(state, stream, ask.filter), ask.after);
  const page = rest.slice(0, Math.min(MaxResults ?? PAGE_MAX, PAGE_MAX));
  const last = page.at(-1);
  return {
    Shards: page.map(describeShard),
    ...(rest.length > page.length && last !== undefined
      ? { NextToken: encodeToken(state, { ...ask, after: last.shardId }) }
      : {}),
  };
}

/** Those that follow the named one. */
export function shardsAfter(
  shards: readonly Shard[],
  shardId: string | undefined,
): readonly Shard[] {
  return shardId === undefined ? shards : shards.filter((shard) => shard.shardId > shardId);
}

/** The token says which stream, and from where. */
function refuseWithToken(input: JsonInput): void {
  const members = [
    'StreamName',
    'StreamARN',
    'ExclusiveStartShardId',
    'StreamCreationTimestamp',
    'ShardFilter',
  ];
  for (const member of members) {
    if (input[member] === undefined || input[member] === null) continue;
    throw refused(`NextToken and ${member} cannot be provided together.`);
  }
}

function firstAsk(state: KinesisState, input: JsonInput): Ask {
  if (input['StreamName'] === undefined && input['StreamARN'] === undefined) {
    throw refused('Either NextToken or StreamName should be provided.');
  }
  const { ExclusiveStartShardId, ShardFilter, StreamCreationTimestamp } = input as {
    ExclusiveStartShardId?: string;
    ShardFilter?: ShardFilter;
    StreamCreationTimestamp?: number;
  };
  const { name, id, createdMs } = streamOf(state, input);
  const isOther =
    StreamCreationTimestamp !== undefined &&
    Math.floor(StreamCreationTimestamp) !== Math.floor(createdMs / 1_000);
  if (isOther) throw streamNotFound(state, `${name} created at ${StreamCreationTimestamp}`);
  if (ShardFilter !== undefined) checkFilter(ShardFilter);
  return {
    name,
    streamId: id,
    after: ExclusiveStartShardId,
    filter: ShardFilter,
  };
}

function refuseUnready(state: KinesisState, stream: Stream): void {
  const status = statusOf(stream, state.clock.nowMs());
  if (status === 'ACTIVE' || status === 'UPDATING') return;
  throw inUse(`Stream ${stream.name} under account ${state.accountId} is in state ${status}`);
}

/** @source Kinesis API 2013-12-02, ShardFilter: each type has its own second member, or none. */
function checkFilter({ Type, ShardId, Timestamp }: ShardFilter): void {
  const takesId = Type === 'AFTER_SHARD_ID';
  const takesTime = Type === 'AT_TIMESTAMP' || Type === 'FROM_TIMESTAMP';
  if (takesId !== (ShardId !== undefined)) {
    throw refused(
      `ShardId goes with a ShardFilter of type AFTER_SHARD_ID, not with ${Type} alone.`,
    );
  }
  if (takesTime !== (Timestamp !== undefined)) {
    throw refused(
      `Timestamp goes with a ShardFilter of type AT_TIMESTAMP or FROM_TIMESTAMP, not with ${Type} alone.`,
    );
  }
}

function filterShards(
  state: KinesisState,
  stream: Stream,
  filter: ShardFilter | undefined,
): readonly Shard[] {
  const shards = livingShards(state, stream);
  const momentMs = (filter?.Timestamp ?? 0) * 1_000;
  const openFrom = ({ closedMs }: Shard) => closedMs === undefined || closedMs >= momentMs;
  switch (filter?.Type) {
    case 'AFTER_SHARD_ID':
      return shardsAfter(shards, filter.ShardId);
    case 'AT_LATEST':
      return shards.filter(({ closedMs }) => closedMs === undefined);
    case 'AT_TRIM_HORIZON': {
      const living = new Set(shards.map(({ shardId }) => shardId));
      return shards.filter(({ parentShardIds }) => !parentShardIds.some((id) => living.has(id)));
    }
    case 'AT_TIMESTAMP':
      return shards.filter((shard) => openFrom(shard) && shard.createdMs <= momentMs);
    case 'FROM_TIMESTAMP':
      return shards.filter(openFrom);
    default:
      return shards;
  }
}
