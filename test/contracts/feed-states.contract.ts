import { describe, expect, test } from 'vitest';
import type { FeedStates } from '#ports/feed-states';

/** What every FeedStates promises. Each `open` answers one that holds nothing. */
export function feedStatesContract(name: string, open: () => Promise<FeedStates>): void {
  const lease = (epoch: number, pipeline = 'orders') => ({ pipeline, epoch });

  describe(`FeedStates: ${name}`, () => {
    test('a feed that was never read has no cursor', async () => {
      expect(await (await open()).open(lease(1))).toEqual({ cursor: undefined });
    });

    test('the next lease goes on where the last one saved', async () => {
      const states = await open();
      await states.open(lease(3));
      expect(await states.save(lease(3), 'first')).toBe(true);
      expect(await states.save(lease(3), 'second')).toBe(true);
      expect(await states.open(lease(7))).toEqual({ cursor: 'second' });
    });

    test('once a later lease has the feed, an earlier one saves nothing and opens nothing', async () => {
      const states = await open();
      await states.open(lease(3));
      await states.save(lease(3), 'mine');
      await states.open(lease(4));
      expect(await states.save(lease(3), 'late')).toBe(false);
      expect(await states.open(lease(3))).toBe('lease-lost');
      expect(await states.open(lease(5))).toEqual({ cursor: 'mine' });
    });

    test('who never opened the feed saves nothing', async () => {
      const states = await open();
      expect(await states.save(lease(2), 'cursor')).toBe(false);
      expect(await states.open(lease(2))).toEqual({ cursor: undefined });
    });

    test('one lease may open its feed again', async () => {
      const states = await open();
      await states.open(lease(9));
      await states.save(lease(9), 'cursor');
      expect(await states.open(lease(9))).toEqual({ cursor: 'cursor' });
    });

    test('keeps pipelines apart', async () => {
      const states = await open();
      await states.open(lease(9));
      await states.save(lease(9), 'cursor');
      expect(await states.open(lease(1, 'quakes'))).toEqual({ cursor: undefined });
    });
  });
}
