import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareSequences } from '#core/checkpoint/compare-sequences';
import type { SequenceNumber } from '#core/record/records';

const sequence = fc
  .oneof(fc.bigInt({ min: 0n, max: 1_200n }), fc.bigInt({ min: 0n, max: 10n ** 129n - 1n }))
  .map(String) as fc.Arbitrary<SequenceNumber>;

test('sequence numbers are ordered as numbers are', () =>
  fc.assert(
    fc.property(sequence, sequence, (a, b) => {
      const [x, y] = [BigInt(a), BigInt(b)];
      expect(Math.sign(compareSequences(a, b))).toBe(x < y ? -1 : x > y ? 1 : 0);
    }),
  ));
