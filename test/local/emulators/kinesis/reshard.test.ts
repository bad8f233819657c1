import {
  DescribeStreamSummaryCommand,
  ListShardsCommand,
  MergeShardsCommand,
  SplitShardCommand,
  UpdateShardCountCommand,
} from '@aws-sdk/client-kinesis';
import type { Shard } from '@aws-sdk/client-kinesis';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestKinesis } from './kinesis-cloud.ts';
import type { TestKinesis } from './kinesis-cloud.ts';

const RING = 2n ** 128n;
const StreamName = 'orders';
let cloud: TestKinesis;
beforeEach(async () => {
  cloud = await openTestKinesis();
});
afterEach(() => cloud.close());

const split = (ShardToSplit: string, NewStartingHashKey: bigint) =>
  cloud.client.send(
    new SplitShardCommand({
      StreamName,
      ShardToSplit,
      NewStartingHashKey: String(NewStartingHashKey),
    }),
  );

const merge = (ShardToMerge: string, AdjacentShardToMerge: string) =>
  cloud.client.send(new MergeShardsCommand({ StreamName, ShardToMerge, AdjacentShardToMerge }));

const scale = (TargetShardCount: number) =>
  cloud.client.send(
    new UpdateShardCountCommand({ StreamName, TargetShardCount, ScalingType: 'UNIFORM_SCALING' }),
  );

async function shards(type?: 'AT_LATEST' | 'AT_TRIM_HORIZON'): Promise<Shard[]> {
  const filter = type === undefined ? {} : { ShardFilter: { Type: type } };
  const { Shards = [] } = await cloud.client.send(new ListShardsCommand({ StreamName, ...filter }));
  return Shards;
}

const range = ({ HashKeyRange }: Shard): [bigint, bigint] => [
  BigInt(HashKeyRange!.StartingHashKey!),
  BigInt(HashKeyRange!.EndingHashKey!),
];

async function openRanges(): Promise<[bigint, bigint][]> {
  const open = (await shards()).filter(
    (shard) => shard.SequenceNumberRange!.EndingSequenceNumber === undefined,
  );
  return open.map(range).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The open ranges follow each other without a gap, from 0 to the end of the ring. */
function coversTheRing(ranges: [bigint, bigint][]): boolean {
  const starts = [...ranges.map(([start]) => start), RING];
  return starts[0] === 0n && ranges.every(([, end], index) => end + 1n === starts[index + 1]);
}

test('a split closes the parent and gives its ring to two children', async () => {
  cloud.kinesis.createStream({ Name: StreamName, ShardCount: 1 });
  await split('shardId-000000000000', 1_000n);
  const [parent, left, right] = await shards();
  expect(parent?.SequenceNumberRange?.EndingSequenceNumber).toMatch(/^49/);
  expect([left, right].map((shard) => [shard!.ParentShardId, ...range(shard!)])).toEqual([
    ['shardId-000000000000', 0n, 999n],
    ['shardId-000000000000', 1_000n, RING - 1n],
  ]);
});

test("a child's first sequence number lies above its parent's last", async () => {
  cloud.kinesis.createStream({ Name: StreamName, ShardCount: 1 });
  await split('shardId-000000000000', 1_000n);
  await split('shardId-000000000002', 2_000n);
  const [grandparent, , parent, child] = (await shards()).map(
    ({ SequenceNumberRange }) => SequenceNumberRange!,
  );
  const above = (one: typeof parent, other: typeof parent) =>
    BigInt(one!.StartingSequenceNumber!) > BigInt(other!.EndingSequenceNumber!);
  expect(above(parent, grandparent)).toBe(true);
  expect(above(child, parent)).toBe(true);
});

test('LOCL-06: a shard that was split is not split again', async () => {
  cloud.kinesis.createStream({ Name: StreamName, ShardCount: 1 });
  await split('shardId-000000000000', 1_000n);
  await expect(split('shardId-000000000000', 2_000n)).rejects.toMatchObject({
    name: 'InvalidArgumentException',
    message: expect.stringContaining('already been merged or split'),
  });
  expect(await shards()).toHaveLength(3);
});

test('a split outside the range of its shard is refused', async () => {
  cloud.kinesis.createStream({ Name: StreamName, ShardCount: 2 });
  for (const middle of [0n, 1n, RING / 2n, RING - 1n]) {
    await expect(split('shardId-000000000000', middle)).rejects.toMatchObject({
      name: 'InvalidArgumentException',
    });
  }
});

test('a merge of neighbours names both parents', async () => {
  cloud.kinesis.createStream({ Name: StreamName, ShardCount: 3 });
  await merge('shardId-000000000001', 'shardId-000000000000');
  const child = (await shards()).at(-1)!;
  expect([child.ParentShardId, child.AdjacentParentShardId]).toEqual([
    'shardId-000000000001',
    'shardId-000000000000',
  ]);
  expect(coversTheRing(await openRanges())).toBe(true);
});

test('shards that do not touch are not merged', async () => {
  cloud.kinesis.createStream({ Name: StreamName, ShardCount: 3 });
  await expect(merge('shardId-000000000000', 'shardId-000000000002')).rejects.toMatchObject({
    name: 'InvalidArgumentException',
  });
});

test('the shard count goes at most to twice and at least to half', async () => {
  cloud.kinesis.createStream({ Name: StreamName, ShardCount: 4 });
  await expect(scale(9)).rejects.toMatchObject({ name: 'InvalidArgumentException' });
  await expect(scale(1)).rejects.toMatchObject({ name: 'InvalidArgumentException' });
  await scale(7);
  const { StreamDescriptionSummary } = await cloud.client.send(
    new DescribeStreamSummaryCommand({ StreamName }),
  );
  expect(StreamDescriptionSummary?.OpenShardCount).toBe(7);
});

test('after any sequence of counts the open shards cover the ring in equal parts', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
      async (counts) => {
        const name = `ring-${run++}`;
        const open = () => cloud.kinesis.listShards(name).filter((shard) => shard.open).length;
        for (const count of counts) {
          cloud.kinesis.createStream({ Name: name, ShardCount: count });
          expect(open()).toBe(count);
        }
        const { Shards = [] } = await cloud.client.send(
          new ListShardsCommand({ StreamName: name, ShardFilter: { Type: 'AT_LATEST' } }),
        );
        const ranges = Shards.map(range).sort(([a], [b]) => (a < b ? -1 : 1));
        expect(coversTheRing(ranges)).toBe(true);
        const widths = ranges.map(([start, end]) => end - start);
        const spread =
          widths.reduce((a, b) => (a > b ? a : b)) - widths.reduce((a, b) => (a < b ? a : b));
        expect(spread <= 12n).toBe(true);
      },
    ),
    { numRuns: 25 },
  );
});

