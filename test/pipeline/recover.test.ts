/** What a mapping gave up on is tried once more; what does not end is kept, record by record. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AwsError } from '#adapters/aws/aws-error';
import { memoryGivenUpDocuments } from '#adapters/memory/given-up-documents';
import type { RecordEnd } from '#core/checkpoint/record-end';
import type { RecoverEvent } from '#core/checkpoint/recover-event';
import type { StoredRecord } from '#core/record/records';
import { recover } from '#pipeline/recover';
import type { RecoverOptions, RecoverPorts } from '#pipeline/recover';
import type { GivenUp } from '#ports/given-up-documents';
import { ARRIVAL_MS, consumeWorld, eventOf, recordOf, transient } from './consume-world.ts';

const NOW_MS = ARRIVAL_MS + 60_000;
const HOUR_MS = 3_600_000;

const documentOf = (records: readonly StoredRecord[], atMs = NOW_MS): GivenUp => ({
  consumer: 'orders',
  condition: 'RetryAttemptsExhausted',
  attempts: 101,
  atMs,
  records,
});

/** A true consumer, of which some keys never end. */
function recoverWorld(
  documents: readonly GivenUp[],
  isStuck: (key: string) => boolean = () => false,
) {
  const store = memoryGivenUpDocuments();
  for (const [at, one] of documents.entries()) store.documents.set(`aws/lambda/${at}`, one);
  const world = consumeWorld();
  const told: RecoverEvent[] = [];
  const ports: RecoverPorts = {
    documents: store,
    callOf: () => async (records, passage) => {
      const sound = records.filter(({ partitionKey }) => !isStuck(partitionKey));
      const { ends } = await world.consumeAs(passage, sound);
      const left = [...ends];
      return records.map((record): RecordEnd =>
        sound.includes(record) ? left.shift()! : 'returned',
      );
    },
    quarantine: world.quarantine,
    marks: world.marks,
    report: (event) => void told.push(event as RecoverEvent),
    clock: { nowMs: () => NOW_MS, sleep: async () => {} },
  };
  const options: RecoverOptions = {
    pipeline: 'orders',
    recordsMax: 3,
    waitMs: HOUR_MS,
    signal: new AbortController().signal,
  };
  const run = (change: Partial<RecoverPorts> = {}, optionsToo: Partial<RecoverOptions> = {}) =>
    recover({ ...options, ...optionsToo }, { ...ports, ...change });
  return { ...world, store, told, ports, run };
}

const orders = (...keys: string[]) =>
  keys.map((key, at) => recordOf(at + 1, eventOf({ key, version: 1 })));

test('records that were never tried are written, and the one that fails alone is kept as given up', async () => {
  const world = recoverWorld(
    [documentOf([...orders('a', 'stuck', 'c'), recordOf(9, '%%%')])],
    (key) => key === 'stuck',
  );
  await world.run();
  expect([...world.store.documents.keys()]).toEqual([]);
  expect(world.table.get('a')?.subject).toBe('a');
  expect(world.table.get('c')?.subject).toBe('c');
  expect(
    world.quarantine.kept().map(({ stage, reason, place, origin, atMs, detail }) => ({
      stage,
      reason,
      place,
      origin,
      atMs,
      detail,
    })),
  ).toEqual([
    {
      stage: 'orders',
      reason: 'not-json',
      place: 'shardId-000000000003-9',
      origin: expect.objectContaining({ sequenceNumber: '9' }),
      atMs: ARRIVAL_MS + 9,
      detail: expect.any(String),
    },
    {
      stage: 'orders',
      reason: 'given-up',
      place: 'shardId-000000000003-2',
      origin: {
        shardId: 'shardId-000000000003',
        sequenceNumber: '2',
        partitionKey: 'stuck',
        arrivalTimeMs: ARRIVAL_MS + 2,
      },
      atMs: ARRIVAL_MS + 2,
      detail:
        'RetryAttemptsExhausted after 101 attempts, and it did not end when it was sent again',
    },
  ]);
  expect(world.told).toEqual([
    {
      event: 'DocumentRecovered',
      pipeline: 'orders',
      consumer: 'orders',
      key: 'aws/lambda/0',
      condition: 'RetryAttemptsExhausted',
      attempts: 101,
      records: 4,
      recovered: 2,
      refused: 1,
      givenUp: 1,
    },
  ]);
});

test('while its consumer ends nothing, a document waits, until it is too old', async () => {
  const world = recoverWorld([documentOf(orders('a', 'b'))], () => true);
  await world.run();
  expect(world.store.documents.size).toBe(1);
  expect(world.quarantine.kept()).toEqual([]);
  expect(world.told).toMatchObject([{ event: 'DocumentWaits', why: 'consumer' }]);

  await world.run({ clock: { nowMs: () => NOW_MS + HOUR_MS, sleep: async () => {} } });
  expect(world.store.documents.size).toBe(0);
  expect(world.quarantine.kept().map(({ reason, place }) => [reason, place])).toEqual([
    ['given-up', 'shardId-000000000003-1'],
    ['given-up', 'shardId-000000000003-2'],
  ]);
});

test('a consumer that is down is called a few times, however many documents wait', async () => {
  const documents = Array.from({ length: 40 }, (_, at) =>
    documentOf([recordOf(at + 1, eventOf({ key: `k${at}`, version: 1 }))]),
  );
  const world = recoverWorld(documents);
  let calls = 0;
  await world.run({
    callOf: () => async () => {
      calls += 1;
      throw transient();
    },
  });
  expect(calls).toBe(6);
  expect(world.store.documents.size).toBe(40);
  expect(world.told.every((one) => one.event === 'DocumentWaits')).toBe(true);
});

