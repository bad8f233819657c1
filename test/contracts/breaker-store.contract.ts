import { describe, expect, test } from 'vitest';
import type { BreakerStore, OpenBreaker } from '#ports/breaker-store';

/** What every BreakerStore promises. */
export function breakerStoreContract(name: string, open: () => Promise<BreakerStore>): void {
  const of = { pipeline: 'orders', consumer: 'audit' };
  const found: OpenBreaker = {
    sinceMs: 1_900_000_000_123,
    code: '0f1e2d',
    reason: 'no-key',
    refused: 61,
    received: 87,
  };

  describe(`BreakerStore: ${name}`, () => {
    test('what nobody opened is closed', async () => {
      const store = await open();
      expect(await store.read(of)).toEqual({ open: undefined, letUntilMs: 0 });
      expect(await store.close(of, { letUntilMs: 0 })).toBe(false);
    });

    test('an open one reads back as it was found, for its consumer alone', async () => {
      const store = await open();
      await store.open(of, found);
      expect(await store.read(of)).toEqual({ open: found, letUntilMs: 0 });
      expect((await store.read({ ...of, consumer: 'audits' })).open).toBe(undefined);
    });

    test('what the same code found first stands; other code writes over it', async () => {
      const store = await open();
      await store.open(of, found);
      await store.open(of, { ...found, sinceMs: 1_900_000_000_999, refused: 3 });
      expect((await store.read(of)).open).toEqual(found);
      const other = { ...found, code: '3c4b5a', reason: 'not-json' } as const;
      await store.open(of, other);
      expect((await store.read(of)).open).toEqual(other);
    });

    test('closed, it says until when everything passes', async () => {
      const store = await open();
      await store.open(of, found);
      expect(await store.close(of, { letUntilMs: 1_900_000_111_111 })).toBe(true);
      expect(await store.read(of)).toEqual({ open: undefined, letUntilMs: 1_900_000_111_111 });
    });

    test('the mark that was seen is taken away, and no other', async () => {
      const store = await open();
      await store.open(of, found);
      const seen = { ...found, sinceMs: 1_899_999_999_999 };
      expect(await store.close(of, { letUntilMs: 0, seen })).toBe(false);
      expect((await store.read(of)).open).toEqual(found);
      expect(await store.close(of, { letUntilMs: 0, seen: found })).toBe(true);
      expect((await store.read(of)).open).toBe(undefined);
    });

    test('opened again after it was closed, it keeps what may pass', async () => {
      const store = await open();
      await store.close(of, { letUntilMs: 1_900_000_111_111 });
      await store.open(of, found);
      expect(await store.read(of)).toEqual({ open: found, letUntilMs: 1_900_000_111_111 });
    });
  });
}
