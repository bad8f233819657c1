import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutRecordsCommand, SplitShardCommand } from '@aws-sdk/client-kinesis';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStorage } from '#local/storage';
import { START_MS, bytes, openTestKinesis, text } from './kinesis-cloud.ts';
import type { TestKinesis } from './kinesis-cloud.ts';

const FIRST = 'shardId-000000000000';
const ALL = { records: 10_000, bytes: 1e9 };
let cloud: TestKinesis;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kinesis-'));
});
afterEach(async () => {
  await cloud.close();
  rmSync(folder, { recursive: true, force: true });
});

const put = (...words: string[]) =>
  cloud.client.send(
    new PutRecordsCommand({
      StreamName: 'orders',
      Records: words.map((word) => ({ PartitionKey: 'a', Data: bytes(word) })),
    }),
  );

test('a kept file holds records, shards and counters across a restart', async () => {
  const file = join(folder, 'cloud.sqlite');
  const first = openStorage(file);
  cloud = await openTestKinesis({ storage: first });
  cloud.kinesis.createStream({ Name: 'orders', ShardCount: 1, RetentionPeriodHours: 48 });
  await put('one', 'two');
  await cloud.client.send(
    new SplitShardCommand({
      StreamName: 'orders',
      ShardToSplit: FIRST,
      NewStartingHashKey: String(2n ** 127n),
    }),
  );
  const before = await put('three');
  await cloud.client.addTagsToStream({ StreamName: 'orders', Tags: { owner: 'sales' } });
  await cloud.close();
  first.close();

  cloud = await openTestKinesis({ storage: openStorage(file) });
  cloud.kinesis.createStream({ Name: 'orders', ShardCount: 1, RetentionPeriodHours: 48 });
  const { Tags } = await cloud.client.listTagsForStream({ StreamName: 'orders' });
  expect(Tags).toEqual([{ Key: 'owner', Value: 'sales' }]);
  const shards = cloud.kinesis.listShards('orders');
  expect(shards.map(({ open, parentShardIds }) => [open, parentShardIds])).toEqual([
    [false, []],
    [true, [FIRST]],
    [true, [FIRST]],
  ]);
  const after = await put('four');
  const [old, fresh] = [before, after].map(({ Records }) => Records?.[0]);
  expect(fresh?.ShardId).toBe(old?.ShardId);
  expect(BigInt(fresh!.SequenceNumber!) > BigInt(old!.SequenceNumber!)).toBe(true);
  const words = shards.flatMap(({ shardId }) =>
    cloud.kinesis
      .read('orders', shardId, { kind: 'trim-horizon' }, ALL)
      .records.map(({ data }) => text(data)),
  );
  expect(words).toEqual(['one', 'two', 'three', 'four']);
});

test('a file kept by an earlier version, a row a record, is read on', async () => {
  const file = join(folder, 'earlier.sqlite');
  const earlier = openStorage(file);
  cloud = await openTestKinesis({ storage: earlier });
  cloud.kinesis.createStream({ Name: 'orders', ShardCount: 1 });
  await cloud.close();
  earlier.exec(`
    CREATE TABLE kinesis_record (
      place INTEGER PRIMARY KEY, arrival_ms INTEGER NOT NULL, partition_key TEXT NOT NULL, data BLOB NOT NULL
    ) STRICT;
    UPDATE kinesis_shard SET counter = 2, last_arrival_ms = ${START_MS}`);
  const insert = earlier.prepare('INSERT INTO kinesis_record VALUES (?, ?, ?, ?)');
  insert.run(2 ** 33 + 1, START_MS, 'a', bytes('one'));
  insert.run(2 ** 33 + 2, START_MS, 'a', bytes('two'));
  earlier.close();

  cloud = await openTestKinesis({ storage: openStorage(file) });
  await put('three');
  const { records } = cloud.kinesis.read('orders', FIRST, { kind: 'trim-horizon' }, ALL);
  expect(records.map(({ data }) => text(data))).toEqual(['one', 'two', 'three']);
});

test('the log reads on from a sequence number, and says when a shard ends', async () => {
  cloud = await openTestKinesis();
  cloud.kinesis.createStream({ Name: 'orders', ShardCount: 1 });
  await put('one', 'two', 'three');
  const first = cloud.kinesis.read(
    'orders',
    FIRST,
    { kind: 'trim-horizon' },
    { records: 2, bytes: 1e9 },
  );
  expect([first.records.length, first.endOfShard]).toEqual([2, false]);
  await cloud.client.send(
    new SplitShardCommand({
      StreamName: 'orders',
      ShardToSplit: FIRST,
      NewStartingHashKey: '1000',
    }),
  );
  const { sequenceNumber } = first.records[1]!;
  const rest = cloud.kinesis.read('orders', FIRST, { kind: 'after', sequenceNumber }, ALL);
  expect(rest.records.map(({ data }) => text(data))).toEqual(['three']);
  expect(rest.endOfShard).toBe(true);
});

test('a page holds at least one record, whatever its bytes', async () => {
  cloud = await openTestKinesis();
  cloud.kinesis.createStream({ Name: 'orders', ShardCount: 1 });
  await put('long enough', 'b');
  const page = cloud.kinesis.read(
    'orders',
    FIRST,
    { kind: 'trim-horizon' },
    { records: 9, bytes: 3 },
  );
  expect(page.records.map(({ data }) => text(data))).toEqual(['long enough']);
});

test('a listener hears of writes and of changes of the shards, until it leaves', async () => {
  cloud = await openTestKinesis();
  cloud.kinesis.createStream({ Name: 'orders', ShardCount: 1 });
  let heard = 0;
  const leave = cloud.kinesis.onWrite('orders', () => (heard += 1));
  await put('one');
  expect(heard).toBe(1);
  await cloud.client.send(
    new SplitShardCommand({
      StreamName: 'orders',
      ShardToSplit: FIRST,
      NewStartingHashKey: '1000',
    }),
  );
  expect(heard).toBe(2);
  leave();
  await put('two');
  expect(heard).toBe(2);
});

test('a shard count changed by hand stays until the template asks for another', async () => {
  cloud = await openTestKinesis();
  const open = () => cloud.kinesis.listShards('orders').filter((shard) => shard.open).length;
  cloud.kinesis.createStream({ Name: 'orders', ShardCount: 1 });
  await cloud.client.send(
    new SplitShardCommand({
      StreamName: 'orders',
      ShardToSplit: FIRST,
      NewStartingHashKey: '1000',
    }),
  );
  cloud.kinesis.createStream({ Name: 'orders', ShardCount: 1 });
  expect(open()).toBe(2);
  cloud.kinesis.createStream({ Name: 'orders', ShardCount: 3 });
  expect(open()).toBe(3);
});

test.each([
  [{ Name: 'orders' }, 'shardCount'],
  [{ Name: 'no spaces', ShardCount: 1 }, 'streamName'],
  [{ Name: 'orders', ShardCount: 1, RetentionPeriodHours: 23 }, 'retentionPeriodHours'],
  [{ Name: 'orders', ShardCount: 1, MaxRecordSizeInKiB: 10_241 }, 'maxRecordSizeInKiB'],
  [{ Name: 'orders', ShardCount: 1, Colour: 'red' }, 'emulator limit'],
])('a template with %o is refused: %s', async (properties, why) => {
  cloud = await openTestKinesis();
  expect(() => cloud.kinesis.createStream(properties)).toThrow(why);
});
