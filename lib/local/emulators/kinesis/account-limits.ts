/** What an account may have at once: shards, and on-demand streams. */
import { overLimit } from './refused.ts';
import type { KinesisState } from './state.ts';
import { allStreams } from './state.ts';
import type { StreamMode } from './stream.ts';

/** @source Kinesis API 2013-12-02, CreateStream and UpdateShardCount. */
const STREAM_SHARDS_MAX = 10_000;

/** @throws {ServiceError} LimitExceededException, when the account would have too much. */
export function refuseStream(
  state: KinesisState,
  { mode, shardCount }: { readonly mode: StreamMode; readonly shardCount: number },
): void {
  const streams = allStreams(state);
  const { accountOnDemandStreamsMax } = state.limits;
  if (mode === 'ON_DEMAND') {
    const count = streams.filter((other) => other.mode === mode).length;
    if (count < accountOnDemandStreamsMax) return;
    throw overLimit(
      `The account ${state.accountId} has ${count} on-demand streams, which is the limit.`,
    );
  }
  if (shardCount > STREAM_SHARDS_MAX) {
    throw overLimit(`A stream has at most ${STREAM_SHARDS_MAX} shards, not ${shardCount}.`);
  }
  refuseShards(state, shardCount);
}

/** @throws {ServiceError} LimitExceededException, when the account would have too many shards. */
export function refuseShards(state: KinesisState, added: number): void {
  const limit = state.limits.accountShardsMax;
  const count = allStreams(state)
    .filter(({ mode }) => mode === 'PROVISIONED')
    .reduce((sum, { openShards }) => sum + openShards.length, 0);
  if (count + added <= limit) return;
  throw overLimit(
    `This request would exceed the shard limit for the account ${state.accountId} in ${state.region}. ` +
      `Current shard count for the account: ${count}. Limit: ${limit}. Number of additional shards that ` +
      `would have resulted from this request: ${added}.`,
  );
}
