import { describe, expect, test } from 'vitest';
import type { BackfillStore } from '#ports/backfill-store';
import type { HeldJob } from '#ports/held-job';

/** What every BackfillStore promises. */
export function backfillStoreContract(name: string, open: () => Promise<BackfillStore>): void {
  const run: HeldJob = {
    ask: '{"from":"90d"}',
    plan: '{"fromMs":7}',
    startedAtMs: 1_900_000_000_001,
    finishedAtMs: null,
    epoch: 1,
    owner: 'ada@here',
    leaseUntilMs: 1_900_000_030_001,
  };
  const place = { cursor: '{"v":1}', sent: '{"v":1,"marks":[]}', notBeforeMs: 1_900_000_090_001 };

  describe(`BackfillStore: ${name}`, () => {
    test('a run reads back as it was saved, with how far it came, for its pipeline alone', async () => {
      const store = await open();
      expect(await store.read('orders')).toBeUndefined();
      expect(await store.save('orders', run, undefined)).toBe(true);
      expect(await store.read('orders')).toEqual({ run, places: undefined });
      expect(await store.move('orders', run, place)).toBe(true);
      expect(await store.read('orders')).toEqual({ run, places: place });
      expect(await store.read('quakes')).toBeUndefined();
      const over = { ...run, finishedAtMs: 1_900_000_040_000 };
      expect(await store.save('orders', over, 1)).toBe(true);
      expect(await store.read('orders')).toEqual({ run: over, places: place });
    });

    test('of two that saw the same, one saves', async () => {
      const store = await open();
      const saved = await Promise.all([
        store.save('orders', run, undefined),
        store.save('orders', { ...run, owner: 'bob@there' }, undefined),
      ]);
      expect(saved.toSorted()).toEqual([false, true]);
      expect(await store.save('orders', { ...run, epoch: 2 }, 1)).toBe(true);
      expect(await store.save('orders', { ...run, leaseUntilMs: 5 }, 1)).toBe(false);
    });

    test('whoever took it up later moves it; whoever had it before does not', async () => {
      const store = await open();
      await store.save('orders', run, undefined);
      const later = { ...run, epoch: 2 };
      await store.save('orders', later, 1);
      expect(await store.move('orders', later, place)).toBe(true);
      expect(await store.move('orders', run, { ...place, cursor: 'old' })).toBe(false);
      expect((await store.read('orders'))?.places).toEqual(place);
    });

    test('a wait is kept from before the first page on, until another is', async () => {
      const store = await open();
      await store.save('orders', run, undefined);
      await store.move('orders', run, { cursor: undefined, sent: undefined, notBeforeMs: 17 });
      const fresh = { cursor: undefined, sent: undefined, notBeforeMs: 17 };
      expect((await store.read('orders'))?.places).toEqual(fresh);
      await store.move('orders', run, { ...place, notBeforeMs: 0 });
      expect((await store.read('orders'))?.places).toEqual({ ...place, notBeforeMs: 0 });
    });

    test('one that is begun anew has come nowhere', async () => {
      const store = await open();
      await store.save('orders', run, undefined);
      await store.move('orders', run, place);
      const anew = { ...run, epoch: 2, startedAtMs: 1_900_000_999_999 };
      await store.save('orders', anew, 1);
      expect(await store.read('orders')).toEqual({ run: anew, places: undefined });
    });
  });
}
