import fc from 'fast-check';
import { expect, test } from 'vitest';
import { refreshAtMs, tokenLifeMs } from '#core/source/token-life';

const HOUR_MS = 3_600_000;

test.each<[unknown, number]>([
  [1_800, 1_800_000],
  [0.5, 500],
  ['3599', 3_599_000],
  [' 60 ', 60_000],
  [undefined, HOUR_MS],
  [null, HOUR_MS],
  [0, HOUR_MS],
  ['0', HOUR_MS],
  [-30, HOUR_MS],
  [Number.NaN, HOUR_MS],
  ['', HOUR_MS],
  ['soon', HOUR_MS],
  ['0x10', HOUR_MS],
  [{ seconds: 5 }, HOUR_MS],
  [1_900_000_000, 24 * HOUR_MS],
  [1e308, 24 * HOUR_MS],
])('an expires_in of %j is %d ms', (expiresIn, lifeMs) => {
  expect(tokenLifeMs(expiresIn)).toBe(lifeMs);
});

test('whatever is said, a token lives for some time and for no more than a day', () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.double(), fc.double().map(String)), (said) => {
      const lifeMs = tokenLifeMs(said);
      expect(lifeMs).toBeGreaterThan(0);
      expect(lifeMs).toBeLessThanOrEqual(24 * HOUR_MS);
    }),
  );
});

test('a token is replaced before its life ends, and not before most of it is over', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 2, max: 24 * HOUR_MS }), (bornAtMs, lifeMs) => {
      const atMs = refreshAtMs(bornAtMs, lifeMs);
      expect(atMs).toBeLessThan(bornAtMs + lifeMs);
      expect(atMs).toBeGreaterThanOrEqual(bornAtMs + Math.floor(lifeMs / 2));
    }),
  );
});
