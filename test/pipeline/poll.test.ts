import { describe, expect, test } from 'vitest';
import { memoryPollStateStore } from '#adapters/memory/poll-state-store';
import { memoryStreamWriter } from '#adapters/memory/stream-writer';
import { Defect } from '#core/assert';
import { decodeCursor } from '#core/source/cursor-text';
import { poll } from '#pipeline/poll';
import type { PageAnswer } from '#ports/page-source';
import {
  HORIZON_MS,
  options,
  page,
  published,
  row,
  savedCursor,
  START_MS,
  testClock,
  testWorld,
} from './poll-world.ts';

const subjects = (world: Parameters<typeof published>[0]) =>
  published(world).map(({ subject }) => subject);
const cursorOf = async (world: Parameters<typeof savedCursor>[0]) =>
  decodeCursor((await savedCursor(world)).cursor);

describe('pages', () => {
  test('POLL-04: empty pages with a live token are passed through to the page that holds rows', async () => {
    const world = testWorld([
      page([], 'k2'),
      page([], 'k3'),
      page([row('9', '2031-06-12T15:00:00Z')]),
    ]);
    expect(await poll(options, world)).toMatchObject({ kind: 'caught-up', pages: 3, published: 1 });
    expect(world.asked.map(({ cursor }) => cursor)).toEqual([undefined, 'k2', 'k3']);
    expect(subjects(world)).toEqual(['9']);
  });

  test('POLL-02: a token answered twice fails the run after its second page, with nothing doubled', async () => {
    const items = [row('1', '2031-06-12T15:00:00Z')];
    const world = testWorld([page(items, 't1'), page(items, 't1')]);
    const outcome = await poll(options, world);
    expect(outcome).toMatchObject({ kind: 'failed', pages: 1 });
    expect(world.asked).toHaveLength(2);
    expect(subjects(world)).toEqual(['1']);
  });

  test('a circle of tokens fails the run as soon as it closes', async () => {
    const world = testWorld([page([], 'a'), page([], 'b'), page([], 'a')]);
    expect((await poll(options, world)).kind).toBe('failed');
    expect(world.asked).toHaveLength(3);
  });

  test('an offset run ends at an empty page, not at a short one', async () => {
    const offset = {
      ...options,
      source: {
        ...options.source,
        pagination: { kind: 'offset', param: 'offset', first: 1 } as const,
      },
    };
    const time = '2031-06-12T15:00:00Z';
    const world = testWorld([
      page([row('1', time), row('2', time)]),
      page([row('3', time)]),
      page([]),
    ]);
    expect(await poll(offset, world)).toMatchObject({ kind: 'caught-up', published: 3 });
    expect(world.asked.map((query) => query['offset'])).toEqual(['1', '3', '4']);
  });

  test('a page without records where they are expected fails, and says what stands there', async () => {
    const body = { data: { items: [] }, total: 0 };
    const world = testWorld([{ kind: 'page', body, startedAtMs: START_MS }]);
    const outcome = await poll(options, world);
    expect(outcome).toMatchObject({
      kind: 'failed',
      detail:
        '`items` holds nothing, not an array of records; the answer is an object with `data`, `total`',
    });
  });
});

