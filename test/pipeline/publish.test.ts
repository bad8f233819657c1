import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryStreamWriter } from '#adapters/memory/stream-writer';
import type { EntryFate } from '#adapters/memory/stream-writer';
import type { OutgoingRecord, PartitionKey } from '#core/record/records';
import { publish } from '#pipeline/publish';
import type { PublishWorld, PutPermission, SizedRecord } from '#pipeline/publish';
import { testClock } from './poll-world.ts';
import { publishWorld } from './publish-world.ts';

function record(key: string, number: number): SizedRecord {
  const partitionKey = key as PartitionKey;
  const data = new Uint8Array([number]);
  return { partitionKey, bytes: key.length + 1, record: { partitionKey, data } };
}

const numberOf = ({ data }: OutgoingRecord) => data[0]!;

const told = { pipeline: 'orders' };

describe('a request that was written in part', () => {
  test('PROD-01: exactly the entry that was throttled is sent again', async () => {
    const writer = memoryStreamWriter((request) => ({
      answered: true,
      entry: (_, at) => (request === 0 && at === 1 ? 'throttled' : 'written'),
    }));
    const result = await publish(
      [record('r0', 0), record('r1', 1), record('r2', 2)],
      told,
      publishWorld(writer),
    );
    expect(result).toMatchObject({ kind: 'published', requests: 2, resent: 1 });
    expect(writer.requests.map((r) => r.map(numberOf))).toEqual([[0, 1, 2], [1]]);
    expect(writer.written.map(numberOf)).toEqual([0, 2, 1]);
  });

  test('PROD-06: what was written is not sent again', async () => {
    const writer = memoryStreamWriter((request) => ({
      answered: true,
      entry: (_, at) => (request === 0 && at % 2 === 1 ? 'failed' : 'written'),
    }));
    const records = ['a', 'b', 'c', 'd'].map((key, at) => record(key, at));
    await publish(records, told, publishWorld(writer));
    expect(writer.requests.map((r) => r.map(numberOf))).toEqual([
      [0, 1, 2, 3],
      [1, 3],
    ]);
    expect(writer.written).toHaveLength(4);
  });

  test('is followed up without a pause; one that wrote nothing is not', async () => {
    const clock = testClock();
    const fates: EntryFate[][] = [
      ['throttled', 'throttled'],
      ['throttled', 'written'],
    ];
    const writer = memoryStreamWriter((request) => ({
      answered: true,
      entry: (_, at) => fates[request]?.[at] ?? 'written',
    }));
    await publish([record('a', 1), record('b', 2)], told, publishWorld(writer, { clock }));
    expect(clock.slept).toEqual([37]);
  });
});

test('PROD-16: a request that was never answered is sent again, whole', async () => {
  const writer = memoryStreamWriter((request) => ({
    answered: request > 0,
    entry: () => 'written',
  }));
  await publish([record('a', 1), record('b', 2)], told, publishWorld(writer));
  expect(writer.requests.map((r) => r.map(numberOf))).toEqual([
    [1, 2],
    [1, 2],
  ]);
});

test('no request starts without permission, and the rest stays unsent', async () => {
  const writer = memoryStreamWriter();
  const permissions: PutPermission[] = ['granted', 'out-of-time'];
  const mayPut = async () => permissions.shift()!;
  const result = await publish(
    [record('a', 1), record('a', 2)],
    told,
    publishWorld(writer, { mayPut }),
  );
  expect(result).toMatchObject({ kind: 'out-of-time', requests: 1, resent: 0 });
  expect(writer.written.map(numberOf)).toEqual([1]);
});

test('a stream that writes nothing twelve times in a row is unavailable', async () => {
  const writer = memoryStreamWriter(() => ({ answered: true, entry: () => 'throttled' }));
  const result = await publish([record('a', 1)], told, publishWorld(writer));
  expect(result).toMatchObject({ kind: 'stream-unavailable', requests: 12, resent: 12 });
});

// Mostly failures would only say that a stream is unavailable.
const fate = fc.constantFrom<EntryFate>('written', 'written', 'written', 'throttled', 'failed');

test('under any faults every record is written, and first writes of a key keep their order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 40 }),
      fc.infiniteStream(fate),
      fc.infiniteStream(fc.constantFrom(true, true, true, false)),
      fc.integer({ min: 1, max: 5 }),
      async (keys, fates, answers, requestRecordsMax) => {
        const records = keys.map((key, at) => record(key, at));
        const confirmed = new Set<number>();
        const sent: number[][] = [];
        const twin = memoryStreamWriter(() => ({
          answered: answers.next().value,
          entry: () => fates.next().value,
        }));
        const writer: PublishWorld['writer'] = {
          async put(request) {
            const again = request.map(numberOf);
            // Only what was not confirmed is ever sent, and no key twice.
            expect(again.filter((number) => confirmed.has(number))).toEqual([]);
            expect(new Set(request.map((r) => r.partitionKey)).size).toBe(request.length);
            sent.push(again);
            const outcomes = await twin.put(request);
            outcomes.forEach((o, at) => o.kind === 'written' && confirmed.add(again[at]!));
            return outcomes;
          },
        };
        const limits = { requestRecordsMax, requestBytesMax: 8 };
        const result = await publish(records, { ...told, limits }, publishWorld(writer));
        if (result.kind === 'stream-unavailable') return;

        expect(confirmed.size).toBe(records.length);
        for (const key of new Set(keys)) {
          const writes = twin.written.filter((r) => r.partitionKey === key).map(numberOf);
          const firsts = writes.filter((number, at) => writes.indexOf(number) === at);
          expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
          expect(firsts).toHaveLength(keys.filter((k) => k === key).length);
        }
        expect(result.requests).toBe(sent.length);
        expect(result.resent).toBe(sent.flat().length - records.length);
      },
    ),
    { numRuns: 300 },
  );
});
