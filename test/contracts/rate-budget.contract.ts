import { describe, expect, test } from 'vitest';
import type { RateBudget } from '#ports/rate-budget';

const NOW_MS = 1_900_000_000_000;
const ASK = { api: 'shop', nowMs: NOW_MS, spanMs: 1_010, latestMs: NOW_MS + 60_000 };

/** What every RateBudget promises. Each `open` answers one that knows no API. */
export function rateBudgetContract(name: string, open: () => Promise<RateBudget>): void {
  describe(`RateBudget: ${name}`, () => {
    test('gives the first taker the line from its own now', async () => {
      const taken = await (await open()).take(ASK);
      expect(taken).toEqual({ kind: 'taken', fromMs: NOW_MS, heldUntilMs: 0 });
    });

    test('gives the next taker what lies behind what is taken, whatever its clock says', async () => {
      const budget = await open();
      await budget.take(ASK);
      const behind = { kind: 'taken', fromMs: NOW_MS + 1_010, heldUntilMs: 0 };
      expect(await budget.take({ ...ASK, nowMs: NOW_MS - 7_000, spanMs: 110 })).toEqual(behind);
      const third = await budget.take({ ...ASK, nowMs: NOW_MS + 1_119 });
      expect(third).toEqual({ ...behind, fromMs: NOW_MS + 1_120 });
    });

    test('gives nothing of what has passed: time that nobody took is lost', async () => {
      const budget = await open();
      await budget.take(ASK);
      const nowMs = NOW_MS + 1_010;
      expect(await budget.take({ ...ASK, nowMs })).toMatchObject({ fromMs: nowMs });
      const later = NOW_MS + 50_000;
      expect(await budget.take({ ...ASK, nowMs: later })).toMatchObject({ fromMs: later });
    });

    test('takes nothing that begins too late, and says when it would', async () => {
      const budget = await open();
      await budget.take(ASK);
      const latestMs = NOW_MS + 1_009;
      const later = { kind: 'later', fromMs: NOW_MS + 1_010 };
      expect(await budget.take({ ...ASK, latestMs })).toEqual(later);
      expect(await budget.take({ ...ASK, latestMs: NOW_MS + 1_010 })).toMatchObject({
        kind: 'taken',
        fromMs: NOW_MS + 1_010,
      });
    });

    test('keeps APIs apart', async () => {
      const budget = await open();
      await budget.take(ASK);
      await budget.hold('shop', NOW_MS + 9_000);
      expect(await budget.take({ ...ASK, api: 'maps' })).toMatchObject({ fromMs: NOW_MS });
      expect(await budget.heldUntilMs('maps')).toBe(0);
    });

    test('gives what takers at the same time ask for to one after the other', async () => {
      const budget = await open();
      const spans = [110, 210, 310, 410, 510, 610];
      const taken = await Promise.all(spans.map((spanMs) => budget.take({ ...ASK, spanMs })));
      const parts = taken
        .map(({ fromMs }, at) => ({ fromMs, endMs: fromMs + (spans[at] ?? 0) }))
        .toSorted((a, b) => a.fromMs - b.fromMs);
      expect(parts.map(({ fromMs }) => fromMs)).toEqual([
        NOW_MS,
        ...parts.slice(0, -1).map(({ endMs }) => endMs),
      ]);
    });

    test('once held, gives nothing that begins before, and says so', async () => {
      const budget = await open();
      await budget.take(ASK);
      expect(await budget.heldUntilMs('shop')).toBe(0);
      await budget.hold('shop', NOW_MS + 30_000);
      const held = { fromMs: NOW_MS + 30_000, heldUntilMs: NOW_MS + 30_000 };
      expect(await budget.heldUntilMs('shop')).toBe(NOW_MS + 30_000);
      expect(await budget.take(ASK)).toEqual({ kind: 'taken', ...held });
    });

    test('holds an API that nobody asked before', async () => {
      const budget = await open();
      await budget.hold('shop', NOW_MS + 5_000);
      expect(await budget.take(ASK)).toMatchObject({ fromMs: NOW_MS + 5_000 });
    });

    test('a hold is never shortened, nor what is taken by a short one', async () => {
      const budget = await open();
      await budget.hold('shop', NOW_MS + 30_000);
      await budget.hold('shop', NOW_MS + 2_000);
      expect(await budget.heldUntilMs('shop')).toBe(NOW_MS + 30_000);
      await budget.take({ ...ASK, spanMs: 20_000 });
      await budget.hold('shop', NOW_MS + 31_000);
      expect(await budget.take(ASK)).toEqual({
        kind: 'taken',
        fromMs: NOW_MS + 50_000,
        heldUntilMs: NOW_MS + 31_000,
      });
    });
  });
}
