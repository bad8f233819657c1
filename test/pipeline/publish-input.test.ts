import { expect, test } from 'vitest';
import { memoryStreamWriter } from '#adapters/memory/stream-writer';
import { Defect } from '#core/assert';
import type { PartitionKey } from '#core/record/records';
import { publish } from '#pipeline/publish';
import type { PublishWorld, SizedRecord } from '#pipeline/publish';
import { publishWorld } from './publish-world.ts';

const told = { pipeline: 'orders' };
const recordOf = (number: number, key = `k${number}`): SizedRecord => {
  const partitionKey = key as PartitionKey;
  return { partitionKey, bytes: 10, record: { partitionKey, data: new Uint8Array([number]) } };
};
test('a source that runs ahead waits: no more is asked of it than there is room for', async () => {
  let given = 0;
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const memory = memoryStreamWriter();
  const writer: PublishWorld['writer'] = {
    async put(records) {
      await held;
      return memory.put(records);
    },
  };
  function* records() {
    for (; given < 100; given++) yield recordOf(given);
  }
  const limits = { requestRecordsMax: 2, requestBytesMax: 1_000 };
  const work = publish(records(), { ...told, limits, bufferBytesMax: 50 }, publishWorld(writer));
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  expect(given).toBeLessThanOrEqual(6);
  answer();
  expect(await work).toMatchObject({ kind: 'published', confirmed: 100, requests: 50 });
});

test('records that come slowly are sent as soon as nothing is in flight', async () => {
  const memory = memoryStreamWriter();
  async function* records() {
    yield recordOf(1);
    while (memory.written.length === 0) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    yield recordOf(2);
  }
  const result = await publish(records(), told, publishWorld(memory));
  expect(result).toMatchObject({ kind: 'published', requests: 2, confirmed: 2 });
});

test('a source that throws ends the work: what it gave is confirmed or returned', async () => {
  function* records() {
    yield recordOf(1);
    yield recordOf(2);
    throw new Error('the page is gone');
  }
  const result = await publish(records(), told, publishWorld(memoryStreamWriter()));
  expect(result).toMatchObject({ kind: 'failed', accepted: 2, frontier: result.confirmed });
  expect(result.confirmed + result.unconfirmed.length).toBe(2);
  expect(result.error).toEqual(new Error('the page is gone'));
});

test('a source is told when nobody reads on', async () => {
  let isTold = false;
  function* records() {
    try {
      for (let number = 0; ; number++) yield recordOf(number % 250);
    } finally {
      isTold = true;
    }
  }
  const permissions = ['granted', 'lease-lost'] as const;
  let asked = 0;
  const mayPut = async () => permissions[asked++] ?? 'lease-lost';
  const result = await publish(records(), told, publishWorld(memoryStreamWriter(), { mayPut }));
  expect(result.kind).toBe('lease-lost');
  expect(isTold).toBe(true);
});

test('a writer that knows no way on ends the work with its error, and the rest is returned', async () => {
  const memory = memoryStreamWriter();
  let puts = 0;
  const writer: PublishWorld['writer'] = {
    async put(records) {
      if (++puts === 2) throw new Error('the key of the stream is denied');
      return memory.put(records);
    },
  };
  const limits = { requestRecordsMax: 2, requestBytesMax: 1_000 };
  const records = Array.from({ length: 6 }, (_, at) => recordOf(at));
  const result = await publish(records, { ...told, limits }, publishWorld(writer));
  expect(result).toMatchObject({ kind: 'failed', confirmed: 2, frontier: 2, requests: 2 });
  expect(result.unconfirmed).toEqual(records.slice(2, result.accepted));
});

test('aborted, it answers once the writer does, with what is not confirmed', async () => {
  const controller = new AbortController();
  const writer: PublishWorld['writer'] = {
    put: (records, signal) =>
      new Promise((resolve) => {
        const cause = new Error('aborted');
        signal?.addEventListener('abort', () =>
          resolve(records.map(() => ({ kind: 'unknown', cause }))),
        );
        controller.abort();
      }),
  };
  const world = publishWorld(writer, { signal: controller.signal });
  const result = await publish([recordOf(1), recordOf(2)], told, world);
  expect(result).toMatchObject({ kind: 'aborted', confirmed: 0, frontier: 0, requests: 1 });
  expect(result.unconfirmed).toHaveLength(2);
});

test('a permission that cannot be had is a failure, not an exception', async () => {
  const mayPut = () => Promise.reject(new Error('the state table is gone'));
  const result = await publish([recordOf(1)], told, publishWorld(memoryStreamWriter(), { mayPut }));
  expect(result).toMatchObject({ kind: 'failed', accepted: 1, confirmed: 0, requests: 0 });
});

test('a poison record costs only itself, and comes back with its reason', async () => {
  const large = { ...recordOf(2), bytes: 21 };
  const nameless = { ...recordOf(3), partitionKey: '' };
  const records = [recordOf(1), large, nameless, recordOf(4)];
  const result = await publish(
    records,
    { ...told, recordBytesMax: 20 },
    publishWorld(memoryStreamWriter()),
  );
  expect(result).toMatchObject({ kind: 'published', accepted: 2, confirmed: 2 });
  expect(result.refused.map(({ record, refusal }) => [record, refusal.reason])).toEqual([
    [large, 'record-too-large'],
    [nameless, 'no-partition-key'],
  ]);
});

test('a writer that answers for other records than it was given is a defect', async () => {
  const writer: PublishWorld['writer'] = { put: async () => [{ kind: 'throttled' }] };
  const work = publish([recordOf(1), recordOf(2)], told, publishWorld(writer));
  await expect(work).rejects.toThrow(Defect);
});

test('a key of many records is one record a request; others ride along', async () => {
  const memory = memoryStreamWriter();
  const records = Array.from({ length: 40 }, (_, at) =>
    recordOf(at, at % 4 === 0 ? 'hot' : `k${at}`),
  );
  const limits = { requestRecordsMax: 4, requestBytesMax: 1_000 };
  const result = await publish(
    records,
    { ...told, limits, requestsInFlight: 3 },
    publishWorld(memory),
  );
  expect(result).toMatchObject({ kind: 'published', requests: 10 });
});
