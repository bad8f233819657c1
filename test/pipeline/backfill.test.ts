/** What a backfill publishes, and in which order it counts. */
import { describe, expect, test } from 'vitest';
import { memoryRecordTable } from '#adapters/memory/record-table';
import type { JsonValue } from '#core/record/json';
import { planSlices } from '#core/source/plan-slices';
import type { BackfillPlace } from '#ports/backfill-store';
import type { PageAnswer, PageRequest } from '#ports/page-source';
import { incremental, options, page, published, testClock, testWorld } from './poll-world.ts';
import type { TestWorld } from './poll-world.ts';
import { wholeBackfill } from './whole-backfill.ts';
import type { BackfillAsk } from './whole-backfill.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FROM_MS = Date.parse('2031-02-01T00:00:00Z');
const TO_MS = Date.parse('2031-04-01T00:00:00Z');

const bounded = { ...incremental, until: { param: 'updated_before' } };
const settings = {
  ...options,
  source: { ...options.source, incremental: bounded },
  rules: {
    ...options.rules,
    version: { path: ['revision'], format: 'integer' as const },
    deleted: ['gone'],
  },
};

type LogRow = { readonly updated_at: string } & { readonly [name: string]: JsonValue };

/** A change log: a key is in it as often as it changed. */
function logSource(log: readonly LogRow[], rowsMax = 50) {
  return {
    async fetchPage({ query }: Pick<PageRequest, 'query'>): Promise<PageAnswer> {
      const { updated_since: since = '', updated_before: before = '9', cursor = '0' } = query;
      const found = log.filter(({ updated_at: at }) => at >= since && at < before);
      const end = Number(cursor) + rowsMax;
      const next = end < found.length ? String(end) : null;
      const items = found.slice(Number(cursor), end);
      return { kind: 'page', body: { items, next }, startedAtMs: TO_MS + DAY_MS };
    },
  };
}

const worldOf = (source: TestWorld['source']) =>
  testWorld([], { clock: testClock(TO_MS + DAY_MS), source });

const run = (
  world: TestWorld,
  { sliceMs = DAY_MS, ...ask }: Partial<BackfillAsk> & { readonly sliceMs?: number } = {},
) =>
  wholeBackfill(world, {
    poll: settings,
    incremental: bounded,
    slices: planSlices({ fromMs: FROM_MS, toMs: TO_MS, sliceMs }),
    ...ask,
  });

/** What a table holds of a key: undefined once it is deleted. */
async function tableRow(world: TestWorld, key: string) {
  const table = memoryRecordTable();
  for (const event of published(world)) await table.upsert(event);
  return table.get(key)?.data;
}

/** Rows of other keys, before those that a test is about. */
const others = (count: number, day: string): LogRow[] =>
  Array.from({ length: count }, (_, at) => ({
    order_id: `other-${at}`,
    revision: 1,
    updated_at: `${day}T00:00:${10 + at}Z`,
  }));

const deleted = [
  ...others(5, '2031-02-10'),
  { order_id: 'order-7', revision: 7, updated_at: '2031-02-10T00:01:00Z' },
  { order_id: 'order-7', gone: true, updated_at: '2031-03-10T00:00:00Z' },
];

test('a delete without a version takes away what an earlier slice published', async () => {
  const world = worldOf(logSource(deleted));
  expect(await run(world)).toEqual({ kind: 'done' });
  expect(published(world)).toHaveLength(7);
  expect(await tableRow(world, 'order-7')).toBeUndefined();
});

test('a later backfill of a part does not bring back what a delete behind that part took away', async () => {
  const world = worldOf(logSource(deleted));
  expect(await run(world)).toEqual({ kind: 'done' });
  const toMs = Date.parse('2031-03-01T00:00:00Z');
  const part = planSlices({ fromMs: FROM_MS, toMs, sliceMs: 5 * DAY_MS });
  expect(await run(world, { slices: part, epoch: 2 })).toEqual({ kind: 'done' });
  expect(published(world)).toHaveLength(13);
  expect(await tableRow(world, 'order-7')).toBeUndefined();
});

test('a delete that holds no time stands where it was read', async () => {
  const anew = { order_id: 'order-7', revision: 3, updated_at: '2031-03-10T00:00:00Z' };
  const rows = [...deleted.slice(0, -1), { order_id: 'order-7', gone: true }];
  const source = (items: readonly JsonValue[]) => ({
    fetchPage: async () => ({ ...page(items), startedAtMs: TO_MS + DAY_MS }),
  });
  const whole = { sliceMs: 60 * DAY_MS };
  const gone = worldOf(source(rows));
  await run(gone, whole);
  expect(await tableRow(gone, 'order-7')).toBeUndefined();
  const back = worldOf(source([...rows, anew]));
  await run(back, whole);
  expect(await tableRow(back, 'order-7')).toMatchObject({ revision: 3 });
});

test('of one version and one time, what the later backfill published stands', async () => {
  const world = worldOf(logSource(tied.slice(-1)));
  await run(world);
  const mended = worldOf(logSource([{ ...tied.at(-1)!, state: 'mended' }]));
  await run({ ...mended, writer: world.writer }, { epoch: 2 });
  expect(await tableRow(world, 'order-7')).toMatchObject({ state: 'mended' });
});

