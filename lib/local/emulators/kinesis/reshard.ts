/** Splits and merges; a change of the shard count is made of them, as on AWS. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import { inTransaction } from '#local/storage';
import { uniformRanges } from './hash-ring.ts';
import type { HashKeyRange } from './hash-ring.ts';
import {
  invalid,
  onlyKnown,
  optionalText,
  refused,
  requiredCount,
  requiredText,
} from './inputs.ts';
import type { KinesisState } from './state.ts';
import { shardOf, streamOf } from './state.ts';
import type { Shard, Stream } from './stream-store.ts';

const SHARDS_MAX = 10_000;

export function splitShard(state: KinesisState, input: JsonInput): object {
  onlyKnown(input, ['StreamName', 'StreamARN', 'StreamId', 'ShardToSplit', 'NewStartingHashKey']);
  const hashKey = requiredText(input, 'NewStartingHashKey');
  if (!/^(0|[1-9]\d{0,38})$/.test(hashKey)) {
    throw invalid(
      'newStartingHashKey',
      hashKey,
      'satisfy regular expression pattern: 0|([1-9]\\d{0,38})',
    );
  }
  const stream = streamOf(state, input);
  refuseOnDemand(stream, 'SplitShard');
  const shard = openShardOf(state, stream, requiredText(input, 'ShardToSplit'));
  const middle = BigInt(hashKey);
  if (middle <= shard.startHashKey + 1n || middle >= shard.endHashKey) {
    throw refused(
      `NewStartingHashKey ${hashKey} used in SplitShard() on shard ${shard.shardId} in stream ${stream.name} ` +
        `is not both greater than one plus the shard's StartingHashKey ${shard.startHashKey} and less ` +
        `than the shard's EndingHashKey ${shard.endHashKey}.`,
    );
  }
  inTransaction(state.storage, () => split(state, stream, shard, middle));
  state.announce(stream.name);
  return {};
}

export function mergeShards(state: KinesisState, input: JsonInput): object {
  onlyKnown(input, ['StreamName', 'StreamARN', 'StreamId', 'ShardToMerge', 'AdjacentShardToMerge']);
  const stream = streamOf(state, input);
  refuseOnDemand(stream, 'MergeShards');
  const shard = openShardOf(state, stream, requiredText(input, 'ShardToMerge'));
  const adjacent = openShardOf(state, stream, requiredText(input, 'AdjacentShardToMerge'));
  const touching =
    shard.endHashKey + 1n === adjacent.startHashKey ||
    adjacent.endHashKey + 1n === shard.startHashKey;
  if (!touching) {
    throw refused(
      `Shards ${shard.shardId} and ${adjacent.shardId} in stream ${stream.name} are not an adjacent pair ` +
        'of shards eligible for merging.',
    );
  }
  inTransaction(state.storage, () => merge(state, stream, shard, adjacent));
  state.announce(stream.name);
  return {};
}

export function updateShardCount(state: KinesisState, input: JsonInput): object {
  onlyKnown(input, ['StreamName', 'StreamARN', 'StreamId', 'TargetShardCount', 'ScalingType']);
  const target = requiredCount(input, 'TargetShardCount', { min: 1, max: 1_000_000 });
  if (optionalText(input, 'ScalingType') !== 'UNIFORM_SCALING') {
    throw invalid('scalingType', input['ScalingType'], 'satisfy enum value set: [UNIFORM_SCALING]');
  }
  const stream = streamOf(state, input);
  refuseOnDemand(stream, 'UpdateShardCount');
  const current = stream.openShards.length;
  if (target > Math.min(2 * current, SHARDS_MAX) || target < Math.ceil(current / 2)) {
    throw new ServiceError(
      target > SHARDS_MAX ? 'LimitExceededException' : 'InvalidArgumentException',
      `UpdateShardCount goes at most to twice and at least to half of the ${current} open shards, and to ` +
        `${SHARDS_MAX} shards: not to ${target}.`,
    );
  }
  scaleUniformly(state, stream, target);
  return {
    StreamName: stream.name,
    StreamARN: stream.arn,
    CurrentShardCount: current,
    TargetShardCount: target,
  };
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
  for (const range of ranges) {
    const index = stream.nextShardIndex;
    state.streams.addShard(stream, { ...range, index, bornSec, parentShardIds, createdMs: nowMs });
  }
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
