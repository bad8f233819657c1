import type { ListShardsCommandInput, ShardFilter } from '@aws-sdk/client-kinesis';
import { afterEach, beforeEach, expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { START_MS, openTestKinesis, shardId } from './kinesis-cloud.ts';
import type { TestKinesis } from './kinesis-cloud.ts';

const StreamName = 'orders';
const INVALID = { name: 'InvalidArgumentException' };
const HOUR_MS = 3_600_000;
let cloud: TestKinesis;
beforeEach(async () => {
  cloud = await openTestKinesis();
});
afterEach(() => cloud.close());

const create = (ShardCount: number) => cloud.kinesis.createStream({ Name: StreamName, ShardCount });
const list = (input: Partial<ListShardsCommandInput>) => cloud.client.listShards(input);

async function ids(ShardFilter?: ShardFilter): Promise<number[]> {
  const { Shards = [] } = await list({ StreamName, ShardFilter });
  return Shards.map((shard) => Number(shard.ShardId?.slice('shardId-'.length)));
}

const split = (index: number, hashKey: bigint) =>
  cloud.client.splitShard({
    StreamName,
    ShardToSplit: shardId(index),
    NewStartingHashKey: String(hashKey),
  });

ruleTest('kinesis', 'list-page', async () => {
  create(1_266);
  const first = await list({ StreamName, MaxResults: 10_000 });
  expect(first.Shards).toHaveLength(1_000);
  const second = await list({ NextToken: first.NextToken });
  expect(second.Shards).toHaveLength(266);
  expect(second.NextToken).toBeUndefined();
});

ruleTest('kinesis', 'list-token-alone', async () => {
  const { arn: StreamARN } = create(5);
  const { NextToken } = await list({ StreamName, MaxResults: 2 });
  for (const more of [
    { StreamName },
    { StreamARN },
    { ExclusiveStartShardId: shardId(1) },
    { StreamCreationTimestamp: new Date(START_MS) },
    { ShardFilter: { Type: 'AT_LATEST' } as const },
  ]) {
    await expect(list({ NextToken, ...more })).rejects.toMatchObject(INVALID);
  }
  await expect(list({})).rejects.toMatchObject(INVALID);
  const { Shards = [] } = await list({ NextToken, MaxResults: 9 });
  expect(Shards.map(({ ShardId }) => ShardId)).toEqual([2, 3, 4].map(shardId));
});

ruleTest('kinesis', 'list-token-ttl', async () => {
  create(2);
  const { NextToken } = await list({ StreamName, MaxResults: 1 });
  cloud.clock.nowMs += 300_000;
  expect((await list({ NextToken })).Shards).toHaveLength(1);
  cloud.clock.nowMs += 1;
  await expect(list({ NextToken })).rejects.toMatchObject({ name: 'ExpiredNextTokenException' });
});

ruleTest('kinesis', 'list-token-foreign', async () => {
  create(2);
  await expect(list({ NextToken: 'x' })).rejects.toMatchObject(INVALID);
  const { NextToken } = await list({ StreamName, MaxResults: 1 });
  await cloud.client.deleteStream({ StreamName });
  create(2);
  await expect(list({ NextToken })).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});

ruleTest('kinesis', 'list-start', async () => {
  create(4);
  const { Shards = [] } = await list({ StreamName, ExclusiveStartShardId: shardId(1) });
  expect(Shards.map(({ ShardId }) => ShardId)).toEqual([2, 3].map(shardId));
});

ruleTest('kinesis', 'list-creation', async () => {
  create(1);
  const at = (ms: number) => list({ StreamName, StreamCreationTimestamp: new Date(ms) });
  expect((await at(START_MS)).Shards).toHaveLength(1);
  await expect(at(START_MS - 1_000)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});

ruleTest('kinesis', 'list-unready', async () => {
  const slow = await openTestKinesis({ limits: { settleMs: 500 } });
  const { client, clock } = slow;
  await client.createStream({ StreamName, ShardCount: 1 });
  await expect(client.listShards({ StreamName })).rejects.toMatchObject({
    name: 'ResourceInUseException',
  });
  clock.nowMs += 500;
  expect((await client.listShards({ StreamName })).Shards).toHaveLength(1);
  await client.deleteStream({ StreamName });
  await expect(client.listShards({ StreamName })).rejects.toMatchObject({
    name: 'ResourceInUseException',
  });
  await slow.close();
});

/** Shard 0 is split after an hour, its upper child (2) after another, its children are 3 and 4. */
async function splitTwice(): Promise<{ firstMs: number; secondMs: number }> {
  create(1);
  cloud.clock.nowMs += HOUR_MS;
  const firstMs = cloud.clock.nowMs;
  await split(0, 1_000n);
  cloud.clock.nowMs += HOUR_MS;
  const secondMs = cloud.clock.nowMs;
  await split(2, 2_000n);
  cloud.clock.nowMs += HOUR_MS;
  return { firstMs, secondMs };
}

ruleTest('kinesis', 'filter-latest', async () => {
  await splitTwice();
  expect(await ids({ Type: 'AT_LATEST' })).toEqual([1, 3, 4]);
});

ruleTest('kinesis', 'filter-trim-horizon', async () => {
  const { firstMs } = await splitTwice();
  expect(await ids()).toEqual([0, 1, 2, 3, 4]);
  expect(await ids({ Type: 'FROM_TRIM_HORIZON' })).toEqual([0, 1, 2, 3, 4]);
  expect(await ids({ Type: 'AT_TRIM_HORIZON' })).toEqual([0]);
  cloud.clock.nowMs = firstMs + 24 * HOUR_MS + 1;
  expect(await ids({ Type: 'FROM_TRIM_HORIZON' })).toEqual([1, 2, 3, 4]);
  expect(await ids({ Type: 'AT_TRIM_HORIZON' })).toEqual([1, 2]);
});

ruleTest('kinesis', 'filter-timestamp', async () => {
  const { firstMs, secondMs } = await splitTwice();
  const at = (ms: number) => ids({ Type: 'AT_TIMESTAMP', Timestamp: new Date(ms) });
  expect(await at(START_MS - 1)).toEqual([]);
  expect(await at(firstMs - 1)).toEqual([0]);
  expect(await at(firstMs + 1)).toEqual([1, 2]);
  expect(await at(secondMs + 1)).toEqual([1, 3, 4]);
});

ruleTest('kinesis', 'filter-from-timestamp', async () => {
  const { firstMs, secondMs } = await splitTwice();
  const from = (ms: number) => ids({ Type: 'FROM_TIMESTAMP', Timestamp: new Date(ms) });
  expect(await from(0)).toEqual([0, 1, 2, 3, 4]);
  expect(await from(firstMs)).toEqual([0, 1, 2, 3, 4]);
  expect(await from(firstMs + 1)).toEqual([1, 2, 3, 4]);
  expect(await from(secondMs + 1)).toEqual([1, 3, 4]);
});

ruleTest('kinesis', 'filter-after-id', async () => {
  await splitTwice();
  expect(await ids({ Type: 'AFTER_SHARD_ID', ShardId: shardId(2) })).toEqual([3, 4]);
  expect(await ids({ Type: 'AFTER_SHARD_ID', ShardId: shardId(4) })).toEqual([]);
});

ruleTest('kinesis', 'filter-members', async () => {
  create(1);
  const ShardId = shardId(0);
  const Timestamp = new Date(START_MS);
  const wrong: ShardFilter[] = [
    { Type: 'AFTER_SHARD_ID' },
    { Type: 'AT_TIMESTAMP' },
    { Type: 'FROM_TIMESTAMP', ShardId },
    { Type: 'AT_LATEST', ShardId },
    { Type: 'AT_TRIM_HORIZON', Timestamp },
  ];
  for (const filter of wrong) await expect(ids(filter)).rejects.toMatchObject(INVALID);
  for (const filter of [{ Type: 'NEWEST' }, {}]) {
    await expect(ids(filter as never)).rejects.toMatchObject({ name: 'ValidationException' });
  }
});

ruleTest('kinesis', 'filter-paged', async () => {
  await splitTwice();
  const filter = { ShardFilter: { Type: 'AT_LATEST' } as const, MaxResults: 1 };
  const seen: (string | undefined)[] = [];
  let answer = await list({ StreamName, ...filter });
  for (;;) {
    expect(answer.Shards).toHaveLength(1);
    seen.push(answer.Shards?.[0]?.ShardId);
    if (answer.NextToken === undefined) break;
    answer = await list({ NextToken: answer.NextToken, MaxResults: 1 });
  }
  expect(seen).toEqual([1, 3, 4].map(shardId));
  const { NextToken } = await list({ StreamName, ...filter });
  expect((await list({ NextToken })).Shards).toHaveLength(2);
});

ruleTest('kinesis', 'shard-expires', async () => {
  cloud.kinesis.createStream({ Name: StreamName, ShardCount: 1, RetentionPeriodHours: 30 });
  await split(0, 1_000n);
  cloud.clock.nowMs += 30 * HOUR_MS;
  expect(await ids()).toEqual([0, 1, 2]);
  cloud.clock.nowMs += 1;
  expect(await ids()).toEqual([1, 2]);
});

ruleTest('kinesis', 'describe-page', async () => {
  create(250);
  const page = async (start?: number, Limit?: number) => {
    const ExclusiveStartShardId = start === undefined ? undefined : shardId(start);
    const answer = await cloud.client.describeStream({ StreamName, ExclusiveStartShardId, Limit });
    const { Shards = [], HasMoreShards } = answer.StreamDescription ?? {};
    return [Shards.length, HasMoreShards];
  };
  expect(await page()).toEqual([100, true]);
  expect(await page(undefined, 10_000)).toEqual([100, true]);
  expect(await page(199, 7)).toEqual([7, true]);
  expect(await page(199)).toEqual([50, false]);
});
