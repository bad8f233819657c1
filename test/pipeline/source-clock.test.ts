/** A source's clock that is wrong for once moves no boundary past rows that are still to come. */
import { expect, test } from 'vitest';
import { decodeCursor } from '#core/source/cursor-text';
import { poll } from '#pipeline/poll';
import type { PageAnswer, PageRequest } from '#ports/page-source';
import { HORIZON_MS, options, page, row, savedCursor, testClock, testWorld } from './poll-world.ts';

const DAY_MS = 86_400_000;

/** Polls once for each error of the source's clock, and says how far each boundary is behind ours. */
async function boundariesFor(errorsMs: readonly number[]) {
  const clock = testClock();
  const errors = [...errorsMs];
  const source = {
    async fetchPage(): Promise<PageAnswer> {
      const answer = page([row('future', '2062-01-01T00:00:00Z')]) as PageAnswer & { kind: 'page' };
      return { ...answer, startedAtMs: clock.nowMs() + (errors.shift() ?? 0) };
    },
  };
  const world = testWorld([], { source, clock });
  const behind: number[] = [];
  for (const _ of errorsMs) {
    clock.advance(600_000);
    const nowMs = clock.nowMs();
    expect(await poll(options, world)).toMatchObject({ kind: 'caught-up' });
    const { boundary } = decodeCursor((await savedCursor(world)).cursor);
    behind.push(nowMs - Date.parse(boundary ?? ''));
  }
  return behind;
}

test('a clock that leaps is not believed before it says so twice', async () =>
  expect(await boundariesFor([DAY_MS, 0, DAY_MS, 0, DAY_MS, DAY_MS])).toEqual([
    HORIZON_MS,
    HORIZON_MS,
    HORIZON_MS,
    HORIZON_MS,
    HORIZON_MS,
    HORIZON_MS - DAY_MS,
  ]));

test('a clock that is behind, or ahead by ever as much, is believed', async () => {
  expect(await boundariesFor([0, -50_000, -50_000])).toEqual([
    HORIZON_MS,
    HORIZON_MS + 50_000,
    HORIZON_MS + 50_000,
  ]);
  expect(await boundariesFor([7_000, 7_000, 7_000])).toEqual([
    HORIZON_MS,
    HORIZON_MS - 7_000,
    HORIZON_MS - 7_000,
  ]);
});

test('a run that begins again is not the second time that it says so', async () => {
  const clock = testClock();
  const ahead = [0, DAY_MS, DAY_MS, DAY_MS];
  const source = {
    async fetchPage({ query }: PageRequest): Promise<PageAnswer> {
      if (query['cursor'] !== undefined && ahead.length > 1) {
        return { kind: 'refused', detail: 'the source answered status 400' };
      }
      const next = query['cursor'] === undefined && ahead.length > 2 ? 'p2' : null;
      const answer = page(
        [row('future', '2062-01-01T00:00:00Z')],
        ahead.length === 4 ? null : next,
      );
      return { ...answer, startedAtMs: clock.nowMs() + (ahead.shift() ?? 0) } as PageAnswer;
    },
  };
  const world = testWorld([], { source, clock });
  for (const event of ['PagePublished', 'RunRestarted']) {
    clock.advance(600_000);
    const nowMs = clock.nowMs();
    await poll(options, world);
    expect(world.events.map((one) => one.event)).toContain(event);
    const { boundary } = decodeCursor((await savedCursor(world)).cursor);
    expect(Date.parse(boundary ?? '')).toBe(nowMs - HORIZON_MS);
  }
});
