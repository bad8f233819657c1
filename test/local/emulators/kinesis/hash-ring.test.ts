import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  HASH_KEY_MAX,
  findRange,
  hashKeyOf,
  uniformRanges,
} from '#local/emulators/kinesis/hash-ring';

// From RFC 1321, appendix A.5, read as numbers.
test.each([
  ['a', 0x0cc175b9c0f1b6a831c399e269772661n],
  ['abc', 0x900150983cd24fb0d6963f7d28e17f72n],
  ['message digest', 0xf96b697d7cb7938d525a2f31aaf161d0n],
])('the hash key of %s is its MD5', (key, hash) => {
  expect(hashKeyOf(key)).toBe(hash);
});

test('every hash key lies in exactly the range that is found', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 300 }),
      fc.bigInt({ min: 0n, max: HASH_KEY_MAX }),
      (count, hashKey) => {
        const ranges = uniformRanges(count);
        const holding = ranges.filter(
          (range) => hashKey >= range.startHashKey && hashKey <= range.endHashKey,
        );
        expect(holding).toEqual([findRange(ranges, hashKey)]);
      },
    ),
  );
});

test('the ends of the ring are found', () => {
  for (const count of [1, 2, 3, 7]) {
    const ranges = uniformRanges(count);
    expect(findRange(ranges, 0n)).toBe(ranges[0]);
    expect(findRange(ranges, HASH_KEY_MAX)).toBe(ranges.at(-1));
  }
});
