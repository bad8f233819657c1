import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExact } from '#core/record/exact-json';
import type { JsonValue } from '#core/record/json';
import { rawText } from '#core/record/raw-text';

/** Deeper than any stack; JSON.stringify gives up on it. */
const DEPTH = 20_000;

function nest(core: JsonValue): JsonValue {
  let nested = core;
  for (let level = 0; level < DEPTH; level++) nested = level % 2 === 0 ? [nested] : { a: nested };
  return nested;
}
const OPENING = Array.from({ length: DEPTH }, (_, at) => (at % 2 === 0 ? '{"a":' : '[')).join('');
const CLOSING = Array.from({ length: DEPTH }, (_, at) => (at % 2 === 0 ? ']' : '}')).join('');

test('what is too deep for JSON.stringify is written all the same', () => {
  expect(() => JSON.stringify(nest(1))).toThrow(RangeError);
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const core = JSON.parse(JSON.stringify(value)) as JsonValue;
      expect(rawText(nest(core))).toBe(`${OPENING}${JSON.stringify(core)}${CLOSING}`);
    }),
    { numRuns: 10 },
  );
});

test('digits stay as they came, deep down', () => {
  const core = parseExact('{"price":10.00}');
  expect(rawText(nest(core))).toBe(`${OPENING}{"price":10.00}${CLOSING}`);
});
