import { afterEach, beforeEach, expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { bytes, openTestKinesis, shardId, text } from './kinesis-cloud.ts';
import type { TestKinesis } from './kinesis-cloud.ts';

const StreamName = 'orders';
const INVALID = { name: 'InvalidArgumentException' };
const NOT_FOUND = { name: 'ResourceNotFoundException' };
const OVER_LIMIT = { name: 'LimitExceededException' };
let cloud: TestKinesis;
let StreamARN: string;
beforeEach(async () => {
  cloud = await openTestKinesis();
  StreamARN = cloud.kinesis.createStream({ Name: StreamName, ShardCount: 1 }).arn;
});
afterEach(() => cloud.close());

const put = () => cloud.client.putRecord({ StreamName, PartitionKey: 'a', Data: bytes('x') });
const numbered = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`key-${String(n).padStart(2, '0')}`, `${n}`]),
  );

async function tags(page: { ExclusiveStartTagKey?: string; Limit?: number } = {}) {
  const { Tags = [], HasMoreTags } = await cloud.client.listTagsForStream({ StreamName, ...page });
  return { tags: Tags.map(({ Key, Value }) => `${Key}=${Value}`), HasMoreTags };
}

async function described() {
  const { StreamDescription } = await cloud.client.describeStream({ StreamName });
  return StreamDescription!;
}

ruleTest('kinesis', 'mode', async () => {
  const change = (StreamMode: 'ON_DEMAND' | 'PROVISIONED') =>
    cloud.client.updateStreamMode({ StreamARN, StreamModeDetails: { StreamMode } });
  await change('ON_DEMAND');
  expect((await described()).StreamModeDetails).toEqual({ StreamMode: 'ON_DEMAND' });
  await change('PROVISIONED');
  cloud.clock.nowMs += 86_399_999;
  await expect(change('ON_DEMAND')).rejects.toMatchObject(OVER_LIMIT);
  cloud.clock.nowMs += 1;
  await change('ON_DEMAND');
});

ruleTest('kinesis', 'encryption', async () => {
  const key = { StreamName, KeyId: 'alias/aws/kinesis' };
  const told = async () => {
    const { EncryptionType, KeyId } = await described();
    return [EncryptionType, KeyId, (await put()).EncryptionType];
  };
  await cloud.client.startStreamEncryption({ ...key, EncryptionType: 'KMS' });
  expect(await told()).toEqual(['KMS', 'alias/aws/kinesis', 'KMS']);
  const { ShardIterator } = await cloud.client.getShardIterator({
    StreamName,
    ShardId: shardId(0),
    ShardIteratorType: 'TRIM_HORIZON',
  });
  const { Records = [] } = await cloud.client.getRecords({ ShardIterator });
  expect(Records.map(({ EncryptionType }) => EncryptionType)).toEqual(['KMS']);
  await cloud.client.stopStreamEncryption({ ...key, EncryptionType: 'KMS' });
  expect(await told()).toEqual(['NONE', undefined, 'NONE']);
  await expect(
    cloud.client.startStreamEncryption({ ...key, EncryptionType: 'NONE' }),
  ).rejects.toMatchObject(INVALID);
});

ruleTest('kinesis', 'encryption-none', async () => {
  const StreamEncryption = { EncryptionType: 'KMS', KeyId: 'no-such-key' };
  cloud.kinesis.createStream({ Name: StreamName, ShardCount: 1, StreamEncryption });
  expect((await described()).KeyId).toBe('no-such-key');
  await put();
  const all = { records: 9, bytes: 99 };
  const { records } = cloud.kinesis.read(StreamName, shardId(0), { kind: 'trim-horizon' }, all);
  expect(text(records[0]?.data)).toBe('x');
});

ruleTest('kinesis', 'monitoring', async () => {
  const on = await cloud.client.enableEnhancedMonitoring({
    StreamName,
    ShardLevelMetrics: ['OutgoingBytes', 'IncomingBytes'],
  });
  expect([on.CurrentShardLevelMetrics, on.DesiredShardLevelMetrics]).toEqual([
    [],
    ['IncomingBytes', 'OutgoingBytes'],
  ]);
  await cloud.client.disableEnhancedMonitoring({
    StreamName,
    ShardLevelMetrics: ['IncomingBytes'],
  });
  expect((await described()).EnhancedMonitoring).toEqual([
    { ShardLevelMetrics: ['OutgoingBytes'] },
  ]);
  await cloud.client.enableEnhancedMonitoring({ StreamName, ShardLevelMetrics: ['ALL'] });
  expect((await described()).EnhancedMonitoring?.[0]?.ShardLevelMetrics).toHaveLength(7);
});

ruleTest('kinesis', 'monitoring-none', async () => {
  const names: string[] = [];
  const measured = await openTestKinesis({
    measure: ({ dimensions }) => names.push(...Object.keys(dimensions)),
  });
  measured.kinesis.createStream({
    Name: StreamName,
    ShardCount: 1,
    DesiredShardLevelMetrics: ['ALL'],
  });
  await measured.client.putRecord({ StreamName, PartitionKey: 'a', Data: bytes('x') });
  expect(new Set(names)).toEqual(new Set(['StreamName']));
  await measured.close();
});

ruleTest('kinesis', 'tags', async () => {
  await cloud.client.addTagsToStream({ StreamName, Tags: { b: '1', a: '2' } });
  await cloud.client.addTagsToStream({ StreamName, Tags: { b: '3', c: '' } });
  expect(await tags()).toEqual({ tags: ['a=2', 'b=3', 'c='], HasMoreTags: false });
  expect(await tags({ Limit: 1 })).toEqual({ tags: ['a=2'], HasMoreTags: true });
  expect(await tags({ ExclusiveStartTagKey: 'a', Limit: 2 })).toEqual({
    tags: ['b=3', 'c='],
    HasMoreTags: false,
  });
  await cloud.client.removeTagsFromStream({ StreamName, TagKeys: ['a', 'nothing'] });
  expect((await tags()).tags).toEqual(['b=3', 'c=']);
});

