import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FaultPlan } from '#local/contracts';
import { ruleTest } from '#test/local/rules/rule-test';
import { openTestKinesis, shardId, text } from './kinesis-cloud.ts';
import type { TestKinesis } from './kinesis-cloud.ts';
import { shardReader } from './shard-reader.ts';

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;
const THROTTLED = { name: 'ProvisionedThroughputExceededException' };
const FIRST = shardId(0);
let cloud: TestKinesis;
let faults: FaultPlan = {};
const { put, iterator, get, words, split } = shardReader(() => cloud);

beforeEach(async () => {
  faults = {};
  cloud = await openTestKinesis({ faults: { onRead: (...shard) => faults.onRead?.(...shard) } });
  cloud.kinesis.createStream({ Name: 'orders', ShardCount: 1, MaxRecordSizeInKiB: 10_240 });
});
afterEach(() => cloud.close());

/** Puts records of so many bytes each, each when its shard lets it. */
async function putSizes(...sizes: readonly number[]): Promise<void> {
  for (const size of sizes) {
    cloud.clock.nowMs += 11_000;
    await put(new Uint8Array(size));
  }
}

ruleTest('kinesis', 'read-order', async () => {
  const numbers = [await put('one'), await put('two')];
  const { Records = [] } = await get(await iterator('TRIM_HORIZON'));
  expect(Records).toEqual(
    ['one', 'two'].map((word, index) => ({
      SequenceNumber: numbers[index],
      PartitionKey: 'a',
      Data: expect.toSatisfy((data: Uint8Array) => text(data) === word),
      ApproximateArrivalTimestamp: new Date(cloud.clock.nowMs),
      EncryptionType: 'NONE',
    })),
  );
});

ruleTest('kinesis', 'read-records-max', async () => {
  for (let turn = 0; turn < 21; turn++) {
    cloud.clock.nowMs += 1_000;
    const Records = Array.from({ length: 500 }, () => ({
      PartitionKey: 'a',
      Data: new Uint8Array(),
    }));
    await cloud.client.putRecords({ StreamName: 'orders', Records });
  }
  const start = await iterator('TRIM_HORIZON');
  const { Records = [], NextShardIterator = '' } = await get(start);
  expect(Records).toHaveLength(10_000);
  expect((await get(NextShardIterator)).Records).toHaveLength(500);
  expect((await get(start, 3)).Records).toHaveLength(3);
  for (const limit of [0, 10_001]) {
    await expect(get(start, limit)).rejects.toMatchObject({ name: 'ValidationException' });
  }
});

ruleTest('kinesis', 'read-bytes-max', async () => {
  await putSizes(4 * MIB, 4 * MIB, 2 * MIB, 10 * MIB - 1);
  const first = await get(await iterator('TRIM_HORIZON'));
  expect(first.Records).toHaveLength(2);
  cloud.clock.nowMs += 60_000;
  const second = await get(first.NextShardIterator!);
  expect(second.Records).toHaveLength(1);
  cloud.clock.nowMs += 60_000;
  expect((await get(second.NextShardIterator!)).Records).toHaveLength(1);
});

ruleTest('kinesis', 'read-rate', async () => {
  const from = await iterator('TRIM_HORIZON');
  for (let turn = 0; turn < 5; turn++) await get(from);
  await expect(get(from)).rejects.toMatchObject(THROTTLED);
  cloud.clock.nowMs += 200;
  await get(from);
  await expect(get(from)).rejects.toMatchObject(THROTTLED);
});

ruleTest('kinesis', 'read-bytes-rate', async () => {
  await putSizes(MIB - 1, 2 * MIB - 1);
  cloud.clock.nowMs += 10_000;
  const start = await iterator('TRIM_HORIZON');
  await get(start, 1);
  const { NextShardIterator = '' } = await get(start);
  cloud.clock.nowMs += 1_999;
  await expect(get(NextShardIterator)).rejects.toMatchObject(THROTTLED);
  cloud.clock.nowMs += 1;
  await get(NextShardIterator);
});

ruleTest('kinesis', 'read-rest', async () => {
  await putSizes(5 * MIB - 1, 5 * MIB - 1, MIB);
  const first = await get(await iterator('TRIM_HORIZON'));
  expect(first.Records).toHaveLength(2);
  cloud.clock.nowMs += 4_999;
  await expect(get(first.NextShardIterator!)).rejects.toMatchObject(THROTTLED);
  cloud.clock.nowMs += 1;
  expect((await get(first.NextShardIterator!)).Records).toHaveLength(1);
});

