import { afterEach, expect, test } from 'vitest';
import type { FaultPlan } from '#local/contracts';
import { ruleTest } from '#test/local/rules/rule-test';
import { RING, bytes, openTestKinesis, shardId } from './kinesis-cloud.ts';
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
  cloud.client.putRecords({
    StreamName: 'orders',
    Records: records.map(({ key, data = bytes('x'), hashKey }) => ({
      PartitionKey: key,
      Data: data,
      ExplicitHashKey: hashKey,
    })),
  });

const putOne = (more: { key?: string; data?: Uint8Array; after?: string; dry?: boolean } = {}) =>
  cloud.client.putRecord({
    StreamName: 'orders',
    PartitionKey: more.key ?? 'a',
    Data: more.data ?? bytes('x'),
    SequenceNumberForOrdering: more.after,
    DryRun: more.dry,
  });

/** Partition keys in the order of shards and of their records. */
function stored(): string[] {
  const all = { records: 10_000, bytes: 1e9 };
  return cloud.kinesis
    .listShards('orders')
    .flatMap(
      ({ shardId }) => cloud.kinesis.read('orders', shardId, { kind: 'trim-horizon' }, all).records,
    )
    .map(({ partitionKey }) => partitionKey);
}

const keys = (count: number) => Array.from({ length: count }, (_, n) => ({ key: `key-${n}` }));
const THROTTLED = 'ProvisionedThroughputExceededException';
const MIB = 1024 * 1024;

ruleTest('kinesis', 'put-request-records', async () => {
  await open();
  for (const count of [0, 501]) {
    await expect(put(keys(count))).rejects.toMatchObject({ name: 'ValidationException' });
  }
  expect((await put(keys(500))).FailedRecordCount).toBe(0);
});

ruleTest('kinesis', 'put-request-bytes', async () => {
  await open({ MaxRecordSizeInKiB: 10_240, ShardCount: 2 });
  const rest = (bytes: number) => [
    { key: 'a', hashKey: '0', data: new Uint8Array(6 * MIB - 1) },
    { key: 'b', hashKey: String(RING - 1n), data: new Uint8Array(bytes) },
  ];
  await expect(put(rest(4 * MIB))).rejects.toMatchObject({ name: 'InvalidArgumentException' });
  expect((await put(rest(4 * MIB - 1))).FailedRecordCount).toBe(0);
});

ruleTest('kinesis', 'put-record-bytes', async () => {
  await open();
  const ofSize = (size: number) => ({ key: 'key', data: new Uint8Array(size) });
  await expect(put([{ key: 'a' }, ofSize(MIB - 2)])).rejects.toMatchObject({
    name: 'InvalidArgumentException',
  });
  expect((await put([ofSize(MIB - 3)])).FailedRecordCount).toBe(0);
});

ruleTest('kinesis', 'put-too-large', async () => {
  await open();
  const large = { key: 'b', data: new Uint8Array(MIB) };
  await expect(put([{ key: 'a' }, large])).rejects.toMatchObject({
    name: 'InvalidArgumentException',
  });
  expect(stored()).toEqual([]);
});

ruleTest('kinesis', 'put-bucket', async () => {
  await open();
  cloud.clock.nowMs += 3_600_000;
  const answers = [await put(keys(500)), await put(keys(500)), await put(keys(500))];
  expect(answers.map(({ FailedRecordCount }) => FailedRecordCount)).toEqual([0, 0, 500]);
});

ruleTest('kinesis', 'put-record-bytes-more', async () => {
  await open({ MaxRecordSizeInKiB: 10_240 });
  await expect(putOne({ data: new Uint8Array(10 * MIB) })).rejects.toMatchObject({
    name: 'InvalidArgumentException',
  });
  await expect(putOne({ data: new Uint8Array(10 * MIB + 1) })).rejects.toMatchObject({
    name: 'ValidationException',
  });
  await putOne({ data: new Uint8Array(10 * MIB - 1) });
  expect(stored()).toEqual(['a']);
});

ruleTest('kinesis', 'put-large-burst', async () => {
  await open({ MaxRecordSizeInKiB: 10_240 });
  await putOne({ data: new Uint8Array(5 * MIB - 1) });
  cloud.clock.nowMs += 4_000;
  await expect(putOne()).rejects.toMatchObject({ name: THROTTLED });
  cloud.clock.nowMs += 1;
  await putOne();
});

