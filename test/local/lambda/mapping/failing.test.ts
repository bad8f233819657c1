import { expect, test } from 'vitest';
import { DONE, failing, mappingBench, settle, THROTTLED, THROWN } from './mapping-bench.ts';

const toBucket = { DestinationConfig: { OnFailure: { Destination: 'arn:aws:s3:::quarantine' } } };

test('CONS-01: failures of s13 and s11 rewind to s11; s10 is done', async () => {
  const { mapping, log, calls, clock } = mappingBench({
    answer: ({ sequenceNumbers }) => (sequenceNumbers.includes('10') ? failing('13', '11') : DONE),
  });
  log.write('s0', 'a', 'b', 'c', 'd');
  mapping.start();
  await clock.advance(1000);
  expect(calls.map(({ sequenceNumbers }) => sequenceNumbers)).toEqual([
    ['10', '11', '12', '13'],
    ['11', '12', '13'],
  ]);
});

test('N retries are N + 1 attempts, each after a longer pause, and then the batch is given up', async () => {
  const { mapping, log, calls, clock, batches } = mappingBench({
    properties: { MaximumRetryAttempts: 3, ...toBucket },
    answer: ({ texts }) => (texts.includes('a') ? THROWN : DONE),
  });
  log.write('s0', 'a', 'b');
  mapping.start();
  await clock.advance(60_000);
  log.write('s0', 'c');
  await settle();
  expect(batches()).toEqual(['ab', 'ab', 'ab', 'ab', 'c']);
  const pauses = calls.slice(1, 4).map(({ atMs }, i) => atMs - calls[i]!.atMs);
  expect(pauses).toEqual([150, 300, 600]);
});

test('without a limit a failing batch holds its shard, and no other', async () => {
  const { mapping, log, clock, batches } = mappingBench({
    shards: ['s0', 's1'],
    answer: ({ texts }) => (texts.includes('a') ? THROWN : DONE),
  });
  log.write('s0', 'a');
  mapping.start();
  log.write('s1', 'b');
  await clock.advance(3_600_000);
  log.write('s0', 'c');
  await clock.advance(60_000);
  expect(new Set(batches())).toEqual(new Set(['a', 'b']));
  expect(batches().length).toBeGreaterThan(100);
  expect(mapping.isIdle()).toBe(false);
});

test('throttles spend no retries', async () => {
  const { mapping, log, clock, batches, events } = mappingBench({
    properties: { MaximumRetryAttempts: 1 },
    answer: (_, index) => (index < 9 ? THROTTLED : index === 9 ? THROWN : DONE),
  });
  log.write('s0', 'a');
  mapping.start();
  await clock.advance(600_000);
  expect(batches()).toHaveLength(11);
  expect(events.some(({ kind }) => kind === 'gave-up')).toBe(false);
});

test('a function that cannot be run at all is as good as throttled', async () => {
  let tries = 0;
  const { mapping, log, clock, events } = mappingBench({
    properties: { MaximumRetryAttempts: 0 },
    answer: () => (++tries === 1 ? Promise.reject(new Error('no such function')) : DONE),
  });
  log.write('s0', 'a');
  mapping.start();
  await clock.advance(1000);
  expect(tries).toBe(2);
  expect(events.find(({ kind }) => kind === 'retry')).toMatchObject({ reason: 'throttled' });
});

test('a bisected batch corners its poison record, spending no retry', async () => {
  const { mapping, log, clock, batches, objects } = mappingBench({
    properties: { BisectBatchOnFunctionError: true, MaximumRetryAttempts: 1, ...toBucket },
    answer: ({ texts }) => (texts.includes('d') ? THROWN : DONE),
  });
  log.write('s0', 'a', 'b', 'c', 'd', 'e', 'f');
  mapping.start();
  await clock.advance(10_000);
  expect(batches()).toEqual(['abcdef', 'abc', 'def', 'de', 'd', 'd', 'e', 'f']);
  expect([...objects.values()].map((text) => JSON.parse(text).KinesisBatchInfo.batchSize)).toEqual([
    1,
  ]);
});

test('a partial response with bisect splits at the returned number, spending no retry', async () => {
  const { mapping, log, clock, calls, batches } = mappingBench({
    properties: { BisectBatchOnFunctionError: true, MaximumRetryAttempts: 0 },
    answer: ({ texts, sequenceNumbers }) => (texts.length > 1 ? failing(sequenceNumbers[1]) : DONE),
  });
  log.write('s0', 'a', 'b', 'c', 'd');
  mapping.start();
  await clock.advance(10_000);
  expect(batches()).toEqual(['abcd', 'bcd', 'cd', 'd']);
  expect(calls.every(({ atMs }) => atMs === calls[0]!.atMs)).toBe(true);
});

test('a partial response without bisect spends a retry', async () => {
  const { mapping, log, clock, batches, objects } = mappingBench({
    properties: { MaximumRetryAttempts: 1, ...toBucket },
    answer: ({ texts, sequenceNumbers }) => (texts.length > 1 ? failing(sequenceNumbers[1]) : DONE),
  });
  log.write('s0', 'a', 'b', 'c', 'd');
  mapping.start();
  await clock.advance(10_000);
  expect(batches()).toEqual(['abcd', 'bcd']);
  const [document] = [...objects.values()].map((text) => JSON.parse(text));
  expect(document.KinesisBatchInfo).toMatchObject({ batchSize: 2, startSequenceNumber: '12' });
});

