import type { Shard } from '@aws-sdk/client-kinesis';
import fc from 'fast-check';
import { afterEach, beforeEach, expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { RING, openTestKinesis, shardId } from './kinesis-cloud.ts';
import type { TestKinesis } from './kinesis-cloud.ts';

const INVALID = { name: 'InvalidArgumentException' };
const OVER_LIMIT = { name: 'LimitExceededException' };
const StreamName = 'orders';
let cloud: TestKinesis;
beforeEach(async () => {
  cloud = await openTestKinesis();
});
afterEach(() => cloud.close());

const create = (ShardCount: number) => cloud.kinesis.createStream({ Name: StreamName, ShardCount });
const split = (index: number, hashKey: bigint) =>
  cloud.client.splitShard({
    StreamName,
    ShardToSplit: shardId(index),
    NewStartingHashKey: String(hashKey),
  });
const merge = (index: number, adjacent: number) =>
  cloud.client.mergeShards({
    StreamName,
    ShardToMerge: shardId(index),
    AdjacentShardToMerge: shardId(adjacent),
  });
const scale = (TargetShardCount: number) =>
  cloud.client.updateShardCount({ StreamName, TargetShardCount, ScalingType: 'UNIFORM_SCALING' });

async function shards(): Promise<Shard[]> {
  return (await cloud.client.listShards({ StreamName })).Shards ?? [];
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

ruleTest('kinesis', 'split', async () => {
  create(1);
  await split(0, 1_000n);
  const [parent, left, right] = await shards();
  expect(parent?.SequenceNumberRange?.EndingSequenceNumber).toMatch(/^49/);
  expect([left, right].map((shard) => [shard!.ParentShardId, ...range(shard!)])).toEqual([
    [shardId(0), 0n, 999n],
    [shardId(0), 1_000n, RING - 1n],
  ]);
});

ruleTest('kinesis', 'child-numbers', async () => {
  create(1);
  await split(0, 1_000n);
  await split(2, 2_000n);
  const [grandparent, , parent, child] = (await shards()).map(
    ({ SequenceNumberRange }) => SequenceNumberRange!,
  );
  const above = (one: typeof parent, other: typeof parent) =>
    BigInt(one!.StartingSequenceNumber!) > BigInt(other!.EndingSequenceNumber!);
  expect(above(parent, grandparent)).toBe(true);
  expect(above(child, parent)).toBe(true);
});

ruleTest('kinesis', 'split-once', async () => {
  create(1);
  await split(0, 1_000n);
  await expect(split(0, 2_000n)).rejects.toMatchObject({
    ...INVALID,
    message: expect.stringContaining('already been merged or split'),
  });
  expect(await shards()).toHaveLength(3);
});

ruleTest('kinesis', 'split-bounds', async () => {
  create(2);
  const half = RING / 2n;
  for (const middle of [0n, 1n, half - 1n, half, RING - 1n]) {
    await expect(split(0, middle)).rejects.toMatchObject(INVALID);
  }
  await expect(split(0, -1n)).rejects.toMatchObject({ name: 'ValidationException' });
  await expect(split(7, 2n)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  await split(0, 2n);
  await split(1, RING - 2n);
  expect(coversTheRing(await openRanges())).toBe(true);
});

ruleTest('kinesis', 'merge', async () => {
  create(3);
  await merge(0, 1);
  const [one, other, , child] = await shards();
  expect([child?.ParentShardId, child?.AdjacentParentShardId]).toEqual([shardId(0), shardId(1)]);
  for (const parent of [one, other]) {
    expect(parent?.SequenceNumberRange?.EndingSequenceNumber).toMatch(/^49/);
  }
  expect(coversTheRing(await openRanges())).toBe(true);
});

ruleTest('kinesis', 'merge-adjacent', async () => {
  create(4);
  await expect(merge(0, 2)).rejects.toMatchObject(INVALID);
  await expect(merge(0, 0)).rejects.toMatchObject(INVALID);
  await merge(0, 1);
  await expect(merge(1, 2)).rejects.toMatchObject(INVALID);
  expect(await shards()).toHaveLength(5);
});

ruleTest('kinesis', 'merge-order', async () => {
  create(2);
  await expect(merge(1, 0)).rejects.toMatchObject(INVALID);
  await merge(0, 1);
});

ruleTest('kinesis', 'scale-bounds', async () => {
  create(5);
  await expect(scale(11)).rejects.toMatchObject({
    ...OVER_LIMIT,
    message: expect.stringContaining('double your current open shard count'),
  });
  await expect(scale(2)).rejects.toMatchObject(OVER_LIMIT);
  expect(await scale(10)).toMatchObject({ CurrentShardCount: 5, TargetShardCount: 10 });
  await scale(5);
  await scale(3);
  expect(await openRanges()).toHaveLength(3);
});

ruleTest('kinesis', 'scale-daily', async () => {
  create(2);
  for (let turn = 0; turn < 10; turn++) await scale(2 + (turn % 2));
  cloud.clock.nowMs += 86_399_999;
  await expect(scale(3)).rejects.toMatchObject(OVER_LIMIT);
  cloud.clock.nowMs += 1;
  await scale(3);
});

ruleTest('kinesis', 'scale-max', async () => {
  const { client } = cloud;
  await expect(
    client.createStream({ StreamName: 'wide', ShardCount: 10_001 }),
  ).rejects.toMatchObject(OVER_LIMIT);
  await client.createStream({ StreamName, ShardCount: 10_000 });
  await expect(scale(10_001)).rejects.toMatchObject(OVER_LIMIT);
});

ruleTest('kinesis', 'account-shards', async () => {
  const small = await openTestKinesis({ limits: { accountShardsMax: 5 } });
  const { client } = small;
  await client.createStream({ StreamName, ShardCount: 4 });
  await expect(client.createStream({ StreamName: 'two', ShardCount: 2 })).rejects.toMatchObject({
    ...OVER_LIMIT,
    message: expect.stringContaining('Current shard count for the account: 4. Limit: 5.'),
  });
  const middle = { ShardToSplit: '0', NewStartingHashKey: '1000' };
  await client.splitShard({ StreamName, ...middle });
  await expect(
    client.updateShardCount({ StreamName, TargetShardCount: 6, ScalingType: 'UNIFORM_SCALING' }),
  ).rejects.toMatchObject(OVER_LIMIT);
  await small.close();
});

ruleTest('kinesis', 'on-demand-reshard', async () => {
  cloud.kinesis.createStream({ Name: StreamName, StreamModeDetails: { StreamMode: 'ON_DEMAND' } });
  for (const call of [split(0, 1_000n), merge(0, 1), scale(5)]) {
    await expect(call).rejects.toMatchObject({ name: 'ValidationException' });
  }
});

/** Raise it for a longer look. */
const RUNS = Number(process.env['KINESIS_RESHARD_RUNS'] ?? 15);

ruleTest('kinesis', 'scale', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
      async (counts) => {
        const Name = `ring-${run++}`;
        for (const ShardCount of counts) {
          cloud.kinesis.createStream({ Name, ShardCount });
          expect(cloud.kinesis.listShards(Name).filter(({ open }) => open)).toHaveLength(
            ShardCount,
          );
        }
        const { Shards = [] } = await cloud.client.listShards({
          StreamName: Name,
          ShardFilter: { Type: 'AT_LATEST' },
        });
        const ranges = Shards.map(range).sort(([a], [b]) => (a < b ? -1 : 1));
        expect(coversTheRing(ranges)).toBe(true);
        const widths = ranges.map(([start, end]) => end - start).sort((a, b) => (a < b ? -1 : 1));
        expect(widths.at(-1)! - widths[0]! <= 12n).toBe(true);
      },
    ),
    { numRuns: RUNS },
  );
});