ruleTest('kinesis', 'put-partition-key', async () => {
  await open();
  for (const key of ['', 'k'.repeat(257), '😀'.repeat(257)]) {
    await expect(put([{ key }])).rejects.toMatchObject({ name: 'ValidationException' });
  }
  expect((await put([{ key: '€'.repeat(256) }, { key: '😀'.repeat(256) }])).FailedRecordCount).toBe(
    0,
  );
});

ruleTest('kinesis', 'put-partition-key-absent', async () => {
  await open();
  const request = { StreamName: 'orders', Records: [{ Data: bytes('x') }] };
  await expect(cloud.client.putRecords(request as never)).rejects.toMatchObject({
    name: 'ValidationException',
    message: expect.stringContaining('records.1.member.partitionKey'),
  });
});

/** MD5 by openssl: `printf 'a' | openssl md5`, in decimal. */
const HASHES: readonly (readonly [string, bigint])[] = [
  ['a', 0x0cc175b9c0f1b6a831c399e269772661n],
  ['b', 0x92eb5ffee6ae2fec3ad71c777531578fn],
  ['ü', 0xc03410a5204b21cd8229ff754688d743n],
];

ruleTest('kinesis', 'put-hash', async () => {
  await open({ ShardCount: 16 });
  const { Records = [] } = await put(HASHES.map(([key]) => ({ key })));
  const sixteenth = RING / 16n;
  expect(Records.map(({ ShardId }) => ShardId)).toEqual(
    HASHES.map(([, hash]) => shardId(Number(hash / sixteenth))),
  );
});

for (const hashKey of [
  '340282366920938463463374607431768211456',
  '-1',
  '0x10',
  '007',
  ' 1',
  '1e3',
]) {
  ruleTest(
    'kinesis',
    'put-hash-key',
    async () => {
      await open();
      const name = hashKey.length === 39 ? 'InvalidArgumentException' : 'ValidationException';
      await expect(put([{ key: 'a', hashKey }])).rejects.toMatchObject({ name });
      expect(stored()).toEqual([]);
    },
    `"${hashKey}" is none`,
  );
}

ruleTest('kinesis', 'put-hash-key-wins', async () => {
  await open({ ShardCount: 3 });
  const answer = await put([
    { key: 'a', hashKey: '340282366920938463463374607431768211455' },
    { key: 'a', hashKey: '0' },
  ]);
  expect(answer.Records?.map(({ ShardId }) => ShardId)).toEqual([shardId(2), shardId(0)]);
});

ruleTest('kinesis', 'put-empty-data', async () => {
  await open();
  await putOne({ data: new Uint8Array() });
  expect(stored()).toEqual(['a']);
});

ruleTest('kinesis', 'put-base64', async () => {
  await open();
  for (const Data of ['eA=', 'e===', '****', 'eA-=', 'eA_=', 'e A=']) {
    const { answer } = await cloud.raw('PutRecord', {
      StreamName: 'orders',
      PartitionKey: 'a',
      Data,
    });
    expect(answer).toMatchObject({ __type: 'SerializationException' });
  }
  expect(stored()).toEqual([]);
});

ruleTest('kinesis', 'put-records-rate', async () => {
  await open();
  await put(keys(500));
  await put(keys(500));
  expect((await put([{ key: 'late' }])).Records?.[0]?.ErrorCode).toBe(THROTTLED);
  cloud.clock.nowMs += 250;
  expect((await put(keys(500))).FailedRecordCount).toBe(250);
});

ruleTest('kinesis', 'put-bytes-rate', async () => {
  await open({ ShardCount: 2 });
  const data = new Uint8Array(600 * 1024);
  const low = { key: 'a', data, hashKey: '0' };
  const high = { key: 'b', data, hashKey: String(RING - 1n) };
  const answer = await put([low, low, high]);
  expect(answer.Records?.map(({ ErrorCode }) => ErrorCode)).toEqual([
    undefined,
    THROTTLED,
    undefined,
  ]);
});

ruleTest('kinesis', 'put-partial-failure', async () => {
  await open({}, { onPut: (_, index) => (index === 1 ? 'throttle' : undefined) });
  const answer = await put([{ key: 'a' }, { key: 'b' }, { key: 'c' }]);
  expect(answer.FailedRecordCount).toBe(1);
  expect(answer.Records?.[1]).toEqual({
    ErrorCode: THROTTLED,
    ErrorMessage:
      'Rate exceeded for shard shardId-000000000000 in stream orders under account 123456789012.',
  });
  expect(stored()).toEqual(['a', 'c']);
});

