import { afterEach, beforeEach, expect } from 'vitest';
import { KINESIS_LIMITS } from '#local/emulators/kinesis/state';
import { ruleTest } from '#test/local/rules/rule-test';
import { RING, START_MS, bytes, openTestKinesis, shardId } from './kinesis-cloud.ts';
import type { TestKinesis } from './kinesis-cloud.ts';

const StreamName = 'orders';
const INVALID = { name: 'InvalidArgumentException' };
const IN_USE = { name: 'ResourceInUseException' };
const NOT_FOUND = { name: 'ResourceNotFoundException' };
const OVER_LIMIT = { name: 'LimitExceededException' };
const HOUR_MS = 3_600_000;
const SETTLE_MS = 500;
let cloud: TestKinesis;
beforeEach(async () => {
  cloud = await openTestKinesis({ limits: { settleMs: SETTLE_MS } });
});
afterEach(() => cloud.close());

const template = (more: object = {}) =>
  cloud.kinesis.createStream({ Name: StreamName, ShardCount: 2, ...more });
const put = () => cloud.client.putRecord({ StreamName, PartitionKey: 'a', Data: bytes('x') });
const scale = (TargetShardCount: number) =>
  cloud.client.updateShardCount({ StreamName, TargetShardCount, ScalingType: 'UNIFORM_SCALING' });

async function summary() {
  const { StreamDescriptionSummary } = await cloud.client.describeStreamSummary({ StreamName });
  return StreamDescriptionSummary!;
}

function settle(): void {
  cloud.clock.nowMs += SETTLE_MS;
}

ruleTest('kinesis', 'create', async () => {
  template({ ShardCount: 3 });
  const { Shards = [] } = await cloud.client.listShards({ StreamName });
  const third = RING / 3n;
  expect(Shards.map(({ HashKeyRange }) => HashKeyRange)).toEqual([
    { StartingHashKey: '0', EndingHashKey: String(third - 1n) },
    { StartingHashKey: String(third), EndingHashKey: String(2n * third - 1n) },
    { StartingHashKey: String(2n * third), EndingHashKey: String(RING - 1n) },
  ]);
});

ruleTest('kinesis', 'create-name', async () => {
  for (const name of ['', 'no spaces', 'ü', 'a/b', 'n'.repeat(129)]) {
    await expect(
      cloud.client.createStream({ StreamName: name, ShardCount: 1 }),
    ).rejects.toMatchObject({
      name: 'ValidationException',
    });
  }
  for (const name of ['a', 'A-b_c.9', 'n'.repeat(128)]) {
    await cloud.client.createStream({ StreamName: name, ShardCount: 1 });
  }
});

ruleTest('kinesis', 'create-once', async () => {
  template();
  await expect(cloud.client.createStream({ StreamName, ShardCount: 1 })).rejects.toMatchObject(
    IN_USE,
  );
  await cloud.client.deleteStream({ StreamName });
  await expect(cloud.client.createStream({ StreamName, ShardCount: 1 })).rejects.toMatchObject(
    IN_USE,
  );
  settle();
  await cloud.client.createStream({ StreamName, ShardCount: 1 });
});

ruleTest('kinesis', 'create-shard-count', async () => {
  const onDemand = { StreamModeDetails: { StreamMode: 'ON_DEMAND' } } as const;
  for (const more of [{}, { ShardCount: 0 }, { ...onDemand, ShardCount: 1 }]) {
    await expect(cloud.client.createStream({ StreamName, ...more })).rejects.toMatchObject({
      name: 'ValidationException',
    });
  }
  await cloud.client.createStream({ StreamName, ...onDemand });
  expect(await summary()).toMatchObject({
    OpenShardCount: 4,
    StreamModeDetails: onDemand.StreamModeDetails,
  });
});

ruleTest('kinesis', 'on-demand-fixed', async () => {
  cloud.kinesis.createStream({ Name: StreamName, StreamModeDetails: { StreamMode: 'ON_DEMAND' } });
  for (let turn = 0; turn < 20; turn++) {
    cloud.clock.nowMs += 60_000;
    await cloud.client.putRecord({
      StreamName,
      PartitionKey: `key-${turn}`,
      Data: new Uint8Array(1_000_000),
    });
  }
  expect((await summary()).OpenShardCount).toBe(4);
});

