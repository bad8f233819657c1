import {
  GetRecordsCommand,
  GetShardIteratorCommand,
  PutRecordCommand,
  PutRecordsCommand,
} from '@aws-sdk/client-kinesis';
import { afterEach, expect, test } from 'vitest';
import type { FaultPlan } from '#local/contracts';
import { bytes, openTestKinesis, text } from './kinesis-cloud.ts';
import type { TestKinesis } from './kinesis-cloud.ts';

let cloud: TestKinesis;
afterEach(() => cloud.close());

async function open(
  stream: { ShardCount?: number; MaxRecordSizeInKiB?: number } = {},
  faults: FaultPlan = {},
): Promise<void> {
  cloud = await openTestKinesis({ faults });
  cloud.kinesis.createStream({ Name: 'orders', ShardCount: 1, ...stream });
}

const put = (records: { key: string; data?: Uint8Array; hashKey?: string }[]) =>
  cloud.client.send(
    new PutRecordsCommand({
      StreamName: 'orders',
      Records: records.map(({ key, data = bytes('x'), hashKey }) => ({
        PartitionKey: key,
        Data: data,
        ExplicitHashKey: hashKey,
      })),
    }),
  );

async function stored(): Promise<string[]> {
  return cloud.kinesis
    .listShards('orders')
    .flatMap(
      ({ shardId }) =>
        cloud.kinesis.read(
          'orders',
          shardId,
          { kind: 'trim-horizon' },
          { records: 10_000, bytes: 1e9 },
        ).records,
    )
    .map(({ partitionKey }) => partitionKey);
}

test('records come back as they were put, in order', async () => {
  await open();
  const answer = await put([
    { key: 'a', data: bytes('one') },
    { key: 'b', data: bytes('two') },
  ]);
  expect(answer.FailedRecordCount).toBe(0);
  const { ShardIterator } = await cloud.client.send(
    new GetShardIteratorCommand({
      StreamName: 'orders',
      ShardId: 'shardId-000000000000',
      ShardIteratorType: 'TRIM_HORIZON',
    }),
  );
  const { Records = [] } = await cloud.client.send(new GetRecordsCommand({ ShardIterator }));
  expect(Records.map(({ PartitionKey, Data }) => [PartitionKey, text(Data)])).toEqual([
    ['a', 'one'],
    ['b', 'two'],
  ]);
  expect(Records[0]?.ApproximateArrivalTimestamp).toEqual(new Date(cloud.clock.nowMs));
  expect(Records.map(({ SequenceNumber }) => SequenceNumber)).toEqual(
    answer.Records?.map(({ SequenceNumber }) => SequenceNumber),
  );
});

test('sequence numbers have 56 digits, begin with 49 and rise', async () => {
  await open();
  const answer = await put(Array.from({ length: 40 }, (_, n) => ({ key: `key-${n}` })));
  const numbers = answer.Records?.map(({ SequenceNumber }) => SequenceNumber ?? '') ?? [];
  for (const number of numbers) expect(number).toMatch(/^49\d{54}$/);
  expect(numbers.toSorted()).toEqual(numbers);
  expect(new Set(numbers).size).toBe(40);
});

test('PROD-05: one empty partition key fails the whole call, and nothing is written', async () => {
  await open();
  await expect(put([{ key: 'a' }, { key: '' }])).rejects.toMatchObject({
    name: 'ValidationException',
  });
  expect(await stored()).toEqual([]);
});

test('PROD-05: throttling fails single entries of a call that answers 200', async () => {
  await open(
    {},
    { onPut: (_, index) => (index === 1 ? 'throttle' : index === 2 ? 'fail' : undefined) },
  );
  const answer = await put([{ key: 'a' }, { key: 'b' }, { key: 'c' }, { key: 'd' }]);
  expect(answer.FailedRecordCount).toBe(2);
  expect(answer.Records?.map(({ ErrorCode }) => ErrorCode)).toEqual([
    undefined,
    'ProvisionedThroughputExceededException',
    'InternalFailure',
    undefined,
  ]);
  expect(await stored()).toEqual(['a', 'd']);
});

test('501 records are refused, 500 are not', async () => {
  await open();
  const keys = (count: number) => Array.from({ length: count }, (_, n) => ({ key: `key-${n}` }));
  await expect(put(keys(501))).rejects.toMatchObject({ name: 'ValidationException' });
  expect((await put(keys(500))).FailedRecordCount).toBe(0);
});

