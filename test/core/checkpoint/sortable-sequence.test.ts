import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Defect } from '#core/assert';
import { plainSequence, sortableSequence } from '#core/checkpoint/sortable-sequence';
import type { SequenceNumber } from '#core/record/records';

const sequence = fc.oneof(
  fc.bigInt({ min: 0n, max: 120n }),
  fc.bigInt({ min: 0n, max: 10n ** 129n - 1n }),
);
const text = (value: bigint) => String(value) as SequenceNumber;

test('text order is number order, at one width', () =>
  fc.assert(
    fc.property(sequence, sequence, (a, b) => {
      const [wideA, wideB] = [sortableSequence(text(a)), sortableSequence(text(b))];
      expect(wideA.length).toBe(129);
      expect(wideA < wideB).toBe(a < b);
    }),
  ));

test('widening loses nothing', () =>
  fc.assert(
    fc.property(sequence, (value) => {
      expect(plainSequence(sortableSequence(text(value)))).toBe(text(value));
    }),
  ));

test.each(['', '-1', '01', '1.5', '1e3', ' 1', 'TRIM_HORIZON', '9'.repeat(130)])(
  '%j is no sequence number',
  (wrong) => {
    expect(() => sortableSequence(wrong as SequenceNumber)).toThrow(Defect);
  },
);

test('what was never widened cannot be narrowed', () => {
  expect(() => plainSequence('12')).toThrow(Defect);
});
