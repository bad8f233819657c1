import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bar, columns, count, fit, plural, seconds, span } from '#cli/render/text';

test('thousands are set apart', () => {
  expect([0, 999, 1_000, 21_001, 1_234_567].map(count)).toEqual([
    '0',
    '999',
    '1,000',
    '21,001',
    '1,234,567',
  ]);
});

test('one is singular, everything else plural', () => {
  expect([0, 1, 2].map((value) => plural(value, 'row'))).toEqual(['0 rows', '1 row', '2 rows']);
});

test('a span is said in the unit a person would choose', () => {
  expect([12, 1_234, 119_999, 180_000, 36_000_000].map(span)).toEqual([
    '12 ms',
    '1.2 s',
    '120.0 s',
    '3 min',
    '10 h',
  ]);
  expect(seconds(250)).toBe('0.3 s');
});

test('a bar is as wide as asked, whatever its share', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -1, max: 3, noNaN: true }),
      fc.integer({ min: 1, max: 60 }),
      (share, width) => {
        expect(bar(share, width)).toHaveLength(width);
      },
    ),
  );
});

test('a bar shows the least filling, and none only for none', () => {
  expect(bar(0, 4)).toBe('░░░░');
  expect(bar(0.001, 4)).toBe('█░░░');
  expect(bar(0.5, 4)).toBe('██░░');
  expect(bar(1.7, 4)).toBe('████');
});

test('columns are as wide as their widest cell', () => {
  expect(columns([['a', 'b'], ['long', 'c'], ['x']])).toEqual(['a     b', 'long  c', 'x']);
});

test('a line is cut to the width of the terminal', () => {
  expect(fit('abcdef', 6)).toBe('abcdef');
  expect(fit('abcdef', 5)).toBe('abcd…');
});
