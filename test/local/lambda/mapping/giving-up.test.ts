import { expect } from 'vitest';
import { failureDocument } from '#local/lambda/mapping/failure-document';
import { ruleTest } from '#test/local/rules/rule-test';
import { DONE, mappingBench, settle, START_MS, THROWN } from './mapping-bench.ts';

const toBucket = { DestinationConfig: { OnFailure: { Destination: 'arn:aws:s3:::quarantine' } } };
const toQueue = {
  DestinationConfig: { OnFailure: { Destination: 'arn:aws:sqs:us-east-1:000000000000:failures' } },
};

ruleTest('mapping', 'failure-queue', async () => {
  const { mapping, log, messages, events, objects } = mappingBench({
    properties: { MaximumRetryAttempts: 0, ...toQueue },
    answer: () => THROWN,
  });
  log.write('s0', 'a', 'b');
  mapping.start();
  await settle();
  expect(messages.map(([queue]) => queue)).toEqual(['arn:aws:sqs:us-east-1:000000000000:failures']);
  const document = JSON.parse(messages[0]![1]);
  expect(document).toMatchObject({
    requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 1 },
    KinesisBatchInfo: { shardId: 's0', startSequenceNumber: '10', endSequenceNumber: '11' },
  });
  expect(document).not.toHaveProperty('payload');
  expect(objects.size).toBe(0);
  expect(events.find(({ kind }) => kind === 'gave-up')).toMatchObject({ queue: messages[0]![0] });
});

ruleTest('mapping', 'failure-nowhere', async () => {
  const { mapping, log, batches, messages, objects, events } = mappingBench({
    properties: { MaximumRetryAttempts: 0, BatchSize: 1 },
    answer: ({ texts }) => (texts.includes('a') ? THROWN : DONE),
  });
  log.write('s0', 'a', 'b');
  mapping.start();
  await settle();
  expect(batches()).toEqual(['a', 'b']);
  expect([messages, [...objects]]).toEqual([[], []]);
  const told = events.find(({ kind }) => kind === 'gave-up');
  expect(told).not.toHaveProperty('key');
  expect(told).not.toHaveProperty('queue');
});

ruleTest('mapping', 'failure-uninvoked', async () => {
  const { mapping, log, clock, messages } = mappingBench({
    properties: { MaximumRecordAgeInSeconds: 60, ...toQueue },
  });
  log.write('s0', 'a');
  await clock.advance(61_000);
  mapping.start();
  await settle();
  const document = JSON.parse(messages[0]![1]);
  expect(document).toMatchObject({ requestContext: { condition: 'RecordAgeExceeded' } });
  expect(document).not.toHaveProperty('responseContext');
});

ruleTest('mapping', 'bisect-free', async () => {
  const { mapping, log, batches, objects } = mappingBench({
    properties: { BisectBatchOnFunctionError: true, MaximumRetryAttempts: 0, ...toBucket },
    answer: ({ texts }) => (texts.includes('d') ? THROWN : DONE),
  });
  log.write('s0', 'a', 'b', 'c', 'd');
  mapping.start();
  await settle();
  expect(batches()).toEqual(['abcd', 'ab', 'cd', 'c', 'd']);
  expect(objects.size).toBe(1);
});

ruleTest('mapping', 'failure-document', () => {
  const record = { sequenceNumber: '7', arrivalTimeMs: START_MS, json: '{}', bytes: 2 };
  const giveUp = {
    records: [record, { ...record, sequenceNumber: '9', arrivalTimeMs: START_MS + 2 }],
    condition: 'RetryAttemptsExhausted',
    invokes: 3,
    requestId: 'request-7',
    functionError: 'Unhandled',
  } as const;
  const source = { mappingUuid: 'm', functionArn: 'fn-arn', streamArn: 'arn', shardId: 's0' };
  expect(failureDocument(giveUp, source, START_MS + 1000)).toEqual({
    requestContext: {
      requestId: 'request-7',
      functionArn: 'fn-arn',
      condition: 'RetryAttemptsExhausted',
      approximateInvokeCount: 3,
    },
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    version: '1.0',
    timestamp: '2026-11-29T12:34:57.789Z',
    KinesisBatchInfo: {
      shardId: 's0',
      startSequenceNumber: '7',
      endSequenceNumber: '9',
      approximateArrivalOfFirstRecord: '2026-11-29T12:34:56.789Z',
      approximateArrivalOfLastRecord: '2026-11-29T12:34:56.791Z',
      batchSize: 2,
      streamArn: 'arn',
    },
  });
});

ruleTest('mapping', 'record-gone', async () => {
  const { mapping, log, clock, batches, objects } = mappingBench({
    properties: { ...toBucket },
    answer: ({ texts }) => (texts.includes('a') || texts.includes('b') ? THROWN : DONE),
  });
  log.write('s0', 'a', 'b', 'c');
  mapping.start();
  await clock.advance(1000);
  log.expire('s0', 1);
  await clock.advance(60_000);
  log.expire('s0', 1);
  await clock.advance(60_000);
  expect([...new Set(batches())]).toEqual(['abc', 'bc', 'c']);
  expect([...objects.values()].map((text) => JSON.parse(text).requestContext.condition)).toEqual([
    'RecordAgeExceeded',
    'RecordAgeExceeded',
  ]);
  expect(mapping.isIdle()).toBe(true);
});

ruleTest('mapping', 'failure-bucket', async () => {
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

ruleTest('mapping', 'failure-refused', async () => {
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

const GIVEN_UP = [
  [{ MaximumRetryAttempts: 0 }, 0],
  [{ MaximumRecordAgeInSeconds: 60 }, 61_000],
] as const;

ruleTest('mapping', 'failure-once', async () => {
  for (const [rule, ageMs] of GIVEN_UP) await giveUpAndRestart(rule, ageMs);
});

async function giveUpAndRestart(rule: object, ageMs: number): Promise<void> {
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
}
