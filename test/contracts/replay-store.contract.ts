import { describe, expect, test } from 'vitest';
import type { SequenceNumber } from '#core/record/records';
import type { ReplayPlace, ReplayRun, ReplayStore } from '#ports/replay-store';

/** What every ReplayStore promises. */
export function replayStoreContract(name: string, open: () => Promise<ReplayStore>): void {
  const of = { pipeline: 'orders', consumer: 'audit' };
  const run: ReplayRun = {
    ask: '{"from":"3h"}',
    plan: '{"fromMs":7}',
    startedAtMs: 1_900_000_000_001,
    finishedAtMs: null,
    epoch: 1,
    owner: 'ada@here',
    leaseUntilMs: 1_900_000_030_001,
  };
  const place = (shardId: string, change: Partial<ReplayPlace> = {}): ReplayPlace => ({
    shardId,
    sequenceNumber: '49590338271490256608559692538361571095921575989136588898' as SequenceNumber,
    records: 17,
    ended: false,
    ...change,
  });

  describe(`ReplayStore: ${name}`, () => {
    test('a run reads back as it was saved, for its consumer alone', async () => {
      const store = await open();
      expect(await store.read(of)).toBeUndefined();
      expect(await store.save(of, run, undefined)).toBe(true);
      expect(await store.read(of)).toEqual({ run, places: [] });
      expect(await store.read({ ...of, consumer: 'orders' })).toBeUndefined();
      const over = { ...run, finishedAtMs: 1_900_000_040_000 };
      expect(await store.save(of, over, 1)).toBe(true);
      expect(await store.read(of)).toEqual({ run: over, places: [] });
      expect(await store.save(of, { ...run, epoch: 2 }, 1)).toBe(true);
      expect((await store.read(of))?.run.finishedAtMs).toBe(null);
    });

    test('of two that saw the same, one saves', async () => {
      const store = await open();
      const [one, two] = await Promise.all([
        store.save(of, run, undefined),
        store.save(of, { ...run, owner: 'bob@there' }, undefined),
      ]);
      expect([one, two].toSorted()).toEqual([false, true]);
      expect(await store.save(of, { ...run, epoch: 2, owner: 'bob@there' }, 1)).toBe(true);
      expect(await store.save(of, { ...run, leaseUntilMs: 5 }, 1)).toBe(false);
      expect((await store.read(of))?.run).toMatchObject({ epoch: 2, owner: 'bob@there' });
    });

    test('places are of their run, in the order of their shards', async () => {
      const store = await open();
      await store.save(of, run, undefined);
      await store.move(of, run, place('shardId-000000000002', { sequenceNumber: null }));
      await store.move(of, run, place('shardId-000000000001', { records: 3 }));
      const ended = place('shardId-000000000001', { records: 4, ended: true });
      await store.move(of, run, ended);
      const other = place('shardId-000000000002', { sequenceNumber: null });
      expect((await store.read(of))?.places).toEqual([ended, other]);
      await store.save(of, { ...run, startedAtMs: 1_900_000_999_999, epoch: 2 }, 1);
      expect((await store.read(of))?.places).toEqual([]);
    });

    test('where another has been since, one that stood still saves no place', async () => {
      const store = await open();
      await store.save(of, run, undefined);
      await store.move(of, { ...run, epoch: 2 }, place('shardId-000000000001'));
      const late = store.move(of, run, place('shardId-000000000001', { records: 2 }));
      await expect(late).rejects.toMatchObject({ retryable: false });
      expect((await store.read(of))?.places).toEqual([place('shardId-000000000001')]);
    });
  });
}
