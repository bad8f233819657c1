/** The commands of the pages on lag, replay and resharding, each run as it stands. */
import { expect, test, vi } from 'vitest';
import { guideBlocks } from '#test/docs/guide-blocks';
import { PATIENTLY } from '#test/clouds/patience';
import { consumingCloud } from './consuming-cloud.ts';

const PAGES = ['lag', 'replay', 'resharding'].map((page) => `docs/guide/${page}.md`);

test.each(PAGES)('every command of %s does what the page says', async (page) => {
  const world = await consumingCloud();
  await world.put(['ord-000123', 'ord-000124', 'ord-000125'], 1);
  await world.cloud.untilIdle();
  const blocks = guideBlocks(page);
  expect(blocks.length).toBeGreaterThan(1);
  for (const { commands, verdict, place } of blocks) {
    if (verdict.kind !== 'run') throw new Error(`${place} is not run`);
    const words = commands.trim().replace('npx penstock ', '').split(' ');
    const listeners = process.listenerCount('SIGINT');
    const ended = world.run(words, 'orders');
    if (words.includes('--watch')) {
      await vi.waitFor(
        () => expect(process.listenerCount('SIGINT')).toBeGreaterThan(listeners),
        PATIENTLY,
      );
      process.emit('SIGINT');
    }
    const { code, out, err } = await ended;
    expect({ place, code, err }).toEqual({ place, code: 0, err: '' });
    expect(out, place).toContain(verdict.prints);
  }
});