test('a consumer whose function is missing holds up no other, and is told', async () => {
  const other = { ...documentOf(orders('b')), consumer: 'audit' };
  const world = recoverWorld([documentOf(orders('a')), other]);
  await world.run({
    callOf: (consumer) =>
      consumer === 'audit'
        ? world.ports.callOf(consumer)
        : async () => {
            throw new AwsError('no such function', { retryable: false, cause: null });
          },
  });
  expect(world.told).toMatchObject([
    { event: 'DocumentWaits', why: 'consumer', detail: 'Error: AwsError: no such function' },
    { event: 'DocumentRecovered', consumer: 'audit', recovered: 1 },
  ]);
  expect([...world.store.documents.keys()]).toEqual(['aws/lambda/0']);
});

test('while the breaker is open nothing is sent', async () => {
  const world = recoverWorld([documentOf(orders('a'))]);
  const of = { pipeline: 'orders', consumer: 'orders' };
  await world.marks.open(of, {
    sinceMs: 1,
    code: 'first',
    reason: 'no-key',
    refused: 60,
    received: 80,
  });
  await world.run();
  expect(world.table.get('a')).toBeUndefined();
  expect(world.told).toMatchObject([{ event: 'DocumentWaits', why: 'breaker' }]);
  await world.marks.close(of, { letUntilMs: 0 });
  await world.run();
  expect(world.table.get('a')?.subject).toBe('a');
});

test('out of time it begins nothing new, and keeps nothing aside', async () => {
  const world = recoverWorld([
    documentOf(orders('a', 'b', 'c', 'd'), 0),
    documentOf(orders('e'), 0),
  ]);
  const time = new AbortController();
  const callOf: RecoverPorts['callOf'] = (consumer) => async (records, passage) => {
    time.abort();
    return world.ports.callOf(consumer)(records, passage);
  };
  await world.run({ callOf }, { signal: time.signal });
  expect(world.store.documents.size).toBe(2);
  expect(world.quarantine.kept()).toEqual([]);
  expect(world.told).toMatchObject([{ event: 'DocumentWaits', why: 'time' }]);
});

test('a document that cannot be read stays, and is told', async () => {
  const world = recoverWorld([documentOf(orders('a'))]);
  await world.run({ documents: { ...world.store, read: async () => undefined } });
  expect(world.store.documents.size).toBe(1);
  expect(world.told).toEqual([
    { event: 'DocumentUnread', pipeline: 'orders', key: 'aws/lambda/0' },
  ]);
});

test.each([
  ['cannot be fetched', 'read'],
  ['cannot be removed', 'remove'],
] as const)(
  'a document that %s holds up no other, and the tick fails in the end',
  async (_, step) => {
    const world = recoverWorld([documentOf(orders('a')), documentOf(orders('b'))]);
    const { store } = world;
    const failing = {
      ...store,
      async [step](key: string) {
        if (key === 'aws/lambda/0') throw transient();
        return store[step](key);
      },
    } as typeof store;
    await expect(world.run({ documents: failing })).rejects.toThrow('the table is busy');
    expect([...store.documents.keys()]).toEqual(['aws/lambda/0']);
    expect(world.table.get('b')?.subject).toBe('b');
    expect(world.told).toEqual([
      {
        event: 'DocumentFailed',
        pipeline: 'orders',
        key: 'aws/lambda/0',
        error: 'AwsError: the table is busy',
      },
      expect.objectContaining({ event: 'DocumentRecovered', key: 'aws/lambda/1' }),
    ]);
  },
);

const contents = fc.array(
  fc.record({
    key: fc.constantFrom('a', 'b', 'stuck'),
    version: fc.integer({ min: 1, max: 9 }),
    isPoison: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

test('broken off at any step and run again, each record is in the table or kept, and no document is left', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(contents, { maxLength: 4 }),
      fc.nat({ max: 40 }),
      async (batches, steps) => {
        let sequence = 0;
        const documents = batches.map((batch) =>
          documentOf(
            batch.map(({ key, version, isPoison }) => ({
              ...recordOf(++sequence, isPoison ? '%%%' : eventOf({ key, version })),
              partitionKey: key,
            })),
            NOW_MS - HOUR_MS,
          ),
        );
        const world = recoverWorld(documents, (key) => key === 'stuck');
        let left = steps;
        const breaking = <A extends unknown[], R>(step: (...args: A) => Promise<R>) => {
          return async (...args: A): Promise<R> => {
            if (left-- === 0) throw new Error('gone');
            const answer = await step(...args);
            if (left-- === 0) throw new Error('gone');
            return answer;
          };
        };
        const { store, quarantine, ports } = world;
        await world
          .run({
            documents: {
              list: store.list,
              read: breaking(store.read),
              remove: breaking(store.remove),
            },
            quarantine: { put: breaking(quarantine.put) },
            callOf: (consumer) => breaking(ports.callOf(consumer)),
          })
          .catch((error: Error) => expect(error.message).toBe('gone'));
        await world.run();
        expect(store.documents.size).toBe(0);
        const kept = new Set(quarantine.kept().map(({ place }) => place));
        for (const { records } of documents) {
          for (const { shardId, sequenceNumber, partitionKey, data } of records) {
            const isGood = Buffer.from(data).toString() !== '%%%' && partitionKey !== 'stuck';
            expect(kept.has(`${shardId}-${sequenceNumber}`)).toBe(!isGood);
            if (!isGood) continue;
            const { version } = JSON.parse(Buffer.from(data).toString()) as { version: string };
            expect(world.table.get(partitionKey)!.version >= version).toBe(true);
          }
        }
      },
    ),
  ));
