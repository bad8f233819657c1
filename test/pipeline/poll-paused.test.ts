/** A pipeline that an operator paused. */
import { expect, test } from 'vitest';
import { memoryPollStateStore } from '#adapters/memory/poll-state-store';
import { poll } from '#pipeline/poll';
import { options, page, published, row, START_MS, testWorld } from './poll-world.ts';

test('a paused pipeline asks nothing of its source, and says since when and why', async () => {
  const states = memoryPollStateStore();
  const pages = [page([row('1', '2031-06-12T15:00:00Z')], 't1'), page([])];
  const world = testWorld(pages, { states });
  await states.pause('orders', { sinceMs: START_MS - 1, reason: 'migration' });
  expect(await poll(options, world)).toMatchObject({
    kind: 'paused',
    sinceMs: START_MS - 1,
    reason: 'migration',
    pages: 0,
  });
  expect(world.asked).toEqual([]);
  expect(world.events).toMatchObject([{ event: 'PollEnded', outcome: 'paused' }]);

  await states.resume('orders');
  expect(await poll(options, world)).toMatchObject({ kind: 'caught-up', pages: 2 });
  expect(published(world).map(({ subject }) => subject)).toEqual(['1']);
});