test('records older than the maximum age are given up, younger ones of the batch are not', async () => {
  let isOut = true;
  const { mapping, log, clock, batches, objects } = mappingBench({
    properties: { MaximumRecordAgeInSeconds: 60, ...toBucket },
    answer: () => (isOut ? THROTTLED : DONE),
  });
  log.write('s0', 'a');
  await clock.advance(40_000);
  log.write('s0', 'b');
  mapping.start();
  await clock.advance(30_000);
  isOut = false;
  await clock.advance(30_000);
  expect(batches().at(0)).toBe('ab');
  expect(batches().at(-1)).toBe('b');
  const [document] = [...objects.values()].map((text) => JSON.parse(text));
  expect(document).toMatchObject({
    requestContext: { condition: 'RecordAgeExceeded', approximateInvokeCount: 0 },
    KinesisBatchInfo: { batchSize: 1, startSequenceNumber: '10' },
  });
});

test('what is given up is written with its metadata and its event', async () => {
  const { mapping, log, clock, calls, objects, events } = mappingBench({
    properties: { MaximumRetryAttempts: 2, ...toBucket },
    answer: () => THROWN,
  });
  log.write('s0', 'a', 'b');
  mapping.start();
  await clock.advance(10_000);
  const [[key, text]] = [...objects] as [[string, string]];
  expect(key).toMatch(
    new RegExp(
      `^quarantine/aws/lambda/${mapping.uuid}/s0/2026/11/29/2026-11-29T12\\.34\\.57-[0-9a-f-]{36}$`,
    ),
  );
  expect(events.find(({ kind }) => kind === 'gave-up')).toMatchObject({
    key: key.slice('quarantine/'.length),
    records: 2,
    detail: 'TypeError',
  });
  expect(JSON.parse(text)).toEqual({
    requestContext: {
      requestId: 'request-7',
      functionArn: expect.stringContaining(':function:penstock-dev-orders-consume-table'),
      condition: 'RetryAttemptsExhausted',
      approximateInvokeCount: 3,
    },
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    version: '1.0',
    timestamp: '2026-11-29T12:34:57.239Z',
    KinesisBatchInfo: {
      shardId: 's0',
      startSequenceNumber: '10',
      endSequenceNumber: '11',
      approximateArrivalOfFirstRecord: '2026-11-29T12:34:56.789Z',
      approximateArrivalOfLastRecord: '2026-11-29T12:34:56.789Z',
      batchSize: 2,
      streamArn: 'arn:aws:kinesis:eu-west-1:000000000000:stream/penstock-dev-orders',
    },
    payload: calls[0]!.payload,
  });
});

test('a destination that refuses costs the records, is told, and holds up nothing', async () => {
  const refuse = () => {
    throw new Error('NoSuchBucket');
  };
  const { mapping, log, clock, batches, events } = mappingBench({
    properties: { MaximumRetryAttempts: 0, BatchSize: 1, ...toBucket },
    answer: ({ texts }) => (texts.includes('a') ? THROWN : DONE),
    deps: {
      objects: { put: refuse, get: () => undefined, list: () => [], delete: () => {} },
    },
  });
  log.write('s0', 'a', 'b');
  mapping.start();
  await clock.advance(1000);
  expect(batches()).toEqual(['a', 'b']);
  expect(events.find(({ kind }) => kind === 'destination-failed')).toMatchObject({
    message: expect.stringContaining('NoSuchBucket'),
  });
});

test('a record exactly as old as the maximum age is still tried', async () => {
  const { mapping, log, clock, batches } = mappingBench({
    properties: { MaximumRecordAgeInSeconds: 60 },
  });
  log.write('s0', 'a');
  await clock.advance(60_000);
  mapping.start();
  await settle();
  expect(batches()).toEqual(['a']);
});

test.each([
  ['attempts', { MaximumRetryAttempts: 0 }, 0],
  ['age', { MaximumRecordAgeInSeconds: 60 }, 61_000],
])('what was given up for its %s is not tried again by a restart', async (_, rule, ageMs) => {
  const properties = { ...rule, ...toBucket };
  const first = mappingBench({ properties, answer: () => THROWN });
  first.log.write('s0', 'a');
  await first.clock.advance(ageMs);
  first.mapping.start();
  await settle();
  await first.mapping.stop();
  expect(first.objects.size).toBe(1);
  const second = mappingBench({ log: first.log, storage: first.storage });
  second.mapping.start();
  await settle();
  expect(second.batches()).toEqual([]);
});

test('a batch whose function is ended with the mapping spends no attempt, and is not given up', async () => {
  const { mapping, log, batches, events } = mappingBench({
    properties: { MaximumRetryAttempts: 0, ...toBucket },
    answer: () => {
      stopping = mapping.stop();
      return THROWN;
    },
  });
  let stopping: Promise<void> | undefined;
  log.write('s0', 'a');
  mapping.start();
  await settle();
  await stopping;
  expect(batches()).toEqual(['a']);
  expect(events.map(({ kind }) => kind)).not.toContain('gave-up');
});