test('shards are listed in pages, and a next token goes without a stream name', async () => {
  cloud.kinesis.createStream({ Name: StreamName, ShardCount: 5 });
  const first = await cloud.client.send(new ListShardsCommand({ StreamName, MaxResults: 2 }));
  const { NextToken } = first;
  expect(first.Shards).toHaveLength(2);
  await expect(
    cloud.client.send(new ListShardsCommand({ StreamName, NextToken })),
  ).rejects.toMatchObject({ name: 'InvalidArgumentException' });
  const second = await cloud.client.send(new ListShardsCommand({ NextToken, MaxResults: 9 }));
  expect(second.Shards?.map(({ ShardId }) => ShardId)).toEqual(
    [2, 3, 4].map((n) => `shardId-00000000000${n}`),
  );
  expect(second.NextToken).toBeUndefined();
  cloud.clock.nowMs += 300_001;
  await expect(cloud.client.send(new ListShardsCommand({ NextToken }))).rejects.toMatchObject({
    name: 'ExpiredNextTokenException',
  });
});

test('filters tell the open shards from those at the trim horizon', async () => {
  cloud.kinesis.createStream({ Name: StreamName, ShardCount: 1 });
  await split('shardId-000000000000', 1_000n);
  expect((await shards('AT_LATEST')).map(({ ShardId }) => ShardId)).toEqual([
    'shardId-000000000001',
    'shardId-000000000002',
  ]);
  expect((await shards('AT_TRIM_HORIZON')).map(({ ShardId }) => ShardId)).toEqual([
    'shardId-000000000000',
  ]);
});

test('a closed shard is gone when the retention has passed', async () => {
  cloud.kinesis.createStream({ Name: StreamName, ShardCount: 1, RetentionPeriodHours: 30 });
  await split('shardId-000000000000', 1_000n);
  cloud.clock.nowMs += 30 * 3_600_000 + 1;
  expect((await shards()).map(({ ShardId }) => ShardId)).toEqual([
    'shardId-000000000001',
    'shardId-000000000002',
  ]);
});
