import { afterEach, beforeEach, expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { openTestKinesis } from './kinesis-cloud.ts';
import type { TestKinesis } from './kinesis-cloud.ts';

let cloud: TestKinesis;
beforeEach(async () => {
  cloud = await openTestKinesis({ limits: { callRateFactor: 1 } });
  cloud.kinesis.createStream({ Name: 'orders', ShardCount: 2 });
});
afterEach(() => cloud.close());

const StreamName = 'orders';
const StreamARN = 'arn:aws:kinesis:eu-west-1:123456789012:stream/orders';
const RECORD = { StreamName, PartitionKey: 'a', Data: 'eA==' };

ruleTest('kinesis', 'input-kind', async () => {
  const requests = [
    ['PutRecord', { ...RECORD, PartitionKey: 7 }],
    ['PutRecord', { ...RECORD, Data: true }],
    ['PutRecords', { StreamName, Records: { a: 1 } }],
    [
      'GetShardIterator',
      { StreamName, ShardId: '0', ShardIteratorType: 'AT_TIMESTAMP', Timestamp: 'now' },
    ],
    ['ListShards', { StreamName, MaxResults: '5' }],
    ['ListShards', { StreamName, MaxResults: 1.5 }],
    ['AddTagsToStream', { StreamName, Tags: ['a'] }],
    ['DeleteStream', { StreamName, EnforceConsumerDeletion: 'yes' }],
  ] as const;
  for (const [operation, input] of requests) {
    expect(await cloud.raw(operation, input)).toMatchObject({
      status: 400,
      answer: { __type: 'SerializationException' },
    });
  }
});

ruleTest('kinesis', 'input-all-at-once', async () => {
  const { answer } = await cloud.raw('PutRecord', {
    StreamName: 'no spaces',
    PartitionKey: '',
    SequenceNumberForOrdering: '00',
  });
  expect(answer).toEqual({
    __type: 'ValidationException',
    message:
      "4 validation errors detected: Value 'no spaces' at 'streamName' failed to satisfy constraint: " +
      'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; ' +
      "Value null at 'data' failed to satisfy constraint: Member must not be null; " +
      "Value '' at 'partitionKey' failed to satisfy constraint: " +
      'Member must have length greater than or equal to 1; ' +
      "Value '00' at 'sequenceNumberForOrdering' failed to satisfy constraint: " +
      'Member must satisfy regular expression pattern: 0|([1-9]\\d{0,128})',
  });
  const records = await cloud.raw('PutRecords', {
    StreamName,
    Records: [RECORD, RECORD].map(({ Data }) => ({ Data })),
  });
  expect(records.answer).toMatchObject({
    message: expect.stringMatching(
      /^2 .*'records\.1\.member\.partitionKey'.*'records\.2\.member\.partitionKey'/,
    ),
  });
});

ruleTest('kinesis', 'input-unknown', async () => {
  for (const [operation, input, name] of [
    ['PutRecord', { ...RECORD, Colour: 'red' }, 'Colour'],
    ['PutRecord', { ...RECORD, StreamId: 'a-b' }, 'StreamId'],
    [
      'PutRecords',
      { StreamName, Records: [{ PartitionKey: 'a', Data: '', Colour: 'red' }] },
      'Colour',
    ],
    [
      'CreateStream',
      { StreamName: 'new', ShardCount: 1, WarmThroughputMiBps: 7 },
      'WarmThroughputMiBps',
    ],
  ] as const) {
    const { answer } = await cloud.raw(operation, input);
    expect(answer).toMatchObject({
      __type: 'ValidationException',
      message: expect.stringMatching(new RegExp(`emulator limit: parameter .*${name}`)),
    });
  }
});

ruleTest('kinesis', 'input-stream', async () => {
  for (const by of [{ StreamName }, { StreamARN }, { StreamName, StreamARN }]) {
    const { StreamDescriptionSummary } = await cloud.client.describeStreamSummary(by);
    expect(StreamDescriptionSummary?.StreamName).toBe('orders');
    expect(
      await cloud.client.putRecord({ ...by, PartitionKey: 'a', Data: new Uint8Array() }),
    ).toHaveProperty('ShardId');
    expect((await cloud.client.listShards(by)).Shards).toHaveLength(2);
  }
  await expect(
    cloud.client.describeStreamSummary({ StreamARN, StreamName: 'other' }),
  ).rejects.toMatchObject({ name: 'InvalidArgumentException' });
});

ruleTest('kinesis', 'input-stream-missing', async () => {
  await expect(cloud.client.describeStream({})).rejects.toMatchObject({
    name: 'InvalidArgumentException',
  });
});

ruleTest('kinesis', 'input-not-found', async () => {
  for (const by of [
    { StreamName: 'other' },
    { StreamARN: StreamARN.replace('123456789012', '210987654321') },
    { StreamARN: StreamARN.replace('eu-west-1', 'eu-west-2') },
  ]) {
    await expect(
      cloud.client.putRecord({ ...by, PartitionKey: 'a', Data: new Uint8Array() }),
    ).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  }
});

ruleTest('kinesis', 'input-unknown-operation', async () => {
  const { answer } = await cloud.raw('CreateQueue', {});
  expect(answer).toMatchObject({
    __type: 'UnknownOperationException',
    message: expect.stringContaining('CreateQueue'),
  });
});

ruleTest('kinesis', 'call-rates', async () => {
  for (let turn = 0; turn < 10; turn++) await cloud.client.describeStream({ StreamName });
  await expect(cloud.client.describeStream({ StreamName })).rejects.toMatchObject({
    name: 'LimitExceededException',
  });
  cloud.clock.nowMs += 100;
  await cloud.client.describeStream({ StreamName });
  await cloud.client.describeLimits({});
  await expect(cloud.client.describeLimits({})).rejects.toMatchObject({
    name: 'LimitExceededException',
  });
  for (let turn = 0; turn < 1_000; turn++) await cloud.kinesis.handle(listing);
  expect((await cloud.raw('ListShards', { StreamName })).status).toBe(400);
});

const listing = {
  method: 'POST',
  path: '/',
  query: new URLSearchParams(),
  headers: { 'x-amz-target': 'Kinesis_20131202.ListShards' },
  body: Buffer.from(JSON.stringify({ StreamName })),
};
