import { describe, expect, test } from 'vitest';
import type { PollControl } from '#ports/poll-control';
import type { PollEnd, PollStateStore } from '#ports/poll-state';

const NOW_MS = 1_900_000_000_000;
const ASK = { pipeline: 'orders', nowMs: NOW_MS, leaseMs: 60_000 };
const PAUSE = { sinceMs: NOW_MS - 5_000, reason: 'the source is being migrated' };

/** A poller's store and what an operator holds, over the same state; `open` answers an empty one. */
interface PollPorts {
  readonly store: PollStateStore;
  readonly control: PollControl;
}

/** What every PollControl promises. */
export function pollControlContract(name: string, open: () => Promise<PollPorts>): void {
  async function polled({ store }: PollPorts, cursor = '{"v":1}') {
    const taken = await store.acquire(ASK);
    if (taken.kind !== 'acquired') throw new Error(`not to be had: ${taken.kind}`);
    await store.save(taken.lease, { cursor, notBeforeMs: 77 }, NOW_MS + 60_000);
    return taken.lease;
  }

  describe(`PollControl: ${name}`, () => {
    test('knows nothing of a pipeline that never polled', async () => {
      const { control } = await open();
      expect(await control.read('orders')).toBeUndefined();
      expect(await control.resume('orders')).toBe(false);
      expect(await control.read('orders')).toBeUndefined();
    });

    test('shows what a poller keeps', async () => {
      const ports = await open();
      await polled(ports);
      expect(await ports.control.read('orders')).toEqual({
        epoch: 1,
        leaseUntilMs: NOW_MS + 60_000,
        cursor: '{"v":1}',
        notBeforeMs: 77,
        savedAtMs: expect.any(Number) as number,
        firstAtMs: NOW_MS,
        succeededAtMs: undefined,
        end: undefined,
        pause: undefined,
      });
    });

    test('shows how the last poll ended, and when one last succeeded', async () => {
      const { store, control } = await open();
      const endAt = async (afterMs: number, end?: Omit<PollEnd, 'atMs'>) => {
        const nowMs = NOW_MS + afterMs;
        const taken = await store.acquire({ ...ASK, nowMs });
        if (taken.kind !== 'acquired') throw new Error(`not to be had: ${taken.kind}`);
        await store.release(taken.lease, end && { ...end, atMs: nowMs });
        return control.read('orders');
      };
      const failed = { outcome: 'failed', succeeded: false, detail: 'status 503' };
      const well = { outcome: 'caught-up', succeeded: true, detail: undefined };
      const firstFailed = { outcome: 'failed', atMs: NOW_MS, detail: 'status 503' };
      const first = { firstAtMs: NOW_MS, succeededAtMs: undefined, end: firstFailed };
      expect(await endAt(0, failed)).toMatchObject(first);
      expect(await endAt(1), 'the source was not asked').toMatchObject(first);
      const second = { firstAtMs: NOW_MS, succeededAtMs: NOW_MS + 2 };
      expect(await endAt(2, well)).toMatchObject({
        ...second,
        end: { outcome: 'caught-up', atMs: NOW_MS + 2, detail: undefined },
      });
      const third = { ...firstFailed, atMs: NOW_MS + 3 };
      expect(await endAt(3, failed)).toMatchObject({ ...second, end: third });
    });

    test('counts polls that fail in a row until one succeeds, and gives a lease with what it knows', async () => {
      const { store, control } = await open();
      const failing = { count: 3, sinceMs: NOW_MS, retryAtMs: NOW_MS + 90_000 };
      const endWith = async (end?: Omit<PollEnd, 'atMs'>) => {
        const taken = await store.acquire(ASK);
        if (taken.kind !== 'acquired') throw new Error(`not to be had: ${taken.kind}`);
        await store.release(taken.lease, end && { ...end, atMs: NOW_MS });
        return taken.failing;
      };
      const failed = { outcome: 'failed', succeeded: false, detail: 'status 503', failing };
      const neither = { outcome: 'lease-lost', succeeded: false, detail: undefined };
      expect(await endWith(failed)).toBeUndefined();
      expect(await endWith(neither)).toEqual(failing);
      expect(await endWith()).toEqual(failing);
      expect(await control.read('orders')).toMatchObject({ failing });
      expect(await control.resume('orders')).toBe(true);
      expect(await control.resume('orders'), 'nothing is parked any more').toBe(false);
      expect(await endWith()).toEqual({ ...failing, retryAtMs: 0 });
      await endWith({ outcome: 'caught-up', succeeded: true, detail: undefined });
      expect(await endWith()).toBeUndefined();
      expect((await control.read('orders'))?.failing).toBeUndefined();
    });

    test('shows no end of a poll whose lease another has taken', async () => {
      const ports = await open();
      const lease = await polled(ports);
      await ports.store.acquire({ ...ASK, nowMs: NOW_MS + 60_000 });
      const end = { outcome: 'caught-up', atMs: NOW_MS, succeeded: true, detail: undefined };
      await ports.store.release(lease, end);
      const none = { epoch: 2, leaseUntilMs: NOW_MS + 120_000, end: undefined };
      expect(await ports.control.read('orders')).toMatchObject(none);
    });

    test('gives no lease of a paused pipeline, and one again where it was', async () => {
      const ports = await open();
      const { store, control } = ports;
      await store.release(await polled(ports));
      await control.pause('orders', PAUSE);
      expect(await store.acquire(ASK)).toEqual({ kind: 'paused', pause: PAUSE });
      expect(await control.resume('orders')).toBe(true);
      expect(await store.acquire(ASK)).toMatchObject({
        kind: 'acquired',
        lease: { epoch: 2 },
        state: { cursor: '{"v":1}', notBeforeMs: 77 },
      });
    });

    test('pauses a pipeline before its first poll, and no other', async () => {
      const { store, control } = await open();
      await control.pause('orders', { ...PAUSE, reason: undefined });
      const pause = { sinceMs: PAUSE.sinceMs, reason: undefined };
      expect(await store.acquire(ASK)).toEqual({ kind: 'paused', pause });
      expect((await store.acquire({ ...ASK, pipeline: 'quakes' })).kind).toBe('acquired');
      await control.resume('orders');
      expect(await store.acquire(ASK)).toMatchObject({ kind: 'acquired', lease: { epoch: 1 } });
    });

    test('a second pause keeps the moment of the first, and its reason unless it has one', async () => {
      const { control } = await open();
      await control.pause('orders', PAUSE);
      await control.pause('orders', { sinceMs: NOW_MS, reason: 'still' });
      const pause = { sinceMs: PAUSE.sinceMs, reason: 'still' };
      expect(await control.read('orders')).toMatchObject({ pause });
      await control.pause('orders', { sinceMs: NOW_MS, reason: undefined });
      expect(await control.read('orders')).toMatchObject({ pause });
      await control.resume('orders');
      await control.pause('orders', { ...pause, reason: undefined });
      expect(await control.read('orders')).toMatchObject({ pause: { reason: undefined } });
    });

    test('lets a poll that is at work when the pause comes save what it did', async () => {
      const ports = await open();
      const lease = await polled(ports);
      await ports.control.pause('orders', PAUSE);
      const state = { cursor: 'later', notBeforeMs: 0 };
      expect(await ports.store.save(lease, state, NOW_MS)).toMatchObject({ pipeline: 'orders' });
      expect(await ports.control.read('orders')).toMatchObject({ cursor: 'later', pause: PAUSE });
    });

    test('a cursor that is set cannot be saved over by a poll at work', async () => {
      const ports = await open();
      const lease = await polled(ports);
      await ports.control.setCursor('orders', 'set');
      const late = { cursor: 'late', notBeforeMs: 0 };
      expect(await ports.store.save(lease, late, NOW_MS + 90_000)).toBeUndefined();
      expect(await ports.control.read('orders')).toMatchObject({
        cursor: 'set',
        savedAtMs: undefined,
        epoch: 2,
        leaseUntilMs: NOW_MS + 60_000,
        notBeforeMs: 77,
      });
    });

    test('a cursor that is taken away is that of a source never read', async () => {
      const ports = await open();
      await polled(ports);
      await ports.control.setCursor('orders', undefined);
      const later = { ...ASK, nowMs: NOW_MS + 60_000 };
      expect(await ports.store.acquire(later)).toMatchObject({ state: { cursor: undefined } });
    });

    test('a cursor is set before the first poll', async () => {
      const { store, control } = await open();
      await control.setCursor('orders', 'set');
      expect(await store.acquire(ASK)).toMatchObject({
        lease: { epoch: 2 },
        state: { cursor: 'set', notBeforeMs: 0 },
      });
    });
  });
}
