/** A page that did not get into the stream whole: the cursor must not have moved. */
import { expect, test } from 'vitest';
import { memoryPollStateStore } from '#adapters/memory/poll-state-store';
import { memoryStreamWriter } from '#adapters/memory/stream-writer';
import { poll } from '#pipeline/poll';
import type { StreamWriter } from '#ports/stream-writer';
import { options, page, published, row, savedCursor, testWorld } from './poll-world.ts';

const rows = ['1', '2', '3'].map((id) => row(id, '2031-06-12T15:00:00Z'));
const subjects = (world: Parameters<typeof published>[0]) =>
  published(world).map(({ subject }) => subject);

test('without time for a request nothing is put or saved, and the next poll publishes the page', async () => {
  const world = testWorld([page(rows)]);
  const hurried = { ...world, remainingMs: () => (world.asked.length === 0 ? 50_000 : 5_000) };
  expect(await poll(options, hurried)).toMatchObject({ kind: 'out-of-time', pages: 0 });
  expect(subjects(world)).toEqual([]);
  expect((await savedCursor(world)).cursor).toBeUndefined();

  world.clock.advance(60_000);
  expect(await poll(options, world)).toMatchObject({ kind: 'caught-up', published: 3 });
  expect(subjects(world)).toEqual(['1', '2', '3']);
});

test('time that ends between two requests of a page leaves the cursor where it was', async () => {
  const writer = memoryStreamWriter();
  const oneByOne = { ...options, requestLimits: { requestRecordsMax: 1, requestBytesMax: 10_000 } };
  const world = testWorld([page(rows)], { writer });
  const hurried = { ...world, remainingMs: () => (writer.written.length < 2 ? 50_000 : 5_000) };
  expect((await poll(oneByOne, hurried)).kind).toBe('out-of-time');
  expect(subjects(world)).toEqual(['1', '2']);
  expect(world.events.at(-1)).toMatchObject({
    event: 'PollEnded',
    published: 0,
    accepted: 3,
    confirmed: 2,
    returned: 1,
  });
  expect((await savedCursor(world)).cursor).toBeUndefined();

  world.clock.advance(60_000);
  expect((await poll(oneByOne, world)).kind).toBe('caught-up');
  expect(new Set(subjects(world))).toEqual(new Set(['1', '2', '3']));
});

test('a poller whose lease was taken while it read puts nothing more and saves nothing', async () => {
  const states = memoryPollStateStore();
  const world = testWorld([page(rows)], { states });
  const taken = {
    ...world,
    source: {
      async fetchPage(ask: Parameters<typeof world.source.fetchPage>[0]) {
        const answer = await world.source.fetchPage(ask);
        world.clock.advance(120_000);
        await states.acquire({ pipeline: 'orders', nowMs: world.clock.nowMs(), leaseMs: 60_000 });
        return answer;
      },
    },
  };
  expect((await poll(options, taken)).kind).toBe('lease-lost');
  expect(subjects(world)).toEqual([]);
  expect((await savedCursor(world)).cursor).toBeUndefined();
});

test('a stream that writes nothing for long fails the poll, and the cursor stays', async () => {
  const writer: StreamWriter = {
    put: async (records) => records.map(() => ({ kind: 'throttled' as const })),
  };
  const world = testWorld([page(rows)]);
  const outcome = await poll(options, { ...world, writer });
  expect(outcome.kind).toBe('failed');
  expect((await savedCursor(world)).cursor).toBeUndefined();
});