describe('the boundary', () => {
  test('POLL-13: rows exactly at the bookmark are published as well as later ones', async () => {
    const epoch = {
      ...options,
      source: {
        ...options.source,
        incremental: {
          ...options.source.incremental!,
          path: ['created'],
          fieldFormat: 'epoch-s' as const,
          paramFormat: 'epoch-s' as const,
        },
      },
      rules: {
        ...options.rules,
        version: { path: ['created'], format: 'epoch-s' as const },
        eventTime: { path: ['created'], format: 'epoch-s' as const },
      },
    };
    const at = (order_id: string, created: number) => ({ order_id, created });
    const world = testWorld([
      page([at('w', 1_900_000_000)]),
      page([at('w', 1_900_000_000), at('x', 1_900_000_000), at('y', 1_900_000_001)]),
    ]);
    await poll(epoch, world);
    const second = await poll(epoch, world);
    expect(world.asked[1]).toMatchObject({ updated_since: '1900000000' });
    expect(second).toMatchObject({ published: 2, skipped: 1 });
    expect(subjects(world)).toEqual(['w', 'x', 'y']);
  });

  test('POLL-19: the saved boundary keeps every digit of the newest row', async () => {
    const rows = ['.060Z', '.0630004Z', '.063Z'].map((fraction, at) =>
      row(String(at + 1), `2031-04-16T11:54:35${fraction}`),
    );
    const world = testWorld([page(rows)]);
    expect(await poll(options, world)).toMatchObject({ published: 3 });
    expect((await cursorOf(world)).boundary).toBe('2031-04-16T11:54:35.063000400Z');
  });

  test('POLL-21: a row that becomes visible late is read by the next run', async () => {
    const startedAtMs = Date.parse('2031-06-12T16:31:33.680Z');
    const asOf = (items: ReturnType<typeof row>[]): PageAnswer => ({
      kind: 'page',
      body: { items, next: null },
      startedAtMs,
    });
    const early = row('p', '2031-06-12T16:31:30.000Z');
    const late = row('q', '2031-06-12T16:31:32.869Z');
    const clock = testClock();
    clock.advance(startedAtMs - clock.nowMs());
    const world = testWorld([asOf([early]), asOf([early, late])], { clock });
    await poll(options, world);
    expect(await poll(options, world)).toMatchObject({ published: 1, skipped: 1 });
    // The run's start less the horizon: never "now", never the newest row if that is younger.
    expect(world.asked[1]).toMatchObject({ updated_since: '2031-06-12T16:30:03.680Z' });
    expect(subjects(world)).toEqual(['p', 'q']);
  });

  test('a row dated in the future does not drag the boundary with it', async () => {
    const world = testWorld([page([row('1', '2041-01-01T00:00:00Z')])]);
    await poll(options, world);
    const { boundary } = await cursorOf(world);
    expect(boundary).toBe(`${new Date(START_MS - HORIZON_MS).toISOString().slice(0, 23)}000000Z`);
  });

  test('an empty window moves the boundary to the start of the run less the horizon', async () => {
    const world = testWorld([page([])]);
    await poll(options, world);
    expect((await cursorOf(world)).boundary).toBe('2031-06-12T15:58:30.000000000Z');
  });

  test('two contents of one version are two events, and the newest seen is numbered last', async () => {
    const time = '2031-06-12T15:59:59Z';
    const answers = ['A', 'B', 'A'].map((state) => page([row('1', time, { state })]));
    const world = testWorld(answers);
    for (const _ of answers) await poll(options, world);
    const events = published(world);
    expect(events.map(({ data }) => data['state'])).toEqual(['A', 'B', 'A']);
    expect(events.map(({ observed }) => observed)).toEqual(
      events.map(({ observed }) => observed).toSorted(),
    );
  });
});

describe('waiting', () => {
  const wait = (waitMs: number | undefined): PageAnswer => ({ kind: 'wait', status: 429, waitMs });

  test('a short wait is slept through', async () => {
    const world = testWorld([wait(7_000), page([])]);
    expect((await poll(options, world)).kind).toBe('caught-up');
    expect(world.clock.slept).toEqual([7_000]);
    expect(world.events).toContainEqual({
      event: 'SourceWaited',
      pipeline: 'orders',
      status: 429,
      waitMs: 7_000,
    });
  });

  test('a wait longer than the run is stored, and no request starts before it is over', async () => {
    const world = testWorld([wait(3_600_000), page([])]);
    const notBeforeMs = START_MS + 3_600_000;
    expect(await poll(options, world)).toMatchObject({ kind: 'parked', notBeforeMs });
    world.clock.advance(3_599_999);
    expect(await poll(options, world)).toMatchObject({ kind: 'parked', notBeforeMs });
    expect(world.asked).toHaveLength(1);
    world.clock.advance(1);
    expect((await poll(options, world)).kind).toBe('caught-up');
  });

  test('a wait of no time at all is a failure that may pass: four in a row fail the poll', async () => {
    const world = testWorld([wait(0), wait(0), page([], 't2'), wait(0)]);
    expect(await poll(options, world)).toMatchObject({
      kind: 'failed',
      detail: 'the source asked for a pause with status 429, and for no time at all',
    });
    expect(world.asked).toHaveLength(7);
    expect(world.clock.slept).toEqual([375, 750, 375, 750, 1_500]);
  });

  test('a short wait that is named again and again grows as other pauses do, and by chance', async () => {
    const world = testWorld([...Array.from({ length: 6 }, () => wait(1_000)), page([])]);
    const chance = () => 0.9;
    expect((await poll(options, { ...world, chance })).kind).toBe('caught-up');
    expect(world.clock.slept).toEqual([1_000, 1_000, 1_900, 3_800, 7_600, 7_600]);
  });

  test('the lease outlasts a wait that is longer than it', async () => {
    const world = testWorld([wait(150_000), page([row('1', '2031-06-12T15:00:00Z')])], {
      remainingMs: () => 900_000,
    });
    expect(await poll(options, world)).toMatchObject({ kind: 'caught-up', published: 1 });
  });

  test('a wait without a length is a minute', async () => {
    const world = testWorld([wait(undefined)]);
    expect(await poll(options, world)).toMatchObject({ notBeforeMs: START_MS + 60_000 });
  });
});

