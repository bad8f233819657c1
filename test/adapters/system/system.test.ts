import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemChance } from '#adapters/system/chance';
import { systemClock } from '#adapters/system/clock';
import { sha256Digest } from '#adapters/system/digest';

test('a digest is the first sixteen digits of SHA-256', () => {
  // @source FIPS 180-4, the example "abc".
  expect(sha256Digest('abc')).toBe('ba7816bf8f01cfea');
});

test('a digest is of the UTF-8 of the whole text, however long', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(30_000), (piece, length) => {
      const text = piece + 'x'.repeat(length);
      const whole = createHash('sha256').update(Buffer.from(text)).digest('hex');
      expect(sha256Digest(text)).toBe(whole.slice(0, 16));
    }),
  );
});

test('a digest of a text and bytes is that of both in one', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ unit: 'binary' }), (text, more) => {
      const behind = more.toWellFormed();
      expect(sha256Digest(text, Buffer.from(behind))).toBe(sha256Digest(text + behind));
    }),
  );
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
