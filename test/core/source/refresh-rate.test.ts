import fc from 'fast-check';
import { expect, test } from 'vitest';
import { refreshWaitMs, spendRefresh } from '#core/source/refresh-rate';

const DAY_MS = 24 * 3_600_000;

test('in no day are there more than Secrets Manager bears, however eager one is, and one in twenty minutes is never made to wait', () => {
  const gaps = fc.array(fc.integer({ min: 1_000, max: 40 * 60_000 }), { maxLength: 400 });
  fc.assert(
    fc.property(gaps, (given) => {
      let nowMs = 1_900_000_000_000;
      let spentUntilMs: number | undefined;
      const made: number[] = [];
      for (const gapMs of given) {
        nowMs += gapMs;
        const waitMs = refreshWaitMs(spentUntilMs, nowMs);
        if (made.length < 20) expect(waitMs).toBe(0);
        if (waitMs > 0) continue;
        spentUntilMs = spendRefresh(spentUntilMs, nowMs);
        made.push(nowMs);
      }
      for (const from of made) {
        expect(made.filter((at) => at >= from && at < from + DAY_MS).length).toBeLessThan(100);
      }
      const steady = given.every((gapMs) => gapMs >= 20 * 60_000);
      if (steady) expect(made).toHaveLength(given.length);
    }),
  );
});

test('the twenty-first at once waits for twenty minutes, and no longer', () => {
  const nowMs = 1_900_000_000_000;
  let spentUntilMs: number | undefined;
  for (let count = 0; count < 20; count++) {
    expect(refreshWaitMs(spentUntilMs, nowMs)).toBe(0);
    spentUntilMs = spendRefresh(spentUntilMs, nowMs);
  }
  expect(refreshWaitMs(spentUntilMs, nowMs)).toBe(20 * 60_000);
  expect(refreshWaitMs(spentUntilMs, nowMs + 20 * 60_000)).toBe(0);
});
