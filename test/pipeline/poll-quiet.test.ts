/** Pauses that a source asks for beside what it answers: nothing is asked of it before they are over. */
import { describe, expect, test } from 'vitest';
import { memoryFeedStates } from '#adapters/memory/feed-states';
import { poll } from '#pipeline/poll';
import type { PollWorld } from '#pipeline/poll-options';
import type { PageAnswer, PageRequest } from '#ports/page-source';
import { options, page, row, savedCursor, START_MS, testClock, testWorld } from './poll-world.ts';

const rows = [row('a', '2031-06-12T15:59:00Z')];
const quiet = (answer: PageAnswer, forMs: number) =>
  ({ ...answer, notBeforeMs: START_MS + forMs }) as PageAnswer;
const broken: PageAnswer = { kind: 'unavailable', detail: 'the answer was empty' };
const refused: PageAnswer = { kind: 'refused', detail: 'the source answered status 400' };

/** A poll of those answers; `atMs` is when each was asked for, from the start. */
function timed(answers: readonly PageAnswer[], parts: Pick<PollWorld, 'deletes'> = {}) {
  const clock = testClock();
  const world = testWorld(answers, { clock, ...parts });
  const atMs: number[] = [];
  const source = {
    fetchPage(request: PageRequest) {
      atMs.push(clock.nowMs() - START_MS);
      return world.source.fetchPage(request);
    },
  };
  return { world: { ...world, source }, atMs };
}

describe('a pause is kept within the poll', () => {
  test.each<[string, readonly PageAnswer[]]>([
    ['after an answer without a page', [quiet(broken, 17_000), page(rows)]],
    ['before the run begins anew', [page(rows, 'p1'), quiet(refused, 17_000), page(rows)]],
    ['after a page', [quiet(page(rows, 'p1'), 17_000), page(rows)]],
  ])('%s', async (_, answers) => {
    const { world, atMs } = timed(answers);
    expect(await poll(options, world)).toMatchObject({ kind: 'caught-up' });
    expect(atMs.at(-1)).toBe(17_000);
    expect(atMs.slice(0, -1).every((ms) => ms === 0)).toBe(true);
  });

  test('from one feed to the other', async () => {
    const { source, records, rules } = options;
    const feed = { source, records, rules: { ...rules, version: 'observed' as const } };
    const { world, atMs } = timed([page(rows)], {
      deletes: {
        source: { fetchPage: async () => quiet(page([row('z', '2031-06-12T15:58:00Z')]), 17_000) },
        states: memoryFeedStates(),
      },
    });
    const outcome = await poll({ ...options, deletes: feed }, world);
    expect(outcome).toMatchObject({ kind: 'caught-up', pages: 2 });
    expect(atMs).toEqual([17_000]);
  });

  test('by requests that follow in one and the same fetch', async () => {
    const clock = testClock();
    const leftMs: number[] = [];
    const { signal } = new AbortController();
    const world = testWorld([], {
      clock,
      source: {
        async fetchPage({ gate }) {
          await gate?.hold(START_MS + 17_000);
          // What is heard later does not shorten it.
          await gate?.hold(START_MS + 9_000);
          const entry = await gate?.enter(signal);
          expect(entry).toEqual({ kind: 'granted', timeoutMs: options.sourceTimeoutMs });
          leftMs.push(clock.nowMs() - START_MS);
          return page(rows);
        },
      },
    });
    expect(await poll(options, world)).toMatchObject({ kind: 'caught-up' });
    expect(leftMs).toEqual([17_000]);
    expect(world.events).toContainEqual({
      event: 'SourceWaited',
      pipeline: 'orders',
      waitMs: 17_000,
    });
  });
});

describe('a pause is kept into the next poll', () => {
  const notBeforeMs = START_MS + 900_000;

  test.each<[string, PageAnswer, string]>([
    ['that nothing has changed', quiet({ kind: 'unchanged' }, 900_000), 'caught-up'],
    ['a refusal', quiet(refused, 900_000), 'failed'],
  ])('by %s', async (_, answer, kind) => {
    const { world, atMs } = timed([answer]);
    expect(await poll(options, world)).toMatchObject({ kind });
    world.clock.advance(899_999);
    expect(await poll(options, world)).toMatchObject({ kind: 'parked', notBeforeMs });
    expect(atMs).toEqual([0]);
    world.clock.advance(1);
    await poll(options, world);
    expect(atMs).toHaveLength(2);
  });

  test('by a failure that would be tried again', async () => {
    const { world } = timed([quiet(broken, 900_000)]);
    expect(await poll(options, world)).toMatchObject({ kind: 'parked', notBeforeMs });
  });

  test('where a run is to begin anew, and it does then', async () => {
    const answers = [page(rows, 'p1'), quiet(refused, 900_000), page([])];
    const { world } = timed(answers);
    expect(await poll(options, world)).toMatchObject({ kind: 'out-of-time', pages: 1 });
    expect(await savedCursor(world)).toMatchObject({ notBeforeMs });
    world.clock.advance(900_000);
    expect(await poll(options, world)).toMatchObject({ kind: 'caught-up' });
    expect(world.asked.at(-1)).not.toHaveProperty('cursor');
  });
});
