import { describe, expect, test } from 'vitest';
import { memoryRateBudget } from '#adapters/memory/rate-budget';
import { rateGate } from '#pipeline/rate-gate';
import { poll } from '#pipeline/poll';
import type { PageAnswer, PageSource } from '#ports/page-source';
import type { RateBudget } from '#ports/rate-budget';
import { options, page, row, savedCursor, START_MS, testClock, testWorld } from './poll-world.ts';

const rows = (id: string) => [row(id, '2031-06-12T15:59:00Z')];
const PAGES = [page(rows('a'), 'p1'), page(rows('b'), 'p2'), page(rows('c'))];

/** A poller of pages under a budget; `sentAtMs` is when each request left, from the start. */
function paced(answers: readonly PageAnswer[], { intervalMs = 1_000, ...parts }: Paced = {}) {
  const clock = testClock();
  const budget = parts.budget ?? memoryRateBudget();
  const sentAtMs: number[] = [];
  const source: PageSource = {
    async fetchPage({ gate, signal, timeoutMs }) {
      const entry = await gate?.enter(signal ?? new AbortController().signal);
      if (entry?.kind === 'spent') return entry;
      expect(entry?.timeoutMs).toBeLessThanOrEqual(timeoutMs);
      sentAtMs.push(clock.nowMs() - START_MS);
      return answers[Math.min(sentAtMs.length, answers.length) - 1]!;
    },
  };
  const rule = { pipeline: 'orders', api: 'shop', rate: { intervalMs, burst: 1 } };
  const world = testWorld([], {
    clock,
    source,
    remainingMs: () => (parts.runMs ?? 50_000) - (clock.nowMs() - START_MS),
  });
  const gate = rateGate(rule, { budget, clock, report: world.report });
  return { world: { ...world, gate }, budget, sentAtMs };
}

interface Paced {
  readonly intervalMs?: number;
  readonly budget?: RateBudget;
  readonly runMs?: number;
}

const taken = (budget: RateBudget, spanMs: number) =>
  budget.take({ api: 'shop', nowMs: START_MS, spanMs, latestMs: START_MS });

describe('a poll under a budget', () => {
  test('asks for each page when its slot comes, the page ahead too', async () => {
    const { world, sentAtMs } = paced(PAGES);
    expect(await poll(options, world)).toMatchObject({ kind: 'caught-up', pages: 3 });
    expect(sentAtMs).toHaveLength(3);
    const gaps = sentAtMs.slice(1).map((ms, at) => ms - (sentAtMs[at] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
    expect(sentAtMs.at(-1)).toBeLessThan(2_300);
  });

  test('a retry of a page waits for a permit of its own', async () => {
    const broken = { kind: 'unavailable', detail: 'it broke' } as const;
    const { world, sentAtMs } = paced([broken, page(rows('a'))], { intervalMs: 5_000 });
    expect(await poll(options, world)).toMatchObject({ kind: 'caught-up' });
    expect(sentAtMs[1]).toBeGreaterThanOrEqual(5_000);
  });

  test('waits for what others have taken where it fits into the run, and says so', async () => {
    const { world, budget, sentAtMs } = paced([page(rows('a'))]);
    await taken(budget, 20_000);
    expect(await poll(options, world)).toMatchObject({ kind: 'caught-up' });
    expect(sentAtMs).toEqual([20_000]);
    expect(world.events).toContainEqual({
      event: 'BudgetWaited',
      pipeline: 'orders',
      api: 'shop',
      waitMs: 20_000,
    });
  });

  test('is parked until its turn where that comes too late, having slept for nothing', async () => {
    const { world, budget, sentAtMs } = paced([page(rows('a'))]);
    await taken(budget, 47_000);
    const notBeforeMs = START_MS + 47_000;
    const detail = 'the budget of shop is spent';
    expect(await poll(options, world)).toMatchObject({ kind: 'parked', notBeforeMs, detail });
    expect(sentAtMs).toEqual([]);
    expect(world.clock.slept).toEqual([]);
    expect(await budget.take({ api: 'shop', nowMs: 0, spanMs: 1, latestMs: 9e15 })).toMatchObject({
      fromMs: notBeforeMs,
    });
    expect(await savedCursor(world)).toMatchObject({ notBeforeMs });
  });

  test('ends with the pages it has when the next does not fit, which is a success', async () => {
    const { world } = paced(PAGES, { intervalMs: 30_000 });
    expect(await poll(options, world)).toMatchObject({ kind: 'out-of-time', pages: 2 });
  });

  test('asks nothing without a permit while the table is down', async () => {
    const down = async () => Promise.reject(new Error('the table does not answer'));
    const budget = { take: down, hold: down, heldUntilMs: down };
    const { world, sentAtMs } = paced([page(rows('a'))], { budget });
    expect(await poll(options, world)).toMatchObject({
      kind: 'failed',
      detail: 'the table does not answer',
    });
    expect(sentAtMs).toEqual([]);
  });

  test('a pause that another was told while this one waited for its turn is kept', async () => {
    const budget = memoryRateBudget();
    const { world, sentAtMs } = paced([page(rows('a'))], { budget });
    await taken(budget, 5_000);
    const { sleep } = world.clock;
    world.clock.sleep = async (ms) => {
      await budget.hold('shop', START_MS + 12_000);
      await sleep(ms);
    };
    expect(await poll(options, world)).toMatchObject({ kind: 'caught-up' });
    expect(sentAtMs[0]).toBeGreaterThanOrEqual(12_000);
  });
});

describe('an answer that leaves no request', () => {
  const last = (next: string | null, quietMs: number): PageAnswer => ({
    ...(page(rows('a'), next) as Extract<PageAnswer, { kind: 'page' }>),
    notBeforeMs: START_MS + quietMs,
  });

  test('holds the next page back, and no page is asked for ahead', async () => {
    const world = testWorld([last('p1', 7_000), page(rows('b'))]);
    expect(await poll(options, world)).toMatchObject({ kind: 'caught-up', pages: 2 });
    expect(world.clock.slept).toEqual([7_000]);
  });

  test('holds the next poll back where the run is over or the wait too long', async () => {
    const over = testWorld([last(null, 90_000)]);
    expect(await poll(options, over)).toMatchObject({ kind: 'caught-up' });
    expect(await poll(options, over)).toMatchObject({ kind: 'parked' });
    const long = testWorld([last('p1', 90_000)]);
    expect(await poll(options, long)).toMatchObject({ kind: 'out-of-time', pages: 1 });
    expect(await savedCursor(long)).toMatchObject({ notBeforeMs: START_MS + 90_000 });
  });
});

test('after three polls that fail in a row a tick asks nothing, somebody by hand does at once', async () => {
  const world = testWorld([{ kind: 'refused', detail: 'status 404' }]);
  const tick = async (isByHand = false) => {
    world.clock.advance(60_000);
    return poll(options, { ...world, isByHand });
  };
  for (let at = 0; at < 3; at++) expect((await tick()).kind).toBe('failed');
  expect(await tick()).toMatchObject({ kind: 'parked' });
  expect(world.asked).toHaveLength(3);
  expect((await tick(true)).kind).toBe('failed');
  expect(world.asked).toHaveLength(4);
  const parked = world.events.flatMap((event) =>
    event.event === 'PollEnded' ? [event.failures] : [],
  );
  expect(parked).toEqual([1, 2, 3, 3, 4]);
});
