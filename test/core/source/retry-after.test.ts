import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseHttpDate, parseReset, parseRetryAfter } from '#core/source/retry-after';

const NOW_MS = Date.parse('2037-10-21T07:27:55Z');
const wait = (retryAfter?: string, more: { date?: string } = {}) =>
  parseRetryAfter({ retryAfter, date: more.date }, NOW_MS);

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    ['5', 5_000],
    [' 120 ', 120_000],
    ['0.25', 250],
    ['1.0001', 1_001],
    ['300, 300', 300_000],
    ['7, 40', 40_000],
    ['Wed, 21 Oct 2037 07:28:00 GMT', 5_000],
    ['Wednesday, 21-Oct-37 07:28:00 GMT', 5_000],
    ['Wed Oct 21 07:28:00 2037', 5_000],
    ['Wed, 21 Oct 2037 07:00:00 GMT', 0],
  ])('%j is %i ms', (text, ms) => expect(wait(text)).toBe(ms));

  test.each(['', '-5', 'soon', '1e3', '99999999999', 'Wed, 21 Oct 9999 07:28:00 GMT', 'NaN'])(
    '%j names no wait',
    (text) => expect(wait(text)).toBeUndefined(),
  );

  test('POLL-28: a date is judged by the clock that named it, in any of its forms', () => {
    const retryAfter = 'Wed, 21 Oct 2037 07:28:00 GMT';
    expect(wait(retryAfter)).toBe(5_000);
    expect(wait(retryAfter, { date: 'Wed, 21 Oct 2037 07:27:20 GMT' })).toBe(40_000);
  });

  test('seconds are never shortened', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_678_400 }), (seconds) => {
        expect(wait(String(seconds))).toBe(seconds * 1_000);
      }),
    );
  });
});

test('nothing is nothing', () => expect(wait()).toBeUndefined());

describe('a reset', () => {
  const epochMs = NOW_MS + 33_000;
  test.each([
    ['33', 33_000],
    [String(epochMs / 1_000), 33_000],
    [String(epochMs), 33_000],
    [String(epochMs / 1_000 - 100), 0],
  ])('%s is %i ms', (text, ms) => expect(parseReset(text, NOW_MS)).toBe(ms));
});

test('a year of five digits is no date', () =>
  expect(parseHttpDate('Fri, 31 Dec 99999 23:59:59 GMT')).toBeUndefined());

test('a date round trips through its HTTP form', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e9 }), (seconds) => {
      expect(parseHttpDate(new Date(seconds * 1_000).toUTCString())).toBe(seconds * 1_000);
    }),
  );
});
