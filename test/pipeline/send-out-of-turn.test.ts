/** Records sent out of turn: in order, at a rate, and no further than makes sense. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AwsError } from '#adapters/aws/aws-error';
import type { RecordEnd } from '#core/checkpoint/record-end';
import type { SequenceNumber, StoredRecord } from '#core/record/records';
import { outOfTurnSender } from '#pipeline/send-out-of-turn';
import type { OutOfTurnOptions, SentEnd } from '#pipeline/send-out-of-turn';

const down = () => new AwsError('the function did not answer', { retryable: true, cause: null });

const recordOf = (sequence: number, partitionKey: string, shard = 0): StoredRecord => ({
  shardId: `shardId-${shard}`,
  sequenceNumber: String(sequence) as SequenceNumber,
  partitionKey,
  data: Buffer.from('{}'),
  arrivalTimeMs: 1_900_000_000_000,
});

type Answer = (record: StoredRecord, call: number) => RecordEnd;

/** A consumer that answers as it is told, and a clock that passes only while one sleeps. */
function senderWorld(answer: Answer, options: Partial<OutOfTurnOptions> = {}) {
  const interrupt = new AbortController();
  const calls: { readonly atMs: number; readonly records: readonly StoredRecord[] }[] = [];
  const settled: [string, SentEnd][] = [];
  let nowMs = 0;
  const send = outOfTurnSender(
    {
      passage: 'redrive',
      recordsMax: 3,
      bytesMax: 100_000,
      recordsPerSec: 1_000,
      triesMax: 3,
      signal: interrupt.signal,
      ...options,
    },
    {
      call: async (records) => {
        calls.push({ atMs: nowMs, records });
        return records.map((record) => answer(record, calls.length));
      },
      clock: {
        nowMs: () => nowMs,
        sleep: async (durationMs) => {
          nowMs += durationMs;
        },
      },
      settle: async (records, ends) => {
        for (const [at, { sequenceNumber }] of records.entries())
          settled.push([sequenceNumber, ends[at]!]);
      },
    },
  );
  return { send, calls, settled, interrupt };
}

const keyed = fc
  .array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })
  .map((keys) => keys.map((key, at) => recordOf(at, key, at < 6 ? 0 : 1)));
const anyEnd = fc.constantFrom<RecordEnd>('written', 'stale', 'refused', 'returned', 'returned');

test('every record ends once, and what is told is what came', () =>
  fc.assert(
    fc.asyncProperty(keyed, fc.infiniteStream(anyEnd), async (records, answers) => {
      const { send, calls, settled } = senderWorld(() => answers.next().value);
      const { ends } = await send(records);
      expect(ends.length).toBe(records.length);
      const last = new Map<string, SentEnd>(settled);
      for (const [at, { sequenceNumber }] of records.entries()) {
        if (ends[at] !== 'unsent') expect(last.get(sequenceNumber)).toBe(ends[at]);
      }
      const sent = new Set(calls.flatMap((call) => call.records));
      for (const [at, record] of records.entries()) {
        if (!['unsent', 'returned'].includes(ends[at]!)) expect(sent.has(record)).toBe(true);
      }
    }),
  ));

test('no record of a key comes in a later call than one after it that was finished before', () =>
  fc.assert(
    fc.asyncProperty(keyed, fc.func(anyEnd), async (records, endOf) => {
      // A consumer keeps the order within a call: after one that it returns, it returns its key.
      const done: StoredRecord[] = [];
      const { send, calls } = senderWorld((record, call) => {
        const batch = calls.at(-1)!.records;
        const elder = batch.filter(
          (one) =>
            one.partitionKey === record.partitionKey && batch.indexOf(one) < batch.indexOf(record),
        );
        const end = elder.some((one) => !done.includes(one)) ? 'returned' : endOf(record, call);
        if (end !== 'returned') done.push(record);
        return end;
      });
      await send(records);
      for (const key of ['a', 'b', 'c']) {
        const order = done.filter(({ partitionKey }) => partitionKey === key);
        expect(order).toEqual(
          records.filter((record) => record.partitionKey === key).slice(0, order.length),
        );
      }
    }),
  ));

test('what is returned is sent again, alone, until it is finished', async () => {
  const { send, calls } = senderWorld(({ sequenceNumber }, call) =>
    sequenceNumber === '1' && call < 3 ? 'returned' : 'written',
  );
  const { ends } = await send([recordOf(0, 'a'), recordOf(1, 'b'), recordOf(2, 'c')]);
  expect(ends).toEqual(['written', 'written', 'written']);
  expect(calls.map(({ records }) => records.map((one) => one.sequenceNumber))).toEqual([
    ['0', '1', '2'],
    ['1'],
    ['1'],
  ]);
  expect(calls.map(({ atMs }) => atMs)).toEqual([0, 1_000, 2_000]);
});