describe('a source that fails', () => {
  const down: PageAnswer = { kind: 'unavailable', detail: 'the source answered status 500' };
  const rows = [row('1', '2031-06-12T15:00:00Z')];

  test('is asked four times, with pauses, and the cursor stays', async () => {
    const world = testWorld([page(rows, 't2'), down]);
    expect(await poll(options, world)).toMatchObject({ kind: 'failed', pages: 1 });
    expect(world.asked).toHaveLength(5);
    expect((await cursorOf(world)).run?.token).toBe('t2');
  });

  test('goes on in the middle of the run at the next tick', async () => {
    const more = page([row('2', '2031-06-12T15:00:00Z')]);
    const world = testWorld([page(rows, 't2'), down, down, down, down, more]);
    await poll(options, world);
    expect(await poll(options, world)).toMatchObject({ kind: 'caught-up', published: 1 });
    expect(world.asked.at(-1)).toMatchObject({ cursor: 't2' });
    expect(subjects(world)).toEqual(['1', '2']);
  });

  test('that refuses its own token makes the run begin again, once', async () => {
    const refused: PageAnswer = { kind: 'refused', detail: 'the source answered status 410' };
    const world = testWorld([page(rows, 't2'), refused, page(rows)]);
    expect((await poll(options, world)).kind).toBe('caught-up');
    expect(world.asked[2]).toEqual({ limit: '3', updated_since: '2031-06-12T15:00:00Z' });
    expect(subjects(world)).toEqual(['1']);

    const again = testWorld([page(rows, 't2'), refused, refused]);
    expect(await poll(options, again)).toMatchObject({ kind: 'failed', detail: refused.detail });
    expect(again.asked).toHaveLength(3);
  });

  test('that refuses the credentials in the middle of a run ends the poll, and the place stays', async () => {
    const detail = 'the source answered status 401';
    const world = testWorld([page(rows, 't2'), { kind: 'refused', detail, status: 401 }]);
    expect(await poll(options, world)).toMatchObject({ kind: 'failed', detail, pages: 1 });
    expect(world.asked).toHaveLength(2);
    expect((await cursorOf(world)).run?.token).toBe('t2');
  });
});

