import { expect, test } from 'vitest';
import { memoryFeedStates } from '#adapters/memory/feed-states';
import { timestampOfMs } from '#core/record/timestamp';
import { decodeCursor } from '#core/source/cursor-text';
import { poll } from '#pipeline/poll';
import type { PageAnswer } from '#ports/page-source';
import { incremental, options, page, row, savedCursor, START_MS, testWorld } from './poll-world.ts';

const source = { ...options.source, incremental: { ...incremental, horizonMs: 0 } };
const { records, rules } = options;
const deletes = { source, records, rules: { ...rules, version: 'observed' as const } };
const at = (ms: number, ...rows: ReturnType<typeof row>[]): PageAnswer => ({
  ...(page(rows) as Extract<PageAnswer, { kind: 'page' }>),
  startedAtMs: ms,
});

test('records that came after the deletes were read are read again', async () => {
  const late = new Date(START_MS + 2_000).toISOString();
  const world = testWorld([at(START_MS + 5_000, row('a', late), row('b', late))], {
    deletes: {
      source: { fetchPage: async () => at(START_MS) },
      states: memoryFeedStates(),
    },
  });
  expect(await poll({ ...options, source, deletes }, world)).toMatchObject({ kind: 'caught-up' });
  const { boundary } = decodeCursor((await savedCursor(world)).cursor);
  expect(boundary).toBe(timestampOfMs(START_MS));
});

const many = (count: number) =>
  Array.from({ length: count }, (_, n) => row(`x${n}`, new Date(START_MS - 1_000).toISOString()));
const undated = { order_id: 'x', updated_at: null };

test.each([
  [
    'of which more lie at one time than are remembered',
    many(4_000),
    /^source\.deletes: 4000 deletes/,
  ],
  [
    'one of them without a time',
    [...many(1), undated],
    /^source\.deletes: deletes hold no readable time at `updated_at`/,
  ],
])('deletes %s fail the poll once its records are read', async (_what, gone, detail) => {
  const ofFeed = { fetchPage: async () => at(START_MS, ...(gone as ReturnType<typeof row>[])) };
  const versioned = { ...deletes, rules };
  for (const [told, end] of [
    [deletes, { kind: 'failed', detail: expect.stringMatching(detail) }],
    [versioned, { kind: 'caught-up' }],
  ] as const) {
    const world = testWorld([at(START_MS, row('a', new Date(START_MS).toISOString()))], {
      deletes: { source: ofFeed, states: memoryFeedStates() },
    });
    expect(await poll({ ...options, source, deletes: told }, world)).toMatchObject(end);
    expect(world.asked).toHaveLength(1);
  }
});
