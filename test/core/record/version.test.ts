import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortableVersion } from '#core/record/version';

const integer = fc.oneof(
  fc.bigInt({ min: 0n, max: 20n }),
  fc.bigInt({ min: 0n, max: 10n ** 38n - 1n }),
);

test('integer versions compare as text as they do as numbers', () => {
  fc.assert(
    fc.property(integer, integer, (a, b) => {
      const [left, right] = [a, b].map((n) => sortableVersion(String(n), 'integer')!);
      expect(left! < right!).toBe(a < b);
      expect(left === right).toBe(a === b);
    }),
  );
});

test('the same number written in another way is the same version', () => {
  for (const text of ['7', '7.0', '007', '0.7e1', '70E-1']) {
    expect(sortableVersion(text, 'integer')).toBe('7'.padStart(38, '0'));
  }
});

test.each(['-1', '1.5', '1e38', 'seven', ''])('%j is no integer version', (text) =>
  expect(sortableVersion(text, 'integer')).toBeUndefined(),
);

test('33Z comes before 33.5Z, which bytes would deny', () => {
  const at = (second: string) => sortableVersion(`2031-06-12T16:31:${second}`, 'iso')!;
  expect(at('33Z') < at('33.5Z')).toBe(true);
  expect(['33Z', '33.5Z'].toSorted()).toEqual(['33.5Z', '33Z']);
});

test.each([
  ['3-917fa2', '3'],
  ['12-g1AAA', '12'],
  ['12', '12'],
])('%s is revision %s, whatever follows the hyphen', (text, number) =>
  expect(sortableVersion(text, 'revision')).toBe(number.padStart(38, '0')),
);

test.each(['-3', 'a-3', '3.5', '3_917', '', `${'9'.repeat(39)}-a`])('%j is no revision', (text) =>
  expect(sortableVersion(text, 'revision')).toBeUndefined(),
);
