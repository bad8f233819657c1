import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { retryDelayMs } from '#local/lambda/mapping/retry-delay';

const pace = { firstMs: 100, longestMs: 7000 };
const most = (stalls: number) => retryDelayMs(stalls, pace, () => 1);

test('a piece that made progress does not wait', () => {
  expect(most(0)).toBe(0);
});

ruleTest('mapping', 'retry-delay', () => {
  expect([1, 2, 3, 7, 8, 5000].map(most)).toEqual([100, 200, 400, 6400, 7000, 7000]);
});

test('chance takes at most half of the pause', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (stalls, dice) => {
        const delayMs = retryDelayMs(stalls, pace, () => dice);
        expect(delayMs).toBeGreaterThanOrEqual(most(stalls) / 2);
        expect(delayMs).toBeLessThanOrEqual(most(stalls));
      },
    ),
  );
});
