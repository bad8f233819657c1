/** Splits and merges; a change of the shard count is made of them, as on AWS. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import { inTransaction } from '#local/storage';
import { refuseShards } from './account-limits.ts';
import { uniformRanges } from './hash-ring.ts';
import type { HashKeyRange } from './hash-ring.ts';
import { overLimit, refused } from './refused.ts';
import type { KinesisState } from './state.ts';
import { activeStreamOf, beginChange, shardOf } from './state.ts';
import type { Shard, Stream } from './stream.ts';

/** @source Kinesis API 2013-12-02, UpdateShardCount. */
const SHARDS_MAX = 10_000;
const SCALINGS_A_DAY = 10;
const DAY_MS = 86_400_000;

export function splitShard(state: KinesisState, input: JsonInput): object {
  const stream = activeStreamOf(state, input);
  refuseOnDemand(stream, 'SplitShard');
  const shard = openShardOf(state, stream, String(input['ShardToSplit']));
  refuseShards(state, 1);
  const middle = BigInt(String(input['NewStartingHashKey']));
  if (middle <= shard.startHashKey + 1n || middle >= shard.endHashKey) {
    throw refused(
      `NewStartingHashKey ${middle} used in SplitShard() on shard ${shard.shardId} in stream ${stream.name} ` +
        `under account ${state.accountId} is not both greater than one plus the shard's StartingHashKey ` +
        `${shard.startHashKey} and less than the shard's EndingHashKey ${shard.endHashKey}.`,
    );
  }
  inTransaction(state.storage, () => split(state, stream, shard, middle));
  return settle(state, stream);
}

/** The lower shard is named first. */
export function mergeShards(state: KinesisState, input: JsonInput): object {
  const stream = activeStreamOf(state, input);
  refuseOnDemand(stream, 'MergeShards');
  const shard = openShardOf(state, stream, String(input['ShardToMerge']));
  const adjacent = openShardOf(state, stream, String(input['AdjacentShardToMerge']));
  if (shard.endHashKey + 1n !== adjacent.startHashKey) {
    throw refused(
      `Shards ${shard.shardId} and ${adjacent.shardId} in stream ${stream.name} under account ` +
        `${state.accountId} are not an adjacent pair of shards eligible for merging`,
    );
  }
  inTransaction(state.storage, () => merge(state, stream, shard, adjacent));
  return settle(state, stream);
}

export function updateShardCount(state: KinesisState, input: JsonInput): object {
  const target = Number(input['TargetShardCount']);
  const stream = activeStreamOf(state, input);
  refuseOnDemand(stream, 'UpdateShardCount');
  const current = stream.openShards.length;
  refuseScaling(current, target);
  refuseShards(state, target - current);
  const nowMs = state.clock.nowMs();
  const recent = stream.settings.scaledMs.filter((ms) => ms > nowMs - DAY_MS);
  if (recent.length >= SCALINGS_A_DAY) {
    throw overLimit(
      `UpdateShardCount was called ${recent.length} times for stream ${stream.name} in 24 hours.`,
    );
  }
  stream.settings.scaledMs = [...recent, nowMs];
  state.streams.saveStream(stream);
  scaleUniformly(state, stream, target);
  beginChange(state, stream, 'UPDATING');
  return {
    StreamName: stream.name,
    StreamARN: stream.arn,
    CurrentShardCount: current,
    TargetShardCount: target,
  };
}

function refuseScaling(current: number, target: number): void {
  const counts = `Current open shard count: ${current} Target shard count: ${target}`;
  if (target > SHARDS_MAX) {
    throw overLimit(`UpdateShardCount cannot scale over ${SHARDS_MAX} shards. ${counts}`);
  }
  if (target > 2 * current) {
    throw overLimit(
      `UpdateShardCount cannot scale up over double your current open shard count. ${counts}`,
    );
  }
  if (target < current / 2) {
    throw overLimit(
      `UpdateShardCount cannot scale down below half your current open shard count. ${counts}`,
    );
  }
}

function settle(state: KinesisState, stream: Stream): object {
  beginChange(state, stream, 'UPDATING');
  state.announce(stream.name);
  return {};
}

/** Split at every new boundary, then merge what lies within one new range. */
export function scaleUniformly(state: KinesisState, stream: Stream, target: number): void {
  const ranges = uniformRanges(target);
  inTransaction(state.storage, () => {
    for (const { startHashKey } of ranges) {
      const cut = stream.openShards.find(
        (shard) => startHashKey > shard.startHashKey && startHashKey <= shard.endHashKey,
      );
      if (cut !== undefined) split(state, stream, cut, startHashKey);
    }
    for (const range of ranges) mergeWithin(state, stream, range);
  });
  state.announce(stream.name);
}

function mergeWithin(state: KinesisState, stream: Stream, range: HashKeyRange): void {
  for (;;) {
    const [left, right] = stream.openShards.filter(
      ({ startHashKey, endHashKey }) =>
        startHashKey >= range.startHashKey && endHashKey <= range.endHashKey,
    );
    if (left === undefined || right === undefined) return;
    merge(state, stream, left, right);
  }
}

function split(state: KinesisState, stream: Stream, parent: Shard, middle: bigint): void {
  const { startHashKey, endHashKey } = parent;
  replace(
    state,
    stream,
    [parent],
    [
      { startHashKey, endHashKey: middle - 1n },
      { startHashKey: middle, endHashKey },
    ],
  );
}

function merge(state: KinesisState, stream: Stream, one: Shard, other: Shard): void {
  const [low, high] = one.startHashKey < other.startHashKey ? [one, other] : [other, one];
  replace(
    state,
    stream,
    [one, other],
    [{ startHashKey: low.startHashKey, endHashKey: high.endHashKey }],
  );
}

/** Children are born in a later second than their parents, so that their numbers are greater. */
function replace(
  state: KinesisState,
  stream: Stream,
  parents: readonly Shard[],
  ranges: readonly HashKeyRange[],
): void {
  const nowMs = state.clock.nowMs();
  const bornSec = Math.max(
    Math.floor(nowMs / 1_000),
    ...parents.map((parent) => parent.bornSec + 1),
  );
  const parentShardIds = parents.map(({ shardId }) => shardId);
  for (const parent of parents) state.streams.closeShard(stream, parent, nowMs);
  const first = stream.nextShardIndex;
  state.streams.addShards(
    stream,
    ranges.map((range, at) => ({
      ...range,
      index: first + at,
      bornSec,
      parentShardIds,
      createdMs: nowMs,
    })),
  );
}

function openShardOf(state: KinesisState, stream: Stream, shardId: string): Shard {
  const shard = shardOf(state, stream, shardId);
  if (shard.closedMs === undefined) return shard;
  throw refused(
    `Shard ${shardId} in stream ${stream.name} under account ${state.accountId} has already been merged or ` +
      'split, and thus is not eligible for merging or splitting.',
  );
}

function refuseOnDemand(stream: Stream, operation: string): void {
  if (stream.mode === 'PROVISIONED') return;
  throw new ServiceError(
    'ValidationException',
    `Request is invalid. ${operation} is not allowed on the on-demand stream ${stream.name}.`,
  );
}