ruleTest('kinesis', 'tags-max', async () => {
  await cloud.client.addTagsToStream({ StreamName, Tags: numbered(50) });
  await cloud.client.addTagsToStream({ StreamName, Tags: { 'key-00': 'again' } });
  await expect(
    cloud.client.addTagsToStream({ StreamName, Tags: { another: '' } }),
  ).rejects.toMatchObject(INVALID);
  await expect(
    cloud.client.createStream({ StreamName: 'new', ShardCount: 1, Tags: numbered(51) }),
  ).rejects.toMatchObject(INVALID);
});

ruleTest('kinesis', 'tags-form', async () => {
  const add = (key: string, value: string) =>
    cloud.client.addTagsToStream({ StreamName, Tags: { [key]: value } });
  await add('k'.repeat(128), 'v'.repeat(256));
  await add('Größe _.:/=+-@', '');
  for (const [key, value] of [
    ['k'.repeat(129), ''],
    ['', ''],
    ['k', 'v'.repeat(257)],
  ] as const) {
    await expect(add(key, value)).rejects.toMatchObject({ name: 'ValidationException' });
  }
  for (const [key, value] of [
    ['a%b', ''],
    ['k', 'a*b'],
    ['aws:k', ''],
  ] as const) {
    await expect(add(key, value)).rejects.toMatchObject(INVALID);
  }
});

ruleTest('kinesis', 'tags-resource', async () => {
  const { Consumer } = await cloud.client.registerStreamConsumer({
    StreamARN,
    ConsumerName: 'fast',
    Tags: { a: '1' },
  });
  for (const ResourceARN of [StreamARN, Consumer?.ConsumerARN]) {
    await cloud.client.tagResource({ ResourceARN, Tags: { a: '2', b: '3' } });
    await cloud.client.untagResource({ ResourceARN, TagKeys: ['b'] });
    const { Tags } = await cloud.client.listTagsForResource({ ResourceARN });
    expect(Tags).toEqual([{ Key: 'a', Value: '2' }]);
  }
  expect((await tags()).tags).toEqual(['a=2']);
  await expect(
    cloud.client.listTagsForResource({ ResourceARN: `${Consumer?.ConsumerARN}9` }),
  ).rejects.toMatchObject(NOT_FOUND);
});

ruleTest('kinesis', 'consumers', async () => {
  const register = (ConsumerName: string) =>
    cloud.client.registerStreamConsumer({ StreamARN, ConsumerName });
  const { Consumer } = await register('fast');
  const ConsumerARN = Consumer?.ConsumerARN;
  expect(ConsumerARN).toMatch(/:stream\/orders\/consumer\/fast:\d+$/);
  await expect(register('fast')).rejects.toMatchObject({ name: 'ResourceInUseException' });
  for (const by of [{ ConsumerARN }, { StreamARN, ConsumerName: 'fast' }]) {
    const { ConsumerDescription } = await cloud.client.describeStreamConsumer(by);
    expect(ConsumerDescription).toMatchObject({ ConsumerStatus: 'ACTIVE', StreamARN, ConsumerARN });
  }
  await expect(cloud.client.describeStreamConsumer({ StreamARN })).rejects.toMatchObject(INVALID);
  await expect(
    cloud.client.describeStreamConsumer({ ConsumerARN, ConsumerName: 'slow' }),
  ).rejects.toMatchObject(INVALID);

  await register('slow');
  const first = await cloud.client.listStreamConsumers({ StreamARN, MaxResults: 1 });
  const { NextToken } = first;
  const second = await cloud.client.listStreamConsumers({ StreamARN, NextToken });
  const names = [first, second].map(({ Consumers }) => Consumers?.map((one) => one.ConsumerName));
  expect([names, second.NextToken]).toEqual([[['fast'], ['slow']], undefined]);

  await cloud.client.deregisterStreamConsumer({ ConsumerARN });
  await expect(cloud.client.describeStreamConsumer({ ConsumerARN })).rejects.toMatchObject(
    NOT_FOUND,
  );
});

ruleTest('kinesis', 'consumers-max', async () => {
  const slow = await openTestKinesis({ limits: { settleMs: 500 } });
  const { arn } = slow.kinesis.createStream({ Name: StreamName, ShardCount: 1 });
  const register = (n: number) =>
    slow.client.registerStreamConsumer({ StreamARN: arn, ConsumerName: `consumer-${n}` });
  for (let n = 0; n < 5; n++) expect((await register(n)).Consumer?.ConsumerStatus).toBe('CREATING');
  await expect(register(5)).rejects.toMatchObject(OVER_LIMIT);
  for (let n = 5; n < 20; n++) {
    slow.clock.nowMs += 500;
    await register(n);
  }
  slow.clock.nowMs += 500;
  await expect(register(20)).rejects.toMatchObject(OVER_LIMIT);
  await slow.close();
});

ruleTest('kinesis', 'subscribe', async () => {
  const { Consumer } = await cloud.client.registerStreamConsumer({
    StreamARN,
    ConsumerName: 'fast',
  });
  await expect(
    cloud.client.subscribeToShard({
      ConsumerARN: Consumer?.ConsumerARN,
      ShardId: shardId(0),
      StartingPosition: { Type: 'LATEST' },
    }),
  ).rejects.toMatchObject({
    name: 'UnsupportedOperationException',
    message: expect.stringContaining('SubscribeToShard'),
  });
});
