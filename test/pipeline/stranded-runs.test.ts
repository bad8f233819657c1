/** A source whose page tokens may die between two polls, each of which has time for two pages of six. */
import { expect, test } from 'vitest';
import { decodeCursor } from '#core/source/cursor-text';
import { poll } from '#pipeline/poll';
import type { PageRequest } from '#ports/page-source';
import {
  incremental,
  options,
  page,
  row,
  savedCursor,
  testClock,
  testWorld,
} from './poll-world.ts';

const EVERY_MS = 60_000;
const OUT_OF_TIME = 'out-of-time';

/** @param lifeMs asked for once a poll: how long the tokens of an answer live then. */
function world({ ordered, lifeMs }: { ordered: boolean; lifeMs: (poll: number) => number }) {
  const clock = testClock();
  let polls = 0;
  let pagesBefore = 0;
  const rows = [1, 2, 3, 4, 5, 6].map((at) =>
    row(`order-${at}`, `2031-06-12T15:00:0${ordered ? at : 0}Z`),
  );
  const source = {
    async fetchPage({ query }: PageRequest) {
      const [at = '0', deadAtMs = ''] = query['cursor']?.split('@') ?? [];
      if (deadAtMs !== '' && Number(deadAtMs) <= clock.nowMs()) {
        return { kind: 'refused', status: 400, detail: 'unknown token' } as const;
      }
      const since = query['updated_since'] ?? '';
      const shown = rows.filter(({ updated_at }) => updated_at >= since);
      const next = Number(at) + 1;
      const token = next < shown.length ? `${next}@${clock.nowMs() + lifeMs(polls)}` : null;
      return page(shown.slice(next - 1, next), token);
    },
  };
  const remainingMs = () => (pagesRead() < pagesBefore + 2 ? 50_000 : 0);
  const made = testWorld([], { clock, source, remainingMs });
  const pagesRead = () => made.events.filter(({ event }) => event === 'PagePublished').length;
  const asks = {
    ...options,
    source: { ...options.source, incremental: { ...incremental, ordered } },
  };
  return {
    made,
    asks,
    async poll() {
      polls++;
      pagesBefore = pagesRead();
      clock.advance(EVERY_MS);
      const { kind, ...ended } = await poll(asks, made);
      return 'detail' in ended ? `${kind}: ${ended.detail}` : kind;
    },
  };
}

const dying = () => EVERY_MS / 2;
const living = () => 3 * EVERY_MS;
const stranded = (times: number) =>
  `failed: the source refused the page token that the poll before had left, ${times} times in a row, and every poll ` +
  'begins again where the first did: give one the time to read all of it (poll.timeoutSec, source.pageSize), or poll more often';

test('from the third run that cannot go on, polls say so, and still read what they can', async () => {
  const { poll: next, made } = world({ ordered: false, lifeMs: dying });
  const ends = [await next(), await next(), await next(), await next()];
  expect(ends).toEqual([OUT_OF_TIME, OUT_OF_TIME, OUT_OF_TIME, stranded(3)]);
  expect(made.writer.written.length).toBeGreaterThan(0);
  expect(decodeCursor((await savedCursor(made)).cursor)).toMatchObject({
    boundary: null,
    stranded: 3,
    run: { rows: { count: 2 } },
  });
});

test('a source in order comes forward all the same, and nobody is called', async () => {
  const { poll: next } = world({ ordered: true, lifeMs: dying });
  const ends: string[] = [];
  for (let turn = 0; turn < 8; turn++) ends.push(await next());
  expect(ends.slice(0, 4)).toEqual([OUT_OF_TIME, OUT_OF_TIME, OUT_OF_TIME, OUT_OF_TIME]);
  expect(ends.slice(4)).toEqual(['caught-up', 'caught-up', 'caught-up', 'caught-up']);
});

test('a token that lives until the next poll ends the complaint, and so does a run that ends', async () => {
  const lives = [dying, dying, dying, living];
  const { poll: next, made } = world({
    ordered: false,
    lifeMs: (at) => (lives[at - 1] ?? living)(),
  });
  const ends = [await next(), await next(), await next(), await next(), await next()];
  expect(ends).toEqual([OUT_OF_TIME, OUT_OF_TIME, OUT_OF_TIME, stranded(3), OUT_OF_TIME]);
  expect(await next()).toBe('caught-up');
  expect(decodeCursor((await savedCursor(made)).cursor).stranded).toBe(undefined);
});

test('a run that ends within its poll forgets those that were given up before', async () => {
  const { made, asks, poll: next } = world({ ordered: false, lifeMs: dying });
  await next();
  await next();
  expect(decodeCursor((await savedCursor(made)).cursor).stranded).toBe(1);
  made.clock.advance(EVERY_MS);
  const whole = { ...made, remainingMs: () => 50_000 };
  expect(await poll(asks, whole)).toMatchObject({ kind: 'caught-up' });
  expect(decodeCursor((await savedCursor(made)).cursor).stranded).toBe(undefined);
});
