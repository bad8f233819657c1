import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { FaultPlan } from '#local/contracts';
import { createKinesis } from '#local/emulators/kinesis/kinesis';
import { createScheduler } from '#local/emulators/scheduler/scheduler';
import type { Measurement } from '#local/metrics/measurement';
import { steppedClock } from '#local/kit/stepped-clock';

const START_MS = Date.parse('2026-07-06T05:04:03Z');

/** What was measured, by name; every number is of the same dimensions. */
function recorder(namespace: string, dimensions: Measurement['dimensions']) {
  const values: [string, number][] = [];
  const measure = ({ name, value, ...of }: Measurement): void => {
    expect(of).toEqual({ namespace, dimensions });
    values.push([name, value]);
  };
  return { measure, taken: () => values.splice(0) };
}

function openStream(faults: FaultPlan = {}) {
  const { measure, taken } = recorder('AWS/Kinesis', { StreamName: 'river' });
  const kinesis = createKinesis({
    storage: new DatabaseSync(':memory:'),
    clock: steppedClock(START_MS),
    region: 'us-east-1',
    accountId: '000000000000',
    faults,
    measure,
  });
  kinesis.createStream({ Name: 'river', ShardCount: 1 });
  const ask = async (operation: string, input: object): Promise<Record<string, unknown>> => {
    const { body = '' } = await kinesis.handle({
      method: 'POST',
      path: '/',
      query: new URLSearchParams(),
      headers: { 'x-amz-target': `${kinesis.target}.${operation}` },
      body: Buffer.from(JSON.stringify({ StreamName: 'river', ...input })),
    });
    return JSON.parse(String(body)) as Record<string, unknown>;
  };
  return { ask, taken };
}

/** Three bytes of data, of which `AAAA` is the base64, and a key of two. */
const RECORD = { Data: 'AAAA', PartitionKey: 'ab' };

test('a stream measures what it takes and what it refuses, zeros too', async () => {
  let throttled = 0;
  const { ask, taken } = openStream({
    onPut: (_, index) => (index < throttled ? 'throttle' : undefined),
  });
  await ask('PutRecords', { Records: [RECORD, RECORD, RECORD] });
  expect(taken()).toEqual([
    ['WriteProvisionedThroughputExceeded', 0],
    ['IncomingRecords', 3],
    ['IncomingBytes', 15],
  ]);
  throttled = 2;
  await ask('PutRecords', { Records: [RECORD, RECORD, RECORD] });
  expect(taken()).toEqual([
    ['WriteProvisionedThroughputExceeded', 2],
    ['IncomingRecords', 1],
    ['IncomingBytes', 5],
  ]);
  await ask('PutRecord', RECORD);
  expect(taken()).toEqual([['WriteProvisionedThroughputExceeded', 1]]);
});

test('a failure that is no throttle is not measured as one', async () => {
  const { ask, taken } = openStream({ onPut: () => 'fail' });
  await ask('PutRecords', { Records: [RECORD] });
  expect(taken()).toEqual([['WriteProvisionedThroughputExceeded', 0]]);
});

test('a stream measures the reads that it refuses', async () => {
  const { ask, taken } = openStream();
  const { ShardIterator } = await ask('GetShardIterator', {
    ShardId: 'shardId-000000000000',
    ShardIteratorType: 'LATEST',
  });
  for (let read = 0; read < 6; read++)
    await ask('GetRecords', { ShardIterator, StreamName: undefined });
  expect(taken().map(([, value]) => value)).toEqual([0, 0, 0, 0, 0, 1]);
});

test('a tick that is dropped is measured by its group, and starts nothing', async () => {
  const { measure, taken } = recorder('AWS/Scheduler', { ScheduleGroup: 'group' });
  const clock = steppedClock(START_MS);
  let isBroken = false;
  let delivered = 0;
  const scheduler = createScheduler({
    clock,
    deliver: async () => void delivered++,
    faults: { onTick: () => (isBroken ? 'drop' : undefined) },
    measure,
  });
  scheduler.add({
    name: 'poll',
    arn: 'arn:aws:scheduler:us-east-1:000000000000:schedule/group/poll',
    expression: 'rate(1 minute)',
    zone: 'UTC',
    enabled: true,
    functionName: 'fn',
  });
  scheduler.start();
  await clock.step(0);
  isBroken = true;
  await clock.step(60_000);
  expect(taken()).toEqual([
    ['InvocationAttemptCount', 1],
    ['InvocationDroppedCount', 1],
  ]);
  expect(delivered).toBe(1);
});
