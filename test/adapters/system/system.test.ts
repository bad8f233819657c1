import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemChance } from '#adapters/system/chance';
import { systemClock } from '#adapters/system/clock';
import { contentDigest } from '#adapters/system/content-digest';
import { sha256Digest } from '#adapters/system/digest';

test('a digest of a text is the first sixteen digits of its SHA-256', () => {
  // @source FIPS 180-4, the example "abc".
  expect(sha256Digest('abc')).toBe('ba7816bf8f01cfea');
});

test('that digest is of the UTF-8 of the whole text, however long', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(30_000), (piece, length) => {
      const text = piece + 'x'.repeat(length);
      const whole = createHash('sha256').update(Buffer.from(text)).digest('hex');
      expect(sha256Digest(text)).toBe(whole.slice(0, 16));
    }),
  );
});

test.each([
  ['', 'ef46db3751d8e999'],
  ['abc', '44bc2cf5ad770999'],
])('the digest of the content %j is XXH64', (text, digest) => {
  // @source xxHash 0.8, `xxhsum -H64`.
  expect(contentDigest(text)).toBe(digest);
});

test('a digest of content is sixteen digits, the same for a text as for its UTF-8, in one or behind a text', () => {
  const anyLength = fc.tuple(fc.string({ unit: 'binary' }), fc.nat(200_000));
  fc.assert(
    fc.property(fc.string(), anyLength, (text, [piece, length]) => {
      const behind = piece.toWellFormed() + 'x'.repeat(length);
      const digest = contentDigest(text + behind);
      expect(digest).toMatch(/^[0-9a-f]{16}$/);
      expect(contentDigest(text, Buffer.from(behind))).toBe(digest);
      expect(contentDigest('', Buffer.from(text + behind))).toBe(digest);
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
