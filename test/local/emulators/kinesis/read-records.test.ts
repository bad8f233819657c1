import {
  GetRecordsCommand,
  GetShardIteratorCommand,
  PutRecordCommand,
  SplitShardCommand,
  DescribeStreamCommand,
} from '@aws-sdk/client-kinesis';
import type { ShardIteratorType } from '@aws-sdk/client-kinesis';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LogRecord, ReadFrom } from '#local/contracts';
import { bytes, openTestKinesis, text } from './kinesis-cloud.ts';
import type { TestKinesis } from './kinesis-cloud.ts';

const FIRST = 'shardId-000000000000';
const MIDDLE = String(2n ** 127n);
let cloud: TestKinesis;

beforeEach(async () => {
  cloud = await openTestKinesis();
  cloud.kinesis.createStream({
    Name: 'orders',
    ShardCount: 1,
    RetentionPeriodHours: 24,
    MaxRecordSizeInKiB: 10_240,
  });
});
afterEach(() => cloud.close());

const put = (word: string) =>
  cloud.client.send(
    new PutRecordCommand({ StreamName: 'orders', PartitionKey: 'a', Data: bytes(word) }),
  );

async function iterator(
  type: ShardIteratorType,
  from: { StartingSequenceNumber?: string; Timestamp?: Date } = {},
): Promise<string> {
  const { ShardIterator } = await cloud.client.send(
    new GetShardIteratorCommand({
      StreamName: 'orders',
      ShardId: FIRST,
      ShardIteratorType: type,
      ...from,
    }),
  );
  return ShardIterator!;
}

const get = (ShardIterator: string, Limit?: number) =>
  cloud.client.send(new GetRecordsCommand({ ShardIterator, Limit }));

async function words(ShardIterator: string): Promise<string[]> {
  cloud.clock.nowMs += 200;
  return (await get(ShardIterator)).Records!.map(({ Data }) => text(Data));
}

const split = () =>
  cloud.client.send(
    new SplitShardCommand({
      StreamName: 'orders',
      ShardToSplit: FIRST,
      NewStartingHashKey: MIDDLE,
    }),
  );

test('each iterator type begins where its name says', async () => {
  await put('one');
  cloud.clock.nowMs += 1_000;
  const secondMs = cloud.clock.nowMs;
  const { SequenceNumber: StartingSequenceNumber = '' } = await put('two');
  cloud.clock.nowMs += 1_000;
  await put('three');

  expect(await words(await iterator('TRIM_HORIZON'))).toEqual(['one', 'two', 'three']);
  expect(await words(await iterator('LATEST'))).toEqual([]);
  expect(await words(await iterator('AT_SEQUENCE_NUMBER', { StartingSequenceNumber }))).toEqual([
    'two',
    'three',
  ]);
  expect(await words(await iterator('AFTER_SEQUENCE_NUMBER', { StartingSequenceNumber }))).toEqual([
    'three',
  ]);
  expect(await words(await iterator('AT_TIMESTAMP', { Timestamp: new Date(secondMs) }))).toEqual([
    'two',
    'three',
  ]);
  expect(
    await words(await iterator('AT_TIMESTAMP', { Timestamp: new Date(secondMs + 1) })),
  ).toEqual(['three']);
});

test('LATEST reads what is put after the iterator was taken', async () => {
  await put('before');
  const latest = await iterator('LATEST');
  await put('after');
  expect(await words(latest)).toEqual(['after']);
});

test('LOCL-03: an iterator that follows a read never returns what was read', async () => {
  let next = await iterator('TRIM_HORIZON');
  for (let turn = 0; turn < 200; turn++) {
    await put(`word ${turn}`);
    const records = cloud.kinesis.read(
      'orders',
      FIRST,
      { kind: 'trim-horizon' },
      { records: 999, bytes: 1e6 },
    );
    expect(records.records).toHaveLength(turn + 1);
    if (turn % 50 !== 0) continue;
    const first = await get(next);
    const second = await get(first.NextShardIterator!);
    expect(first.Records!.map(({ Data }) => text(Data)).at(-1)).toBe(`word ${turn}`);
    expect(second.Records).toEqual([]);
    next = second.NextShardIterator!;
    cloud.clock.nowMs += 400;
  }
});

test('LOCL-03: 200 records of one millisecond are each read once, one by one', async () => {
  for (let turn = 0; turn < 200; turn++) await put(String(turn));
  const seen: string[] = [];
  let from: ReadFrom = { kind: 'trim-horizon' };
  for (;;) {
    const [record]: readonly LogRecord[] = cloud.kinesis.read('orders', FIRST, from, {
      records: 1,
      bytes: 1,
    }).records;
    if (record === undefined) break;
    seen.push(text(record.data));
    from = { kind: 'after', sequenceNumber: record.sequenceNumber };
  }
  expect(seen).toEqual(Array.from({ length: 200 }, (_, turn) => String(turn)));
});