describe('records that cannot be published', () => {
  test('rest in quarantine once, with payload and reason, and the cursor moves past them', async () => {
    const bad = { id: '8', updated_at: '2031-06-12T15:00:01Z' };
    const items = [row('7', '2031-06-12T15:00:00Z'), bad];
    const world = testWorld([page(items), page([bad])]);
    expect(await poll(options, world)).toMatchObject({ published: 1, refused: 1 });
    expect(await poll(options, world)).toMatchObject({ published: 0, refused: 0, skipped: 1 });
    expect(world.quarantined).toHaveLength(1);
    expect(world.quarantined[0]).toMatchObject({ reason: 'no-key', stage: 'poll' });
    expect(JSON.parse(new TextDecoder().decode(world.quarantined[0]!.payload))).toEqual(bad);
    expect((await cursorOf(world)).boundary).toBe('2031-06-12T15:00:01.000000000Z');
  });

  test('PROD-08: a record larger than the stream accepts is refused, and its neighbours are sent', async () => {
    const items = [
      row('1', '2031-06-12T15:00:00Z', { note: 'x'.repeat(2_000) }),
      row('2', '2031-06-12T15:00:00Z'),
    ];
    const world = testWorld([page(items)]);
    await poll({ ...options, recordBytesMax: 1_000 }, world);
    expect(world.quarantined.map(({ reason }) => reason)).toEqual(['record-too-large']);
    expect(subjects(world)).toEqual(['2']);
  });

  test('a quarantine that does not store them stops the cursor', async () => {
    const broken = { put: () => Promise.reject(new Error('the bucket is gone')) };
    const world = testWorld([page([{ id: '8' }])], { quarantine: broken });
    expect(await poll(options, world)).toMatchObject({
      kind: 'failed',
      detail: 'the bucket is gone',
    });
    expect((await savedCursor(world)).cursor).toBeUndefined();
  });
});

describe('the lease', () => {
  test('keeps a second poller out while it lasts', async () => {
    const states = memoryPollStateStore();
    const clock = testClock();
    await states.acquire({ pipeline: 'orders', nowMs: clock.nowMs(), leaseMs: 5_000 });
    const world = testWorld([page([])], { states, clock });
    expect(await poll(options, world)).toMatchObject({
      kind: 'lease-held',
      untilMs: START_MS + 5_000,
    });
    expect(world.asked).toEqual([]);
  });

  test('that another took ends the run before its next request to the stream', async () => {
    const states = memoryPollStateStore();
    const clock = testClock();
    const world = testWorld([], {
      states,
      clock,
      source: {
        async fetchPage() {
          clock.advance(120_000);
          await states.acquire({ pipeline: 'orders', nowMs: clock.nowMs(), leaseMs: 60_000 });
          return page([row('1', '2031-06-12T15:00:00Z')]);
        },
      },
    });
    expect((await poll(options, world)).kind).toBe('lease-lost');
    expect(world.writer.requests).toEqual([]);
  });

  test('is given back at the end, so that the next tick need not wait', async () => {
    const world = testWorld([page([])]);
    await poll(options, world);
    expect((await poll(options, world)).kind).toBe('caught-up');
  });
});

describe('time', () => {
  test('that runs out between two pages ends the run where the next goes on', async () => {
    const clock = testClock();
    const world = testWorld([page([row('1', '2031-06-12T15:00:00Z')], 't2'), page([])], {
      clock,
      remainingMs: () => START_MS + 30_000 - clock.nowMs(),
      writer: memoryStreamWriter(() => {
        clock.advance(27_000);
        return { answered: true, entry: () => 'written' };
      }),
    });
    expect(await poll(options, world)).toMatchObject({ kind: 'out-of-time', pages: 1 });
    expect((await cursorOf(world)).run?.token).toBe('t2');
  });
});

test('a stream that takes nothing fails the run and leaves the cursor', async () => {
  const writer = memoryStreamWriter(() => ({ answered: true, entry: () => 'throttled' }));
  const world = testWorld([page([row('1', '2031-06-12T15:00:00Z')])], { writer });
  expect((await poll(options, world)).kind).toBe('failed');
  expect((await savedCursor(world)).cursor).toBeUndefined();
});

test('a stored cursor of a newer form stops the poll with one sentence', async () => {
  const states = memoryPollStateStore();
  const nowMs = START_MS - 100_000;
  const taken = await states.acquire({ pipeline: 'orders', nowMs, leaseMs: 1 });
  if (taken.kind === 'acquired') {
    await states.save(taken.lease, { cursor: '{"v":2}', notBeforeMs: 0 }, nowMs);
  }
  expect(await poll(options, testWorld([page([])], { states }))).toMatchObject({
    kind: 'failed',
    detail: 'the cursor has form 2, this Penstock reads up to 1: deploy the newer one',
  });
});

test('a defect of ours is thrown, never turned into an outcome', async () => {
  const writer = { ...memoryStreamWriter(), put: async () => [] };
  const world = testWorld([page([row('1', '2031-06-12T15:00:00Z')])], { writer });
  await expect(poll(options, world)).rejects.toThrow(Defect);
});
