import { describe, expect, test } from 'vitest';
import type { Lease, PollStateStore } from '#ports/poll-state';

const NOW_MS = 1_900_000_000_000;

/** What every PollStateStore promises. Each `open` answers a store that holds nothing. */
export function pollStateStoreContract(name: string, open: () => Promise<PollStateStore>): void {
  async function taken(store: PollStateStore, nowMs = NOW_MS, leaseMs = 60_000) {
    const result = await store.acquire({ pipeline: 'orders', nowMs, leaseMs });
    if (result.kind !== 'acquired') throw new Error(`not to be had: ${result.kind}`);
    return result;
  }
  const state = { cursor: '{"v":1}', notBeforeMs: 77 };

  describe(`PollStateStore: ${name}`, () => {
    test('gives the first taker the lease and an empty state', async () => {
      expect(await taken(await open())).toEqual({
        kind: 'acquired',
        lease: { pipeline: 'orders', epoch: 1, untilMs: NOW_MS + 60_000 },
        state: { cursor: undefined, notBeforeMs: 0 },
      });
    });

    test('holds others off until the lease runs out, and then raises the epoch', async () => {
      const store = await open();
      await taken(store);
      const ask = { pipeline: 'orders', leaseMs: 60_000 };
      expect(await store.acquire({ ...ask, nowMs: NOW_MS + 59_999 })).toEqual({
        kind: 'held',
        untilMs: NOW_MS + 60_000,
      });
      expect((await taken(store, NOW_MS + 60_000)).lease.epoch).toBe(2);
    });

    test('keeps pipelines apart', async () => {
      const store = await open();
      await taken(store);
      const other = await store.acquire({ pipeline: 'quakes', nowMs: NOW_MS, leaseMs: 1 });
      expect(other).toMatchObject({ kind: 'acquired', lease: { epoch: 1 } });
    });

    test('saves state and renews the lease', async () => {
      const store = await open();
      const { lease } = await taken(store);
      const renewed = await store.save(lease, state, NOW_MS + 90_000);
      expect(renewed).toEqual({ ...lease, untilMs: NOW_MS + 90_000 });
      const ask = { pipeline: 'orders', leaseMs: 1 };
      expect((await store.acquire({ ...ask, nowMs: NOW_MS + 89_999 })).kind).toBe('held');
      expect(await taken(store, NOW_MS + 90_000)).toMatchObject({ state });
    });

    test('saves nothing for a poller whose lease another has taken', async () => {
      const store = await open();
      const first = await taken(store);
      await taken(store, NOW_MS + 60_000);
      expect(await store.save(first.lease, state, NOW_MS + 999_000)).toBeUndefined();
      const third = await taken(store, NOW_MS + 120_000);
      expect(third).toMatchObject({ lease: { epoch: 3 }, state: { cursor: undefined } });
    });

    test('lets a poller save whose lease ran out but was not taken', async () => {
      const store = await open();
      const { lease } = await taken(store, NOW_MS, 1);
      const untilMs = NOW_MS + 90_000;
      expect(await store.save(lease, state, untilMs)).toEqual({ ...lease, untilMs });
    });

    test('frees a lease that is given back, and keeps the state', async () => {
      const store = await open();
      const { lease } = await taken(store);
      await store.save(lease, state, NOW_MS + 60_000);
      await store.release(lease);
      expect(await taken(store)).toMatchObject({ lease: { epoch: 2 }, state });
    });

    test('keeps what was published until other marks are saved, or given with the lease', async () => {
      const store = await open();
      const { lease } = await taken(store);
      await store.save(lease, { ...state, sent: 'one' }, NOW_MS + 60_000);
      await store.save(lease, state, NOW_MS + 60_000);
      await store.release(lease);
      const second = await taken(store);
      expect(second.state).toEqual({ ...state, sent: 'one' });
      await store.release(second.lease, undefined, 'two');
      const third = await taken(store);
      expect(third.state).toEqual({ ...state, sent: 'two' });
      await store.release(second.lease, undefined, 'late');
      await store.release(third.lease);
      expect((await taken(store)).state).toEqual({ ...state, sent: 'two' });
    });

    test('does not let an old holder give back what another holds', async () => {
      const store = await open();
      const old: Lease = (await taken(store)).lease;
      await taken(store, NOW_MS + 60_000);
      await store.release(old);
      const ask = { pipeline: 'orders', nowMs: NOW_MS + 60_001, leaseMs: 1 };
      expect((await store.acquire(ask)).kind).toBe('held');
    });

    test('gives a lease back with how the poll ended, and keeps the state', async () => {
      const store = await open();
      const { lease } = await taken(store);
      await store.save(lease, state, NOW_MS + 60_000);
      const end = { outcome: 'failed', atMs: NOW_MS, succeeded: false, detail: 'status 503' };
      await store.release(lease, end);
      expect(await taken(store)).toMatchObject({ lease: { epoch: 2 }, state });
    });

    test('keeps a cursor of 216 KB', async () => {
      const store = await open();
      const { lease } = await taken(store);
      const cursor = 'c'.repeat(216_000);
      await store.save(lease, { cursor, notBeforeMs: 0 }, NOW_MS);
      expect((await taken(store, NOW_MS)).state.cursor).toBe(cursor);
    });
  });
}
