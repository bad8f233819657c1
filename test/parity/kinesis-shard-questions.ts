/** Questions about the shards of a stream. */
import type { Shard, ShardFilter } from '@aws-sdk/client-kinesis';
import { FIRST } from './kinesis-asker.ts';
import type { KinesisAsker } from './kinesis-asker.ts';
import { taking } from './taking.ts';
import type { ParityQuestion } from './parity.ts';

const MIDDLE = String(2n ** 127n);
const SECOND = 'shardId-000000000001';

const number = ({ ShardId }: Shard) => Number(ShardId?.slice(-12));

/** What becomes of a stream of so many shards: all of its shards, with their parents. */
const changing = (
  id: string,
  asks: string,
  shards: number,
  change: (asker: KinesisAsker, StreamName: string) => Promise<unknown>,
): ParityQuestion<KinesisAsker> => ({
  id,
  asks,
  async ask(asker) {
    const StreamName = await asker.stream(shards);
    await change(asker, StreamName);
    await asker.settled(StreamName);
    const { Shards = [] } = await asker.client.listShards({ StreamName });
    return Shards.map((shard) =>
      [
        number(shard),
        shard.SequenceNumberRange?.EndingSequenceNumber === undefined ? 'open' : 'closed',
        shard.HashKeyRange?.StartingHashKey,
        ...[shard.ParentShardId, shard.AdjacentParentShardId].flatMap((parent) => parent ?? []),
      ].join(' '),
    );
  },
});

/** The shards that a filter leaves of a stream that was split once. */
const filtering = (
  id: string,
  asks: string,
  filter: () => ShardFilter,
): ParityQuestion<KinesisAsker> => ({
  id,
  asks,
  async ask(asker) {
    const StreamName = await asker.stream(1);
    await split(asker, StreamName);
    const { Shards = [] } = await asker.client.listShards({ StreamName, ShardFilter: filter() });
    return Shards.map(number);
  },
});

async function split(
  { client, settled }: KinesisAsker,
  StreamName: string,
  NewStartingHashKey = MIDDLE,
) {
  await client.splitShard({ StreamName, ShardToSplit: FIRST, NewStartingHashKey });
  await settled(StreamName);
}

const merge = (
  { client }: KinesisAsker,
  StreamName: string,
  ShardToMerge: string,
  AdjacentShardToMerge: string,
) => client.mergeShards({ StreamName, ShardToMerge, AdjacentShardToMerge });

const scale = ({ client }: KinesisAsker, StreamName: string, TargetShardCount: number) =>
  client.updateShardCount({ StreamName, TargetShardCount, ScalingType: 'UNIFORM_SCALING' });

export const kinesisShardQuestions: readonly ParityQuestion<KinesisAsker>[] = [
  changing('create-three', 'three shards of a new stream', 3, async () => undefined),
  changing('split', 'a split in the middle', 1, split),
  changing('split-twice', 'a split of a shard that was split before', 1, async (asker, stream) => {
    await split(asker, stream);
    await split(asker, stream, '1000');
  }),
  changing('split-first-key', "a split at the shard's first key", 1, (asker, stream) =>
    split(asker, stream, '0'),
  ),
  changing('split-second-key', "a split at the shard's second key", 1, (asker, stream) =>
    split(asker, stream, '1'),
  ),
  changing('split-last-key', "a split at the shard's last key", 1, (asker, stream) =>
    split(asker, stream, String(2n ** 128n - 1n)),
  ),
  changing('merge', 'a merge of two neighbours', 2, (asker, stream) =>
    merge(asker, stream, FIRST, SECOND),
  ),
  changing('merge-inverted', 'a merge that names the upper shard first', 2, (asker, stream) =>
    merge(asker, stream, SECOND, FIRST),
  ),
  changing('merge-apart', 'a merge of shards that do not touch', 3, (asker, stream) =>
    merge(asker, stream, FIRST, 'shardId-000000000002'),
  ),
  changing('merge-itself', 'a merge of a shard with itself', 2, (asker, stream) =>
    merge(asker, stream, FIRST, FIRST),
  ),
  changing(
    'merge-closed',
    'a merge of a shard that was merged before',
    3,
    async (asker, stream) => {
      await merge(asker, stream, FIRST, SECOND);
      await asker.settled(stream);
      await merge(asker, stream, SECOND, 'shardId-000000000002');
    },
  ),
  ...(
    [
      ['double', 2, 4],
      ['half', 4, 2],
      ['over-double', 2, 5],
      ['under-half', 5, 2],
    ] as const
  ).map(([word, from, to]): ParityQuestion<KinesisAsker> => ({
    id: `scale-${word}`,
    asks: `${from} shards scaled to ${to}`,
    async ask(asker) {
      const StreamName = await asker.stream(from);
      const { CurrentShardCount, TargetShardCount } = await scale(asker, StreamName, to);
      await asker.settled(StreamName);
      const { Shards = [] } = await asker.client.listShards({
        StreamName,
        ShardFilter: { Type: 'AT_LATEST' },
      });
      const ranges = Shards.map(
        ({ HashKeyRange }) => HashKeyRange?.StartingHashKey ?? '',
      ).toSorted();
      return { counts: [CurrentShardCount ?? 0, TargetShardCount ?? 0], ranges };
    },
  })),
  {
    id: 'list-pages',
    asks: 'the shards in pages of two, by the next token alone',
    async ask({ client, stream }) {
      const first = await client.listShards({ StreamName: await stream(5), MaxResults: 2 });
      const second = await client.listShards({ NextToken: first.NextToken });
      return [first, second].map(({ Shards = [] }) => Shards.map(number));
    },
  },
  {
    id: 'list-token-with-stream',
    asks: 'a next token beside the name of the stream',
    async ask({ client, stream }) {
      const StreamName = await stream(3);
      const { NextToken } = await client.listShards({ StreamName, MaxResults: 2 });
      await client.listShards({ StreamName, NextToken });
      return 'taken';
    },
  },
  taking('list-nothing', 'ListShards without stream and token', ({ client }) =>
    client.listShards({}),
  ),
  taking('list-token-garbage', 'ListShards with what is no token', ({ client }) =>
    client.listShards({ NextToken: 'x' }),
  ),
  filtering('filter-latest', 'AT_LATEST after a split', () => ({ Type: 'AT_LATEST' })),
  filtering('filter-at-trim-horizon', 'AT_TRIM_HORIZON after a split', () => ({
    Type: 'AT_TRIM_HORIZON',
  })),
  filtering('filter-from-trim-horizon', 'FROM_TRIM_HORIZON after a split', () => ({
    Type: 'FROM_TRIM_HORIZON',
  })),
  filtering('filter-after-id', 'AFTER_SHARD_ID of the parent', () => ({
    Type: 'AFTER_SHARD_ID',
    ShardId: FIRST,
  })),
  filtering('filter-from-timestamp', 'FROM_TIMESTAMP long before everything', () => ({
    Type: 'FROM_TIMESTAMP',
    Timestamp: new Date(1_000),
  })),
  filtering('filter-no-id', 'AFTER_SHARD_ID without an id', () => ({ Type: 'AFTER_SHARD_ID' })),
  filtering('filter-no-timestamp', 'AT_TIMESTAMP without a time', () => ({ Type: 'AT_TIMESTAMP' })),
];
