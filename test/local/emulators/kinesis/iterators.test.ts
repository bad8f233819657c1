import { afterEach, beforeEach, expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { openTestKinesis, shardId } from './kinesis-cloud.ts';
import type { TestKinesis } from './kinesis-cloud.ts';
import { shardReader } from './shard-reader.ts';

let cloud: TestKinesis;
const { put, iterator, get, words, split } = shardReader(() => cloud);
const INVALID = { name: 'InvalidArgumentException' };

beforeEach(async () => {
  cloud = await openTestKinesis({ limits: { shardIteratorsPerSec: 1_000 } });
  cloud.kinesis.createStream({ Name: 'orders', ShardCount: 1 });
});
afterEach(() => cloud.close());

/** One record a second; the answer tells when, and under which number. */
async function putThree(): Promise<{ numbers: string[]; atMs: number[] }> {
  const numbers: string[] = [];
  const atMs: number[] = [];
  for (const word of ['one', 'two', 'three']) {
    cloud.clock.nowMs += 1_000;
    atMs.push(cloud.clock.nowMs);
    numbers.push(await put(word));
  }
  cloud.clock.nowMs += 1_000;
  return { numbers, atMs };
}

const at = (ms: number) => iterator('AT_TIMESTAMP', { Timestamp: new Date(ms) });

async function rangeOf(ShardId: string) {
  const { Shards = [] } = await cloud.client.listShards({ StreamName: 'orders' });
  const { StartingSequenceNumber = '', EndingSequenceNumber = '' } =
    Shards.find((shard) => shard.ShardId === ShardId)?.SequenceNumberRange ?? {};
  return { StartingSequenceNumber, EndingSequenceNumber };
}

ruleTest('kinesis', 'iterator-ttl', async () => {
  const early = await iterator('TRIM_HORIZON');
  cloud.clock.nowMs += 300_000;
  await get(early);
  cloud.clock.nowMs += 1;
  await expect(get(early)).rejects.toMatchObject({ name: 'ExpiredIteratorException' });
});

ruleTest('kinesis', 'iterator-rate', async () => {
  const faithful = await openTestKinesis();
  faithful.kinesis.createStream({ Name: 'orders', ShardCount: 2 });
  const reader = shardReader(() => faithful);
  for (let turn = 0; turn < 5; turn++) await reader.iterator('LATEST');
  await expect(reader.iterator('LATEST')).rejects.toMatchObject({
    name: 'ProvisionedThroughputExceededException',
  });
  await reader.iterator('LATEST', { ShardId: shardId(1) });
  faithful.clock.nowMs += 200;
  await reader.iterator('LATEST');
  await faithful.close();
});

ruleTest('kinesis', 'iterator-kept', async () => {
  await put('one');
  const from = await iterator('TRIM_HORIZON');
  expect([await words(from), await words(from)]).toEqual([['one'], ['one']]);
  expect(await iterator('TRIM_HORIZON')).not.toBe(from);
  expect(from.length).toBeLessThanOrEqual(512);
});

ruleTest('kinesis', 'iterator-foreign', async () => {
  for (const none of ['x', 'e30=', Buffer.from('[1,2]').toString('base64')]) {
    await expect(get(none)).rejects.toMatchObject(INVALID);
  }
  const orphan = await iterator('LATEST');
  await cloud.client.deleteStream({ StreamName: 'orders' });
  await expect(get(orphan)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  cloud.kinesis.createStream({ Name: 'orders', ShardCount: 1 });
  await expect(get(orphan)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});

ruleTest('kinesis', 'iterator-arn', async () => {
  const { arn: StreamARN } = cloud.kinesis.createStream({ Name: 'other', ShardCount: 1 });
  const ShardIterator = await iterator('LATEST');
  await expect(cloud.client.getRecords({ ShardIterator, StreamARN })).rejects.toMatchObject(
    INVALID,
  );
  const own = StreamARN.replace('other', 'orders');
  expect(await cloud.client.getRecords({ ShardIterator, StreamARN: own })).toHaveProperty(
    'Records',
    [],
  );
});

ruleTest('kinesis', 'from-trim-horizon', async () => {
  await putThree();
  expect(await words(await iterator('TRIM_HORIZON'))).toEqual(['one', 'two', 'three']);
});

ruleTest('kinesis', 'from-latest', async () => {
  await put('before');
  const latest = await iterator('LATEST');
  expect(await words(latest)).toEqual([]);
  await put('after');
  expect(await words(latest)).toEqual(['after']);
});

ruleTest('kinesis', 'from-number', async () => {
  const { numbers } = await putThree();
  const from = { StartingSequenceNumber: numbers[1]! };
  expect(await words(await iterator('AT_SEQUENCE_NUMBER', from))).toEqual(['two', 'three']);
  expect(await words(await iterator('AFTER_SEQUENCE_NUMBER', from))).toEqual(['three']);
});

for (const type of ['AT_SEQUENCE_NUMBER', 'AFTER_SEQUENCE_NUMBER'] as const) {
  ruleTest(
    'kinesis',
    'from-start-number',
    async () => {
      await put('one');
      const { StartingSequenceNumber } = await rangeOf(shardId(0));
      expect(await words(await iterator(type, { StartingSequenceNumber }))).toEqual(['one']);
    },
    type,
  );
}

ruleTest('kinesis', 'from-end-number', async () => {
  await put('one');
  await split();
  const { EndingSequenceNumber: StartingSequenceNumber } = await rangeOf(shardId(0));
  const end = await iterator('AFTER_SEQUENCE_NUMBER', { StartingSequenceNumber });
  const { Records, NextShardIterator, ChildShards } = await get(end);
  expect([Records, NextShardIterator, ChildShards?.length]).toEqual([[], undefined, 2]);
});

ruleTest('kinesis', 'from-foreign-number', async () => {
  const number = await put('one');
  await split();
  const child = await rangeOf(shardId(1));
  const notYet = String(BigInt(number) + (1n << 80n));
  for (const StartingSequenceNumber of [
    child.StartingSequenceNumber,
    notYet,
    '0',
    '7',
    '9'.repeat(129),
  ]) {
    await expect(
      iterator('AFTER_SEQUENCE_NUMBER', { StartingSequenceNumber }),
    ).rejects.toMatchObject(INVALID);
  }
  await expect(
    iterator('AFTER_SEQUENCE_NUMBER', { StartingSequenceNumber: 'x' }),
  ).rejects.toMatchObject({ name: 'ValidationException' });
});

ruleTest('kinesis', 'from-timestamp', async () => {
  const { atMs } = await putThree();
  expect(await words(await at(atMs[1]!))).toEqual(['two', 'three']);
  expect(await words(await at(atMs[1]! + 1))).toEqual(['three']);
});

ruleTest('kinesis', 'from-timestamp-before', async () => {
  await putThree();
  expect(await words(await at(0))).toEqual(['one', 'two', 'three']);
});

ruleTest('kinesis', 'from-timestamp-after', async () => {
  await putThree();
  const tip = await at(cloud.clock.nowMs);
  expect(await words(tip)).toEqual([]);
  await put('four');
  expect(await words(tip)).toEqual(['four']);
});

ruleTest('kinesis', 'from-timestamp-future', async () => {
  await at(cloud.clock.nowMs);
  await expect(at(cloud.clock.nowMs + 1)).rejects.toMatchObject(INVALID);
});

ruleTest('kinesis', 'from-members', async () => {
  const StartingSequenceNumber = await put('one');
  const Timestamp = new Date(cloud.clock.nowMs);
  for (const wrong of [
    iterator('AT_SEQUENCE_NUMBER'),
    iterator('AFTER_SEQUENCE_NUMBER', { Timestamp }),
    iterator('TRIM_HORIZON', { StartingSequenceNumber }),
    iterator('LATEST', { StartingSequenceNumber }),
    iterator('LATEST', { Timestamp }),
    iterator('AT_TIMESTAMP'),
    iterator('AT_TIMESTAMP', { StartingSequenceNumber }),
  ]) {
    await expect(wrong).rejects.toMatchObject(INVALID);
  }
  await expect(iterator('FIRST' as never)).rejects.toMatchObject({ name: 'ValidationException' });
});

ruleTest('kinesis', 'from-closed', async () => {
  await put('one');
  await split();
  const latest = await get(await iterator('LATEST'));
  expect([latest.Records, latest.NextShardIterator]).toEqual([[], undefined]);
  const oldest = await get(await iterator('TRIM_HORIZON'));
  expect([oldest.Records?.length, oldest.NextShardIterator]).toEqual([1, undefined]);
});

ruleTest('kinesis', 'from-shard-number', async () => {
  await put('one');
  for (const ShardId of ['0', 'shard-0', shardId(0)]) {
    expect(await words(await iterator('TRIM_HORIZON', { ShardId }))).toEqual(['one']);
  }
  for (const ShardId of ['1', shardId(1), 'shardId-2147483648', 'first', 'shardId-0x0']) {
    await expect(iterator('LATEST', { ShardId })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  }
});