ruleTest('kinesis', 'put-internal-failure', async () => {
  await open({}, { onPut: (_, index) => (index === 0 ? 'fail' : undefined) });
  const answer = await put([{ key: 'a' }, { key: 'b' }]);
  expect(answer.FailedRecordCount).toBe(1);
  expect(answer.Records?.[0]).toEqual({
    ErrorCode: 'InternalFailure',
    ErrorMessage: 'Internal Service Failure',
  });
  expect(stored()).toEqual(['b']);
});

ruleTest('kinesis', 'put-checked-first', async () => {
  await open();
  await expect(put([{ key: 'a' }, { key: '' }])).rejects.toMatchObject({
    name: 'ValidationException',
  });
  await expect(put([{ key: 'a' }, { key: 'b', hashKey: String(RING) }])).rejects.toMatchObject({
    name: 'InvalidArgumentException',
  });
  expect(stored()).toEqual([]);
});

ruleTest('kinesis', 'put-record-throttled', async () => {
  const faults: ('throttle' | 'fail')[] = ['throttle', 'fail'];
  await open({}, { onPut: () => faults.shift() });
  await expect(putOne()).rejects.toMatchObject({ name: THROTTLED });
  await expect(putOne()).rejects.toMatchObject({
    name: 'InternalFailureException',
    $metadata: { httpStatusCode: 500 },
  });
  await putOne();
});

ruleTest('kinesis', 'put-numbers-rise', async () => {
  await open({ ShardCount: 3 });
  const answers = [await put(keys(90)), await put(keys(90))];
  const records = answers.flatMap(({ Records = [] }) => Records);
  const numbers = records.map(({ SequenceNumber = '' }) => SequenceNumber);
  expect(new Set(numbers).size).toBe(180);
  for (const ofShard of Map.groupBy(records, ({ ShardId }) => ShardId).values()) {
    const written = ofShard.map(({ SequenceNumber = '' }) => BigInt(SequenceNumber));
    expect(written).toEqual(written.toSorted((a, b) => (a < b ? -1 : 1)));
  }
});

ruleTest('kinesis', 'put-number-form', async () => {
  await open();
  const { Records = [] } = await put(keys(40));
  for (const { SequenceNumber } of Records) expect(SequenceNumber).toMatch(/^49\d{54}$/);
});

ruleTest('kinesis', 'put-ordering', async () => {
  await open({ ShardCount: 2 });
  let { SequenceNumber: last = '' } = await putOne();
  for (let turn = 0; turn < 20; turn++) {
    const { SequenceNumber = '' } = await putOne({ after: last });
    expect(BigInt(SequenceNumber) > BigInt(last)).toBe(true);
    last = SequenceNumber;
  }
});

ruleTest('kinesis', 'put-ordering-refused', async () => {
  await open();
  const { SequenceNumber = '' } = await putOne();
  for (const after of ['0', '7', '9'.repeat(129)]) {
    await expect(putOne({ after })).rejects.toMatchObject({ name: 'InvalidArgumentException' });
  }
  cloud.clock.nowMs -= 1_000;
  await expect(putOne({ after: SequenceNumber })).rejects.toMatchObject({
    name: 'InvalidArgumentException',
  });
  expect(stored()).toEqual(['a']);
});

ruleTest('kinesis', 'put-dry-run', async () => {
  await open();
  const asked = { StreamName: 'orders', ShardId: '0', ShardIteratorType: 'TRIM_HORIZON' } as const;
  const { ShardIterator } = await cloud.client.getShardIterator(asked);
  const DryRun = true;
  for (const request of [
    putOne({ dry: true }),
    cloud.client.putRecords({
      StreamName: 'orders',
      Records: [{ PartitionKey: 'a', Data: bytes('x') }],
      DryRun,
    }),
    cloud.client.getShardIterator({ ...asked, DryRun }),
    cloud.client.getRecords({ ShardIterator, DryRun }),
  ]) {
    await expect(request).rejects.toMatchObject({ name: 'DryRunOperationException' });
  }
  await expect(putOne({ key: '', dry: true })).rejects.toMatchObject({
    name: 'ValidationException',
  });
  expect(stored()).toEqual([]);
});

ruleTest('kinesis', 'put-duplicates', async () => {
  const faults: 'timeout-after-write'[] = ['timeout-after-write'];
  await open({}, { onPutRequest: () => faults.shift() });
  await expect(put([{ key: 'a' }])).rejects.toThrow();
  await put([{ key: 'a' }]);
  expect(stored()).toEqual(['a', 'a']);
});

test('a call may be refused whole by command, and nothing is written', async () => {
  await open({}, { onPutRequest: () => 'refuse' });
  await expect(put([{ key: 'a' }])).rejects.toMatchObject({ name: 'InternalFailureException' });
  expect(stored()).toEqual([]);
});
