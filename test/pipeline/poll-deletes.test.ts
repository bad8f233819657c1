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