test('a key that stays unfinished holds back its later records, and no other', async () => {
  const { send, calls } = senderWorld(
    ({ partitionKey }) => (partitionKey === 'stuck' ? 'returned' : 'written'),
    { recordsMax: 2 },
  );
  const first = await send([
    recordOf(0, 'stuck'),
    recordOf(1, 'a'),
    recordOf(2, 'stuck'),
    recordOf(3, 'b'),
  ]);
  expect(first).toEqual({
    ends: ['returned', 'written', 'returned', 'written'],
    detail: 'the consumer returned them',
  });
  const second = await send([recordOf(4, 'stuck'), recordOf(5, 'a')]);
  expect(second.ends).toEqual(['returned', 'written']);
  const sent = calls.flatMap(({ records }) => records.map((one) => one.sequenceNumber));
  expect(sent).not.toContain('2');
  expect(sent).not.toContain('4');
});

test('a consumer that is down is not asked for every record: it stops, and says why', async () => {
  const { send, calls, settled } = senderWorld(() => {
    throw down();
  });
  const records = Array.from({ length: 60 }, (_, at) => recordOf(at, `key-${at}`));
  const { ends, stop, detail } = await send(records);
  expect({ stop, detail }).toEqual({
    stop: 'fruitless',
    detail: 'AwsError: the function did not answer',
  });
  expect(calls.length).toBe(9);
  expect(ends.slice(0, 9)).toEqual(Array(9).fill('returned'));
  expect(ends.slice(9)).toEqual(Array(51).fill('unsent'));
  expect(settled.length).toBe(9);
});

test('what can never be answered is thrown, and what ended before stands', async () => {
  const { send, settled } = senderWorld(
    (_record, call) => {
      if (call > 1) throw new AwsError('no such function', { retryable: false, cause: null });
      return 'written';
    },
    { recordsMax: 1 },
  );
  await expect(send([recordOf(0, 'a'), recordOf(1, 'b')])).rejects.toThrow('no such function');
  expect(settled).toEqual([
    ['0', 'written'],
    ['1', 'unsent'],
  ]);
});

test('once interrupted, what is under way is told and nothing more is sent', async () => {
  const { send, calls, interrupt } = senderWorld(
    () => {
      interrupt.abort();
      return 'written';
    },
    { recordsMax: 1 },
  );
  const { ends, stop } = await send([recordOf(0, 'a'), recordOf(1, 'b'), recordOf(2, 'c')]);
  expect({ ends, stop }).toEqual({ ends: ['written', 'unsent', 'unsent'], stop: 'interrupted' });
  expect(calls.length).toBe(1);
});

test('an interruption ends a pause', async () => {
  const interrupt = new AbortController();
  const send = outOfTurnSender(
    {
      passage: 'replay',
      recordsMax: 1,
      bytesMax: 100_000,
      recordsPerSec: 1,
      triesMax: 3,
      signal: interrupt.signal,
    },
    {
      call: async () => ['written'],
      clock: {
        nowMs: () => 0,
        sleep: async () => {
          interrupt.abort();
          return new Promise(() => {});
        },
      },
    },
  );
  expect(await send([recordOf(0, 'a'), recordOf(1, 'b')])).toEqual({
    ends: ['written', 'unsent'],
    stop: 'interrupted',
  });
});

test('no second holds more records than the rate allows', async () => {
  const { send, calls } = senderWorld(() => 'written', { recordsMax: 100, recordsPerSec: 5 });
  await send(Array.from({ length: 23 }, (_, at) => recordOf(at, 'a')));
  expect(calls.map(({ atMs, records }) => [atMs, records.length])).toEqual([
    [0, 5],
    [1_000, 5],
    [2_000, 5],
    [3_000, 5],
    [4_000, 3],
  ]);
});

test('what no call can hold is not sent, and holds nothing back', async () => {
  const { send, calls } = senderWorld(() => 'written', { bytesMax: 20_000 });
  const large = { ...recordOf(0, 'a'), data: Buffer.alloc(20_000) };
  expect((await send([large, recordOf(1, 'a')])).ends).toEqual(['too-large', 'written']);
  expect(calls.length).toBe(1);
});