ruleTest('kinesis', 'read-behind', async () => {
  await put('one');
  await put('two');
  cloud.clock.nowMs += 700;
  const first = await get(await iterator('TRIM_HORIZON'), 1);
  expect(first.MillisBehindLatest).toBe(700);
  expect((await get(first.NextShardIterator!)).MillisBehindLatest).toBe(0);
});

ruleTest('kinesis', 'read-empty', async () => {
  const { Records, NextShardIterator, MillisBehindLatest } = await get(
    await iterator('TRIM_HORIZON'),
  );
  expect([Records, MillisBehindLatest]).toEqual([[], 0]);
  await put('one');
  expect(await words(NextShardIterator!)).toEqual(['one']);
});

ruleTest('kinesis', 'read-end', async () => {
  await put('one');
  await put('two');
  await split();
  const first = await get(await iterator('TRIM_HORIZON'), 1);
  expect([first.ChildShards, typeof first.NextShardIterator]).toEqual([undefined, 'string']);
  const second = await get(first.NextShardIterator!);
  expect(second.Records?.map(({ Data }) => text(Data))).toEqual(['two']);
  expect(second.NextShardIterator).toBeUndefined();
  const { answer } = await cloud.raw('GetRecords', { ShardIterator: first.NextShardIterator });
  expect(answer).not.toHaveProperty('NextShardIterator');
});

ruleTest('kinesis', 'read-children', async () => {
  await split();
  await cloud.client.mergeShards({
    StreamName: 'orders',
    ShardToMerge: shardId(1),
    AdjacentShardToMerge: shardId(2),
  });
  const children = async (ShardId: string) =>
    (await get(await iterator('TRIM_HORIZON', { ShardId }))).ChildShards;
  const middle = 2n ** 127n;
  expect(await children(FIRST)).toEqual([
    {
      ShardId: shardId(1),
      ParentShards: [FIRST],
      HashKeyRange: { StartingHashKey: '0', EndingHashKey: String(middle - 1n) },
    },
    {
      ShardId: shardId(2),
      ParentShards: [FIRST],
      HashKeyRange: { StartingHashKey: String(middle), EndingHashKey: String(2n ** 128n - 1n) },
    },
  ]);
  expect(await children(shardId(2))).toMatchObject([
    { ShardId: shardId(3), ParentShards: [shardId(1), shardId(2)] },
  ]);
});

ruleTest('kinesis', 'read-once', async () => {
  const seen: string[] = [];
  let next = await iterator('TRIM_HORIZON');
  for (let turn = 0; turn < 200; turn++) await put(String(turn));
  for (let turn = 0; turn < 200; turn++) {
    if (turn % 5 === 0) cloud.clock.nowMs += 1_000;
    const { Records = [], NextShardIterator = '' } = await get(next, 1);
    seen.push(...Records.map(({ Data }) => text(Data)));
    next = NextShardIterator;
  }
  expect(seen).toEqual(Array.from({ length: 200 }, (_, turn) => String(turn)));
  expect(await words(next)).toEqual([]);
});

ruleTest('kinesis', 'read-trimmed', async () => {
  const start = cloud.clock.nowMs;
  const oldest = await put('old');
  cloud.clock.nowMs += 23 * HOUR_MS;
  await put('new');
  cloud.clock.nowMs = start + 24 * HOUR_MS + 1;
  expect(await words(await iterator('TRIM_HORIZON'))).toEqual(['new']);
  const early = await iterator('AT_SEQUENCE_NUMBER', { StartingSequenceNumber: oldest });
  expect(await words(early)).toEqual(['new']);
  cloud.clock.nowMs += 24 * HOUR_MS;
  const { Records, NextShardIterator } = await get(await iterator('TRIM_HORIZON'));
  expect([Records, typeof NextShardIterator]).toEqual([[], 'string']);
});

ruleTest('kinesis', 'read-arrival', async () => {
  await put('one');
  cloud.clock.nowMs -= 5_000;
  await put('two');
  cloud.clock.nowMs += 5_000;
  const { Records = [] } = await get(await iterator('TRIM_HORIZON'));
  const [one, two] = Records.map((record) => record.ApproximateArrivalTimestamp);
  expect(two).toEqual(one);
});

test('a read is throttled, or finds its iterator too old, by command', async () => {
  const commands: ('throttle' | 'expire')[] = ['throttle', 'expire'];
  await put('one');
  const from = await iterator('TRIM_HORIZON');
  faults = {
    onRead: (stream, shard) =>
      `${stream}/${shard}` === `orders/${FIRST}` ? commands.shift() : undefined,
  };
  await expect(get(from)).rejects.toMatchObject(THROTTLED);
  await expect(get(from)).rejects.toMatchObject({ name: 'ExpiredIteratorException' });
  expect(await words(from)).toEqual(['one']);
});
