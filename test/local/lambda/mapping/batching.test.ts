import { expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { DONE, mappingBench, settle, START_MS, STREAM_ARN } from './mapping-bench.ts';

ruleTest('mapping', 'batch-size', async () => {
  const { mapping, log, batches } = mappingBench({ properties: { BatchSize: 1 } });
  mapping.start();
  log.write('s0', 'a', 'b');
  await settle();
  expect(batches()).toEqual(['a', 'b']);
});

ruleTest('mapping', 'event-shape', async () => {
  const { mapping, log, calls } = mappingBench();
  const [sequenceNumber] = log.write('s0', ['key-5', 'hello']);
  mapping.start();
  await settle();
  expect(calls[0]!.event).toEqual({
    Records: [
      {
        kinesis: {
          kinesisSchemaVersion: '1.0',
          partitionKey: 'key-5',
          sequenceNumber,
          data: 'aGVsbG8=',
          approximateArrivalTimestamp: START_MS / 1000,
        },
        eventSource: 'aws:kinesis',
        eventVersion: '1.0',
        eventID: `s0:${sequenceNumber}`,
        eventName: 'aws:kinesis:record',
        invokeIdentityArn: 'arn:aws:iam::000000000000:role/consume',
        awsRegion: 'eu-west-1',
        eventSourceARN: STREAM_ARN,
      },
    ],
  });
});

ruleTest('mapping', 'batch-order', async () => {
  const { mapping, log, batches } = mappingBench({ properties: { BatchSize: 3 } });
  log.write('s0', 'a', 'b', 'c', 'd', 'e', 'f', 'g');
  mapping.start();
  await settle();
  expect(batches()).toEqual(['abc', 'def', 'g']);
  expect(mapping.isIdle()).toBe(true);
});

ruleTest('mapping', 'payload-bytes', async () => {
  const payloadBytesMax = 2000;
  const { mapping, log, calls } = mappingBench({ deps: { payloadBytesMax } });
  log.write('s0', ...Array.from({ length: 11 }, (_, i) => String(i).repeat(30)));
  mapping.start();
  await settle();
  const sizes = calls.map(({ payload }) => Buffer.byteLength(payload));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(payloadBytesMax);
  const oneRecord = Math.max(...sizes) / Math.max(...calls.map(({ texts }) => texts.length));
  expect(sizes.slice(0, -1).every((size) => size + oneRecord > payloadBytesMax)).toBe(true);
  expect(calls.flatMap(({ sequenceNumbers }) => sequenceNumbers)).toHaveLength(11);
});

ruleTest('mapping', 'record-too-large', async () => {
  const { mapping, log, batches, objects, events } = mappingBench({
    deps: { payloadBytesMax: 1000 },
    properties: { DestinationConfig: { OnFailure: { Destination: 'arn:aws:s3:::quarantine' } } },
  });
  log.write('s0', 'a', 'x'.repeat(900), 'b');
  mapping.start();
  await settle();
  expect(batches()).toEqual(['a', 'b']);
  expect([...objects.values()].map((text) => JSON.parse(text).requestContext)).toMatchObject([
    { condition: 'RecordTooLarge', approximateInvokeCount: 0 },
  ]);
  expect(events.map(({ kind }) => kind)).toContain('gave-up');
});

ruleTest('mapping', 'batching-window', async () => {
  const { mapping, log, clock, calls, batches } = mappingBench({
    properties: { MaximumBatchingWindowInSeconds: 3 },
  });
  mapping.start();
  log.write('s0', 'a');
  await clock.advance(2000);
  log.write('s0', 'b');
  await clock.advance(999);
  expect(batches()).toEqual([]);
  await clock.advance(1);
  expect(batches()).toEqual(['ab']);
  expect(calls[0]!.atMs).toBe(START_MS + 3000);
});

ruleTest('mapping', 'batching-window-full', async () => {
  const { mapping, log, batches } = mappingBench({
    properties: { MaximumBatchingWindowInSeconds: 300, BatchSize: 2 },
  });
  mapping.start();
  log.write('s0', 'a', 'b', 'c');
  await settle();
  expect(batches()).toEqual(['ab']);
});

ruleTest('mapping', 'told-of-writes', async () => {
  for (const [isFaithful, delayMs] of [
    [true, 1000],
    [false, 0],
  ] as const) {
    const { mapping, log, clock, calls } = mappingBench({ deps: { isFaithful } });
    mapping.start();
    await clock.advance(400);
    log.write('s0', 'a');
    await clock.advance(2000);
    expect(calls.map(({ atMs }) => atMs - START_MS)).toEqual([isFaithful ? delayMs : 400]);
    await mapping.stop();
  }
});

ruleTest('mapping', 'poll-batches', async () => {
  const { mapping, log, batches } = mappingBench({
    deps: { isFaithful: true },
    properties: { BatchSize: 2 },
  });
  log.write('s0', 'a', 'b', 'c', 'd', 'e');
  mapping.start();
  await settle();
  expect(batches()).toEqual(['ab', 'cd', 'e']);
});

ruleTest('mapping', 'shards-at-once', async () => {
  const { mapping, log, calls } = mappingBench({
    shards: ['s0', 's1'],
    answer: () => new Promise(() => {}),
  });
  log.write('s0', 'a');
  log.write('s1', 'b');
  mapping.start();
  await settle();
  expect(calls.flatMap(({ shardIds }) => shardIds)).toEqual(['s0', 's1']);
});

ruleTest('mapping', 'aggregated', async () => {
  const { mapping, log, calls } = mappingBench();
  const aggregate = Buffer.from('f3899ac20a0161', 'hex');
  log.write('s0', ['a', aggregate.toString('latin1')]);
  mapping.start();
  await settle();
  expect(calls.flatMap(({ texts }) => texts)).toEqual([aggregate.toString('latin1')]);
});

ruleTest('mapping', 'parallelization-factor', async () => {
  const finish: (() => void)[] = [];
  const { mapping, log, calls } = mappingBench({
    properties: { ParallelizationFactor: 4, BatchSize: 5 },
    answer: () => new Promise((resolve) => finish.push(() => resolve({ kind: 'ok', payload: '' }))),
  });
  const keys = Array.from({ length: 12 }, (_, i) => `key-${i}`);
  log.write('s0', ...[1, 2, 3].flatMap((n) => keys.map((key) => [key, `${key}:${n} `] as const)));
  mapping.start();
  await settle();
  expect(calls.length).toBeGreaterThan(1);
  const inFlight = calls.flatMap(({ event }) => [
    ...new Set(event.Records.map(({ kinesis }) => kinesis.partitionKey)),
  ]);
  expect(new Set(inFlight).size).toBe(inFlight.length);
  while (finish.length > 0) {
    finish.splice(0).forEach((answer) => answer());
    await settle();
  }
  const texts = calls.flatMap((call) => call.texts);
  for (const key of keys) {
    expect(texts.filter((text) => text.startsWith(`${key}:`))).toEqual(
      [1, 2, 3].map((n) => `${key}:${n} `),
    );
  }
  expect(mapping.isIdle()).toBe(true);
});

ruleTest('mapping', 'batching-window-next', async () => {
  let finish = () => {};
  const { mapping, log, clock, calls } = mappingBench({
    properties: { MaximumBatchingWindowInSeconds: 3 },
    answer: (_, index) =>
      index > 0 ? DONE : new Promise((resolve) => (finish = () => resolve(DONE))),
  });
  log.write('s0', 'a');
  mapping.start();
  await clock.advance(3000);
  log.write('s0', 'b');
  await clock.advance(7000);
  finish();
  await clock.advance(2999);
  expect(calls.map(({ atMs }) => atMs - START_MS)).toEqual([3000]);
  await clock.advance(1);
  expect(calls.map(({ atMs }) => atMs - START_MS)).toEqual([3000, 13_000]);
});

ruleTest('mapping', 'iterator-age', async () => {
  const { mapping, log, clock, events } = mappingBench();
  log.write('s0', 'a');
  await clock.advance(4200);
  mapping.start();
  await settle();
  expect(events.find(({ kind }) => kind === 'batch')).toMatchObject({
    functionName: 'penstock-dev-orders-consume-table',
    shardId: 's0',
    records: 1,
    attempt: 1,
    iteratorAgeMs: 4200,
  });
});

ruleTest('mapping', 'shard-end-batch', async () => {
  const { mapping, log, batches } = mappingBench({
    properties: { MaximumBatchingWindowInSeconds: 300 },
  });
  mapping.start();
  log.write('s0', 'a');
  log.reshard(['s0'], ['s1']);
  await settle();
  expect(batches()).toEqual(['a']);
});

ruleTest('mapping', 'poll-rate', async () => {
  const { mapping, log, clock, calls } = mappingBench({ deps: { isFaithful: true } });
  log.write('s0', 'a');
  mapping.start();
  log.write('s0', 'b');
  await clock.advance(5000);
  expect(calls.map(({ texts, atMs }) => [texts.join(''), atMs - START_MS])).toEqual([
    ['a', 0],
    ['b', 1000],
  ]);
});