ruleTest('kinesis', 'on-demand-count', async () => {
  const StreamModeDetails = { StreamMode: 'ON_DEMAND' } as const;
  for (let n = 0; n < 50; n++)
    await cloud.client.createStream({ StreamName: `s-${n}`, StreamModeDetails });
  await expect(cloud.client.createStream({ StreamName, StreamModeDetails })).rejects.toMatchObject(
    OVER_LIMIT,
  );
  await cloud.client.createStream({ StreamName, ShardCount: 1 });
});

ruleTest('kinesis', 'status-creating', async () => {
  await cloud.client.createStream({ StreamName, ShardCount: 2 });
  const { StreamDescription } = await cloud.client.describeStream({ StreamName });
  expect([StreamDescription?.StreamStatus, StreamDescription?.Shards]).toEqual(['CREATING', []]);
  await expect(put()).rejects.toMatchObject(NOT_FOUND);
  await expect(scale(4)).rejects.toMatchObject(IN_USE);
  settle();
  expect((await summary()).StreamStatus).toBe('ACTIVE');
  await put();
});

ruleTest('kinesis', 'status-updating', async () => {
  template();
  const changes = [
    () => scale(4),
    () =>
      cloud.client.splitShard({ StreamName, ShardToSplit: shardId(2), NewStartingHashKey: '9' }),
    () =>
      cloud.client.mergeShards({
        StreamName,
        ShardToMerge: shardId(6),
        AdjacentShardToMerge: shardId(7),
      }),
  ];
  for (const change of changes) {
    await change();
    expect((await summary()).StreamStatus).toBe('UPDATING');
    await put();
    await expect(scale(4)).rejects.toMatchObject(IN_USE);
    await expect(
      cloud.client.increaseStreamRetentionPeriod({ StreamName, RetentionPeriodHours: 48 }),
    ).rejects.toMatchObject(IN_USE);
    settle();
  }
  expect((await summary()).StreamStatus).toBe('ACTIVE');
});

ruleTest('kinesis', 'status-deleting', async () => {
  template();
  await put();
  const before = cloud.kinesis.creationOf(StreamName);
  await cloud.client.deleteStream({ StreamName });
  expect((await summary()).StreamStatus).toBe('DELETING');
  for (const call of [put(), cloud.client.deleteStream({ StreamName })]) {
    await expect(call).rejects.toMatchObject(NOT_FOUND);
  }
  expect(() => cloud.kinesis.listShards(StreamName)).toThrow('not found');
  settle();
  await expect(summary()).rejects.toMatchObject(NOT_FOUND);
  template();
  expect(cloud.kinesis.creationOf(StreamName)).not.toBe(before);
  const all = { records: 9, bytes: 9 };
  const { records } = cloud.kinesis.read(StreamName, shardId(0), { kind: 'trim-horizon' }, all);
  expect(records).toEqual([]);
});

ruleTest('kinesis', 'status-time', async () => {
  expect(KINESIS_LIMITS.settleMs).toBe(SETTLE_MS);
  template();
  expect((await summary()).StreamStatus).toBe('ACTIVE');
  await scale(4);
  expect(cloud.kinesis.listShards(StreamName).filter(({ open }) => open)).toHaveLength(4);
  cloud.clock.nowMs += 499;
  expect((await summary()).StreamStatus).toBe('UPDATING');
  cloud.clock.nowMs += 1;
  expect((await summary()).StreamStatus).toBe('ACTIVE');
});

ruleTest('kinesis', 'delete-consumers', async () => {
  const { arn: StreamARN } = template();
  await cloud.client.registerStreamConsumer({ StreamARN, ConsumerName: 'fast' });
  await expect(cloud.client.deleteStream({ StreamName })).rejects.toMatchObject(IN_USE);
  await cloud.client.deleteStream({ StreamName, EnforceConsumerDeletion: true });
});