test('a record of one byte more than the stream allows fails the whole call', async () => {
  await open();
  const MIB = 1024 * 1024;
  await expect(
    put([{ key: 'a' }, { key: 'key', data: new Uint8Array(MIB - 2) }]),
  ).rejects.toMatchObject({
    name: 'InvalidArgumentException',
  });
  expect((await put([{ key: 'key', data: new Uint8Array(MIB - 3) }])).FailedRecordCount).toBe(0);
});

test('a stream may allow records of 10 MiB, and a request no more than that in all', async () => {
  await open({ MaxRecordSizeInKiB: 10_240, ShardCount: 2 });
  const large = new Uint8Array(6 * 1024 * 1024);
  const half = { key: 'a', data: large, hashKey: '0' };
  expect((await put([half])).FailedRecordCount).toBe(0);
  await expect(put([half, { ...half, key: 'b' }])).rejects.toMatchObject({
    name: 'InvalidArgumentException',
  });
});

test('a partition key has at most 256 characters, however many bytes', async () => {
  await open();
  await expect(put([{ key: 'k'.repeat(257) }])).rejects.toMatchObject({
    name: 'ValidationException',
  });
  expect((await put([{ key: '€'.repeat(256) }])).FailedRecordCount).toBe(0);
});

test('a shard takes 1,000 records, then throttles until time has passed', async () => {
  await open();
  const five = Array.from({ length: 500 }, (_, n) => ({ key: `key-${n}` }));
  await put(five);
  await put(five);
  expect((await put([{ key: 'late' }])).Records?.[0]?.ErrorCode).toBe(
    'ProvisionedThroughputExceededException',
  );
  cloud.clock.nowMs += 250;
  expect((await put(five)).FailedRecordCount).toBe(250);
});

test('a shard takes one MiB, then throttles, while its neighbour goes on', async () => {
  await open({ ShardCount: 2 });
  const data = new Uint8Array(600 * 1024);
  const low = { key: 'a', data, hashKey: '0' };
  const high = { key: 'b', data, hashKey: String(2n ** 128n - 1n) };
  const answer = await put([low, low, high]);
  expect(answer.Records?.map(({ ErrorCode }) => ErrorCode !== undefined)).toEqual([
    false,
    true,
    false,
  ]);
});

test('PutRecord answers throttling as an error of the call', async () => {
  await open({}, { onPut: () => 'throttle' });
  await expect(
    cloud.client.send(
      new PutRecordCommand({ StreamName: 'orders', PartitionKey: 'a', Data: bytes('x') }),
    ),
  ).rejects.toMatchObject({ name: 'ProvisionedThroughputExceededException' });
});

test.each([
  ['340282366920938463463374607431768211456', 'InvalidArgumentException'],
  ['-1', 'ValidationException'],
  ['0x10', 'ValidationException'],
  ['007', 'ValidationException'],
])('PROD-17: the explicit hash key %s is refused', async (hashKey, name) => {
  await open();
  await expect(put([{ key: 'a', hashKey }])).rejects.toMatchObject({ name });
});

test('PROD-17: the last explicit hash key goes to the last shard', async () => {
  await open({ ShardCount: 3 });
  const answer = await put([{ key: 'a', hashKey: '340282366920938463463374607431768211455' }]);
  expect(answer.Records?.[0]?.ShardId).toBe('shardId-000000000002');
});

test('a call may time out after its records were written', async () => {
  await open({}, { onPutRequest: () => 'timeout-after-write' });
  await expect(put([{ key: 'a' }])).rejects.toThrow();
  expect(await stored()).toEqual(['a']);
});

test('a call may be refused whole, and nothing is written', async () => {
  await open({}, { onPutRequest: () => 'refuse' });
  await expect(put([{ key: 'a' }])).rejects.toMatchObject({ name: 'InternalFailureException' });
  expect(await stored()).toEqual([]);
});

test('a parameter that we do not know is an emulator limit, loudly', async () => {
  await open();
  const request = { StreamName: 'orders', PartitionKey: 'a', Data: bytes('x'), DryRun: true };
  const answer = await fetch(cloud.url, {
    method: 'POST',
    headers: { 'x-amz-target': 'Kinesis_20131202.PutRecord' },
    body: JSON.stringify({ ...request, Data: 'eA==' }),
  });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ message: expect.stringContaining('emulator limit') });
});

test('an unknown stream is not found', async () => {
  await open();
  await expect(
    cloud.client.send(
      new PutRecordCommand({ StreamName: 'other', PartitionKey: 'a', Data: bytes('x') }),
    ),
  ).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});
