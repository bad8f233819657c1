import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExact } from '#core/record/exact-json';
import { plainNumbers } from '#core/record/plain-numbers';

const plain = (text: string) => plainNumbers(parseExact(text));

test('a number that a double holds is a number to reckon with, however it was written', () => {
  expect(plain('{"a":10.00,"b":[1.50e1,-0.10],"c":{"d":1e3}}')).toEqual({
    a: 10,
    b: [15, -0.1],
    c: { d: 1_000 },
  });
});

test.each(['9007199254740993', '0.12345678901234567891', '1e400'])(
  '%s keeps its digits',
  (text) => {
    expect(JSON.stringify(plain(`[${text}]`))).toBe(`[${text}]`);
  },
);

test('a double comes through as itself, and everything else untouched', () => {
  const value = fc.oneof(fc.jsonValue(), fc.double({ noNaN: true, noDefaultInfinity: true }));
  fc.assert(
    fc.property(value, (one) => {
      const text = JSON.stringify(one);
      expect(JSON.stringify(plain(text))).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

test('what nests too deep to be walked stays as it is', () => {
  const deep = parseExact(`${'['.repeat(60_000)}1${']'.repeat(60_000)}`);
  expect(plainNumbers(deep)).toBe(deep);
});
