import { expect, test } from 'vitest';
import { systemChance } from '#adapters/system/chance';
import { systemClock } from '#adapters/system/clock';
import { sha256Digest } from '#adapters/system/digest';

test('a digest is the first sixteen digits of SHA-256', () => {
  // @source FIPS 180-4, the example "abc".
  expect(sha256Digest('abc')).toBe('ba7816bf8f01cfea');
});

test('chance is in [0, 1)', () => {
  const rolls = Array.from({ length: 100 }, systemChance);
  expect(rolls.every((roll) => roll >= 0 && roll < 1)).toBe(true);
  expect(new Set(rolls).size).toBeGreaterThan(1);
});

test('the clock does not wake before its time', async () => {
  const beforeMs = performance.now();
  await systemClock.sleep(20);
  expect(performance.now() - beforeMs).toBeGreaterThanOrEqual(19);
  expect(Math.abs(systemClock.nowMs() - Date.now())).toBeLessThan(1_000);
});
