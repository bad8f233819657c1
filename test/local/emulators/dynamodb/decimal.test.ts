import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addDecimals,
  decimalText,
  parseDecimal,
  sortableDecimal,
} from '#local/emulators/dynamodb/decimal';

/** A number as text, and the same number as an integer of 10^-20. */
const number = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: fc.bigInt({ min: 0n, max: 10n ** 15n }),
    fraction: fc.stringMatching(/^\d{1,20}$/),
  })
  .map(({ sign, whole, fraction }) => ({
    text: `${sign}${whole}.${fraction}`,
    value: BigInt(`${sign}${whole}${fraction.padEnd(20, '0')}`),
  }));

const compare = <T>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

test('sortable text orders numbers as a comparison of integers does', () => {
  fc.assert(
    fc.property(number, number, (a, b) => {
      const [one, other] = [a, b].map(({ text }) => sortableDecimal(parseDecimal(text)));
      expect(compare(one!, other!)).toBe(compare(a.value, b.value));
    }),
  );
});

test('the text of a number reads as the same number', () => {
  fc.assert(
    fc.property(number, ({ text }) => {
      const decimal = parseDecimal(text);
      expect(parseDecimal(decimalText(decimal))).toEqual(decimal);
    }),
  );
});

test('a sum agrees with the sum of integers', () => {
  fc.assert(
    fc.property(number, number, (a, b) => {
      const sum = addDecimals(parseDecimal(a.text), parseDecimal(b.text));
      const total = a.value + b.value;
      expect(sum).toEqual(parseDecimal(`${total}e-20`));
    }),
  );
});

test.each([
  ['10.00', '10'],
  ['-0', '0'],
  ['0.000', '0'],
  ['1e2', '100'],
  ['1.50E-3', '0.0015'],
  ['+007', '7'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['1e125', `1${'0'.repeat(125)}`],
  ['12345678901234567890123456789012345678', '12345678901234567890123456789012345678'],
])('%s is stored as %s', (text, stored) => {
  expect(decimalText(parseDecimal(text))).toBe(stored);
});

test.each([
  ['123456789012345678901234567890123456789', '38 significant digits'],
  ['1e126', 'overflow'],
  ['1e-131', 'underflow'],
  ['1e999999999', 'overflow'],
  ['', 'cannot be converted'],
  ['.', 'cannot be converted'],
  ['1,5', 'cannot be converted'],
  ['NaN', 'cannot be converted'],
  ['0x1', 'cannot be converted'],
])('%s is refused: %s', (text, why) => {
  expect(() => parseDecimal(text)).toThrow(why);
});

test('zero carries no exponent, however it is written', () => {
  expect(parseDecimal('0e999')).toEqual(parseDecimal('0'));
});