test('LOCL-01: a closed shard ends with a null iterator and names its children', async () => {
  await put('one');
  await split();
  const first = await get(await iterator('TRIM_HORIZON'), 1);
  expect(first.Records).toHaveLength(1);
  expect(first.NextShardIterator).toBeUndefined();
  expect(first.ChildShards?.map(({ ShardId, ParentShards }) => [ShardId, ParentShards])).toEqual([
    ['shardId-000000000001', [FIRST]],
    ['shardId-000000000002', [FIRST]],
  ]);
  expect(first.ChildShards?.[1]?.HashKeyRange?.StartingHashKey).toBe(MIDDLE);
});

test('a page that stops short of the end of a closed shard goes on', async () => {
  await put('one');
  await put('two');
  await split();
  const first = await get(await iterator('TRIM_HORIZON'), 1);
  expect(first.ChildShards).toBeUndefined();
  expect(await words(first.NextShardIterator!)).toEqual(['two']);
});

test.each(['AT_SEQUENCE_NUMBER', 'AFTER_SEQUENCE_NUMBER'] as const)(
  "LOCL-07: %s takes the shard's own starting number, which no record has",
  async (type) => {
    await put('one');
    const { StreamDescription } = await cloud.client.send(
      new DescribeStreamCommand({ StreamName: 'orders' }),
    );
    const { StartingSequenceNumber = '' } =
      StreamDescription?.Shards?.[0]?.SequenceNumberRange ?? {};
    expect(await words(await iterator(type, { StartingSequenceNumber }))).toEqual(['one']);
  },
);

test('a sequence number that did not come from the shard is refused', async () => {
  const { SequenceNumber = '' } = await put('one');
  const other = String(BigInt(SequenceNumber) + (1n << 80n));
  for (const StartingSequenceNumber of [other, '0', '7', '9'.repeat(129), 'x']) {
    await expect(
      iterator('AFTER_SEQUENCE_NUMBER', { StartingSequenceNumber }),
    ).rejects.toMatchObject({
      name: 'InvalidArgumentException',
    });
  }
});

test('a timestamp in the future is refused', async () => {
  await expect(
    iterator('AT_TIMESTAMP', { Timestamp: new Date(cloud.clock.nowMs + 1) }),
  ).rejects.toMatchObject({ name: 'InvalidArgumentException' });
});

test('an iterator expires after five minutes', async () => {
  const early = await iterator('TRIM_HORIZON');
  cloud.clock.nowMs += 300_000;
  await get(early);
  cloud.clock.nowMs += 1;
  await expect(get(early)).rejects.toMatchObject({ name: 'ExpiredIteratorException' });
});

test('a shard answers five reads a second over the wire', async () => {
  const from = await iterator('TRIM_HORIZON');
  for (let turn = 0; turn < 5; turn++) await get(from);
  await expect(get(from)).rejects.toMatchObject({ name: 'ProvisionedThroughputExceededException' });
  cloud.clock.nowMs += 200;
  await get(from);
});

test('after a read of 10 MiB a shard rests for five seconds', async () => {
  for (const size of [5, 5, 1]) {
    cloud.clock.nowMs += 10_000;
    await cloud.client.send(
      new PutRecordCommand({
        StreamName: 'orders',
        PartitionKey: 'a',
        Data: new Uint8Array(size * 1024 * 1024 - 1),
      }),
    );
  }
  const first = await get(await iterator('TRIM_HORIZON'));
  expect(first.Records).toHaveLength(2);
  cloud.clock.nowMs += 4_999;
  await expect(get(first.NextShardIterator!)).rejects.toMatchObject({
    name: 'ProvisionedThroughputExceededException',
  });
  cloud.clock.nowMs += 1;
  expect((await get(first.NextShardIterator!)).Records).toHaveLength(1);
});

test('records older than the retention are gone, and the shard goes on', async () => {
  await put('old');
  const early = cloud.clock.nowMs;
  cloud.clock.nowMs += 23 * 3_600_000;
  await put('new');
  cloud.clock.nowMs = early + 24 * 3_600_000 + 1;
  expect(await words(await iterator('TRIM_HORIZON'))).toEqual(['new']);
});

test('millis behind latest counts from the last record read, and is 0 at the tip', async () => {
  await put('one');
  await put('two');
  cloud.clock.nowMs += 700;
  const first = await get(await iterator('TRIM_HORIZON'), 1);
  expect(first.MillisBehindLatest).toBe(700);
  expect((await get(first.NextShardIterator!)).MillisBehindLatest).toBe(0);
});

test('arrival times do not step back where the clock does', async () => {
  await put('one');
  cloud.clock.nowMs -= 5_000;
  await put('two');
  const { records } = cloud.kinesis.read(
    'orders',
    FIRST,
    { kind: 'trim-horizon' },
    { records: 9, bytes: 99 },
  );
  expect(records[1]!.arrivalTimeMs).toBe(records[0]!.arrivalTimeMs);
});
