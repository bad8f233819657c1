import { expect, test } from 'vitest';
import { AwsError } from '#adapters/aws/aws-error';
import { memoryRecordTable } from '#adapters/memory/record-table';
import type { TelemetryEvent } from '#core/telemetry-event';
import { tablePace } from '#pipeline/table-pace';
import { tableSink } from '#pipeline/table-sink';
import type { RecordTable } from '#ports/record-table';
import { ARRIVAL_MS, consumeWorld, eventOf, recordOf, turns } from './consume-world.ts';

const throttle = () => new AwsError('slow down', { retryable: true, throttled: true, cause: null });

/** A table that throttles as a test says, behind a sink with a pace, under a clock that only sleep moves. */
function pacedWorld(throttles: (write: number) => boolean, concurrency = 8) {
  const memory = memoryRecordTable();
  const inFlight = { now: 0, most: 0 };
  let writes = 0;
  const table: RecordTable = {
    async upsert(event) {
      const isThrottled = throttles(writes++);
      inFlight.most = Math.max(inFlight.most, ++inFlight.now);
      await turns(3);
      inFlight.now--;
      if (isThrottled) throw throttle();
      return memory.upsert(event);
    },
  };
  let nowMs = ARRIVAL_MS;
  const slept: number[] = [];
  const clock = {
    nowMs: () => nowMs,
    async sleep(ms: number) {
      slept.push(ms);
      nowMs += ms;
    },
  };
  const events: TelemetryEvent[] = [];
  const report = (event: TelemetryEvent) => void events.push(event);
  const pace = tablePace(
    { pipeline: 'orders', consumer: 'orders', concurrency },
    { clock, chance: () => 0.5, report },
  );
  const sink = tableSink(table, clock, pace);
  const world = consumeWorld({ sink, clock, report }, { concurrency });
  return { ...world, memory, inFlight, slept, pace, events, writes: () => writes };
}

let sequence = 100;
const keys = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) =>
    recordOf(sequence++, eventOf({ key: `k${from + at}`, version: 1 })),
  );

test('a throttled key is written after a pause, in the same batch', async () => {
  const { consume, memory, slept } = pacedWorld((write) => write < 3, 1);
  expect(await consume(keys(2))).toEqual({});
  expect([...memory.standing.keys()]).toEqual(['k0', 'k1']);
  expect(slept).toEqual([75, 150, 300]);
});

test('keys that are throttled together halve the bound once, and the events say so', async () => {
  const { consume, events, pace, memory } = pacedWorld((write) => write < 8);
  await consume(keys(30));
  expect(memory.standing.size).toBe(30);
  expect(events.filter(({ event }) => event === 'TableSlowed')).toEqual([
    { event: 'TableSlowed', pipeline: 'orders', consumer: 'orders', keysMax: 4, keysMaxBefore: 8 },
  ]);
  expect(pace.keysMax()).toBe(5);
});

test('the bound outlives its batch, and grows back to what was agreed', async () => {
  const { consume, inFlight, pace } = pacedWorld((write) => write < 8);
  await consume(keys(8));
  expect(pace.keysMax()).toBe(4);
  inFlight.most = 0;
  await consume(keys(10, 100));
  expect(inFlight.most).toBe(4);
  await consume(keys(60, 200));
  expect(pace.keysMax()).toBe(8);
  inFlight.most = 0;
  await consume(keys(20, 300));
  expect(inFlight.most).toBe(8);
});

test('what is throttled until the time is up is returned, and nothing else', async () => {
  const { consume, memory, events, writes } = pacedWorld((write) => write !== 0, 1);
  const records = keys(3);
  const { resumeAt } = await consume(records, ARRIVAL_MS + 1_000);
  expect(resumeAt).toBe(records[1]!.sequenceNumber);
  expect([...memory.standing.keys()]).toEqual(['k0']);
  expect(writes()).toBeGreaterThan(2);
  const failed = events.filter(({ event }) => event === 'WriteFailed');
  expect(failed).toHaveLength(2);
  expect(failed[0]).toMatchObject({ retryable: true, error: 'AwsError: slow down' });
});

test('another failure of the table is no reason to slow down', async () => {
  let writes = 0;
  const events: TelemetryEvent[] = [];
  const report = (event: TelemetryEvent) => void events.push(event);
  const clock = { nowMs: () => ARRIVAL_MS, sleep: async () => {} };
  const pace = tablePace(
    { pipeline: 'orders', consumer: 'orders', concurrency: 4 },
    { clock, chance: () => 0, report },
  );
  const fails = async () => {
    writes++;
    throw new AwsError('gone', { retryable: true, cause: null });
  };
  await expect(pace.write(fails, ARRIVAL_MS + 60_000)).rejects.toThrow('gone');
  expect([writes, pace.keysMax(), events]).toEqual([1, 4, []]);
});