/** Two changes of one version. */
const tied = [
  ...others(5, '2031-02-10'),
  { order_id: 'order-7', revision: 7, state: 'old', updated_at: '2031-02-10T00:01:00Z' },
  { order_id: 'order-7', revision: 7, state: 'new', updated_at: '2031-02-10T12:00:00Z' },
];

test('of one version the later change stands, though another slice brings it', async () => {
  const world = worldOf(logSource(tied));
  expect(await run(world, { sliceMs: 6 * HOUR_MS })).toEqual({ kind: 'done' });
  expect(await tableRow(world, 'order-7')).toMatchObject({ state: 'new' });
});

test('so it does where it was killed before a slice was saved, and taken up again', async () => {
  const world = worldOf(logSource(tied));
  let place: BackfillPlace | undefined;
  const sliceMs = 6 * HOUR_MS;
  const killed = await run(world, {
    sliceMs,
    async move(next) {
      if (published(world).length > 0) throw new Error('killed');
      place = next;
      return true;
    },
  });
  expect(killed).toEqual({ kind: 'failed', detail: 'killed' });
  expect(await run(world, { sliceMs, place, epoch: 2 })).toEqual({ kind: 'done' });
  expect(published(world)).toHaveLength(13);
  expect(await tableRow(world, 'order-7')).toMatchObject({ state: 'new' });
});

test('of one version and one time what was read later stands, over a long wait between the two as well', async () => {
  const atOnce = tied.map((row) => ({ ...row, updated_at: '2031-02-10T00:01:00Z' }));
  const log = logSource(atOnce, 6);
  let asked = 0;
  const world = worldOf({
    async fetchPage(request) {
      if (++asked === 2) return { kind: 'wait', status: 429, waitMs: 900_000 };
      return log.fetchPage(request);
    },
  });
  expect(await run(world, { sliceMs: 60 * DAY_MS })).toEqual({ kind: 'done' });
  expect(await tableRow(world, 'order-7')).toMatchObject({ state: 'new' });
});

test('a second feed of deletes is left to live polls', async () => {
  const world = worldOf(logSource(others(3, '2031-02-10')));
  const { source, records, rules } = settings;
  const poll = { ...settings, deletes: { source, records, rules } };
  expect(await run(world, { poll })).toEqual({ kind: 'done' });
  expect(published(world)).toHaveLength(3);
});

describe('a wait that the source names', () => {
  const HISTORY = logSource(others(3, '2031-02-10'));
  const NOW_MS = TO_MS + DAY_MS;
  const nobodyElse = { cursor: undefined, sent: undefined };

  /** It answers pages, but for its first answer; and notes when it was asked. */
  function limitedSource(waitMs: number) {
    const askedMs: number[] = [];
    const clock = testClock(NOW_MS);
    const world = testWorld([], {
      clock,
      source: {
        async fetchPage(request) {
          askedMs.push(clock.nowMs());
          if (askedMs.length === 1) return { kind: 'wait', status: 429, waitMs };
          return HISTORY.fetchPage(request);
        },
      },
    });
    return { world, askedMs };
  }

  test.each([
    ['of hours', 2 * HOUR_MS],
    ['of minutes, which is slept within a poll', 300_000],
  ])(
    '%s is kept with the backfill when it is interrupted, and kept when it goes on',
    async (_, waitMs) => {
      const { world, askedMs } = limitedSource(waitMs);
      const interrupt = new AbortController();
      const { clock } = world;
      let place: BackfillPlace | undefined;
      const move = async (next: BackfillPlace) => {
        place = next;
        return true;
      };
      const impatient = { ...clock, sleep: async () => interrupt.abort() };
      const end = await run({ ...world, clock: impatient }, { signal: interrupt.signal, move });
      expect(end).toEqual({ kind: 'interrupted' });
      expect(place).toMatchObject({ notBeforeMs: NOW_MS + waitMs });

      expect(await run(world, { place, move, epoch: 2 })).toEqual({ kind: 'done' });
      expect(askedMs.slice(0, 2)).toEqual([NOW_MS, NOW_MS + waitMs]);
    },
  );

  test('to live polls holds for a backfill as well, which says until when', async () => {
    const { world, askedMs } = limitedSource(1_000);
    const waits: unknown[] = [];
    const place = { ...nobodyElse, notBeforeMs: NOW_MS + 60_000 };
    const liveNotBeforeMs = NOW_MS + HOUR_MS;
    const onWait = (why: string | undefined) => waits.push(why);
    expect(await run(world, { place, liveNotBeforeMs, onWait })).toEqual({ kind: 'done' });
    expect(askedMs[0]).toBe(liveNotBeforeMs);
    expect(waits).toEqual([
      'the source asked to be left alone, until 2031-04-02T01:00:00Z',
      undefined,
    ]);
  });

  test('to a backfill outlasts one to live polls that is over before', async () => {
    const { world, askedMs } = limitedSource(1_000);
    const place = { ...nobodyElse, notBeforeMs: NOW_MS + 60_000 };
    const liveNotBeforeMs = NOW_MS + 7_000;
    expect(await run(world, { place, liveNotBeforeMs })).toEqual({ kind: 'done' });
    expect(askedMs[0]).toBe(NOW_MS + 60_000);
  });
});