ruleTest('kinesis', 'retention', async () => {
  template();
  const longer = (RetentionPeriodHours: number) =>
    cloud.client.increaseStreamRetentionPeriod({ StreamName, RetentionPeriodHours });
  const shorter = (RetentionPeriodHours: number) =>
    cloud.client.decreaseStreamRetentionPeriod({ StreamName, RetentionPeriodHours });
  await longer(8_760);
  await shorter(40);
  for (const wrong of [longer(39), longer(8_761), shorter(41), shorter(23)]) {
    await expect(wrong).rejects.toMatchObject(INVALID);
  }
  expect((await summary()).RetentionPeriodHours).toBe(40);
});

ruleTest('kinesis', 'retention-no-return', async () => {
  template({ ShardCount: 1 });
  await put();
  cloud.clock.nowMs += 24 * HOUR_MS - 10_000;
  await summary();
  // Just hidden, and not yet swept away.
  cloud.clock.nowMs += 10_001;
  await cloud.client.increaseStreamRetentionPeriod({ StreamName, RetentionPeriodHours: 48 });
  const all = { records: 9, bytes: 9 };
  const { records } = cloud.kinesis.read(StreamName, shardId(0), { kind: 'trim-horizon' }, all);
  expect(records).toEqual([]);
});

ruleTest('kinesis', 'record-size', async () => {
  const { arn: StreamARN } = template();
  const large = () =>
    cloud.client.putRecord({ StreamName, PartitionKey: 'a', Data: new Uint8Array(2 ** 20) });
  await expect(large()).rejects.toMatchObject(INVALID);
  await cloud.client.updateMaxRecordSize({ StreamARN, MaxRecordSizeInKiB: 2_048 });
  await large();
  for (const MaxRecordSizeInKiB of [1_023, 10_241]) {
    await expect(
      cloud.client.updateMaxRecordSize({ StreamARN, MaxRecordSizeInKiB }),
    ).rejects.toMatchObject({ name: 'ValidationException' });
  }
});

ruleTest('kinesis', 'summary', async () => {
  const { arn: StreamARN } = template({ RetentionPeriodHours: 40, MaxRecordSizeInKiB: 2_048 });
  await cloud.client.registerStreamConsumer({ StreamARN, ConsumerName: 'fast' });
  expect(await summary()).toEqual({
    StreamName,
    StreamARN: 'arn:aws:kinesis:eu-west-1:123456789012:stream/orders',
    StreamStatus: 'ACTIVE',
    StreamModeDetails: { StreamMode: 'PROVISIONED' },
    StreamCreationTimestamp: new Date(START_MS),
    RetentionPeriodHours: 40,
    EnhancedMonitoring: [{ ShardLevelMetrics: [] }],
    EncryptionType: 'NONE',
    MaxRecordSizeInKiB: 2_048,
    OpenShardCount: 2,
    ConsumerCount: 1,
  });
});

ruleTest('kinesis', 'list-streams', async () => {
  for (const Name of ['c', 'a', 'b']) cloud.kinesis.createStream({ Name, ShardCount: 1 });
  const first = await cloud.client.listStreams({ Limit: 2 });
  expect([first.StreamNames, first.HasMoreStreams]).toEqual([['a', 'b'], true]);
  expect(first.StreamSummaries?.[0]).toMatchObject({ StreamName: 'a', StreamStatus: 'ACTIVE' });
  for (const from of [{ NextToken: first.NextToken }, { ExclusiveStartStreamName: 'b' }]) {
    const second = await cloud.client.listStreams(from);
    expect([second.StreamNames, second.HasMoreStreams, second.NextToken]).toEqual([
      ['c'],
      false,
      undefined,
    ]);
  }
  await expect(
    cloud.client.listStreams({ NextToken: first.NextToken, ExclusiveStartStreamName: 'a' }),
  ).rejects.toMatchObject(INVALID);
});

ruleTest('kinesis', 'limits', async () => {
  template({ ShardCount: 3 });
  cloud.kinesis.createStream({ Name: 'other', StreamModeDetails: { StreamMode: 'ON_DEMAND' } });
  await scale(4);
  expect(await cloud.client.describeLimits({})).toMatchObject({
    ShardLimit: 20_000,
    OpenShardCount: 8,
    OnDemandStreamCount: 1,
    OnDemandStreamCountLimit: 50,
  });
});
