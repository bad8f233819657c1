import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isExactNumber, numberText, parseExact } from '#core/record/exact-json';
import type { JsonObject } from '#core/record/json';
import { jsonText } from '#test/core/record/json-text';

test('what is parsed is written back with every digit', () => {
  fc.assert(
    fc.property(jsonText, (source) => {
      // Strings may be escaped in more ways than one: both sides are normalized the same.
      const normal = source.replace(/"(?:[^"\\]|\\.)*"/g, (s) => JSON.stringify(JSON.parse(s)));
      expect(JSON.stringify(parseExact(source))).toBe(normal);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  '10.00',
  '9007199254740993',
  '-0',
  '1e400',
  '0.1234567890123456789',
  '1E2',
  '0.0000001',
])('%s keeps its digits wherever it stands', (source) => {
  for (const around of [
    source,
    `\n ${source} `,
    `[${source}]`,
    `{"a": ${source}\n}`,
    `[1,${source} ,2]`,
  ]) {
    expect(JSON.stringify(parseExact(around))).toBe(around.replace(/[\s]/g, ''));
  }
});

test('a number that a double holds stays a plain number', () => {
  expect(parseExact('{"a":1.5,"b":10.00}')).toMatchObject({ a: 1.5 });
  expect(isExactNumber((parseExact('{"a":1.5,"b":10.00}') as JsonObject)['b'])).toBe(true);
});

test('an object that looks like a kept number is not one', () => {
  expect(isExactNumber(parseExact('{"rawJSON":"1.0"}'))).toBe(false);
  expect(numberText(parseExact('{"rawJSON":"1.0"}'))).toBeUndefined();
});

test('what is not JSON is a syntax error, with or without large numbers', () => {
  expect(() => parseExact('{"a":1')).toThrow(SyntaxError);
  expect(() => parseExact('{"a":10.00')).toThrow(SyntaxError);
});
