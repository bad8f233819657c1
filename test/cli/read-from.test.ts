import { expect, test } from 'vitest';
import { UsageError } from '#cli/cli-error';
import { parseReadFrom, parseSince, parseUntil } from '#cli/read-from';

const NOW_MS = Date.parse('2031-06-12T16:00:00Z');

test.each([
  ['10m', '2031-06-12T15:50:00.000Z'],
  ['22000d', '1971-03-19T16:00:00.000Z'],
  ['2031-02-28', '2031-02-28T00:00:00.000Z'],
  ['2032-02-29', '2032-02-29T00:00:00.000Z'],
  ['2031-06-11T10:20Z', '2031-06-11T10:20:00.000Z'],
  ['2031-06-11T10:20:30.4567Z', '2031-06-11T10:20:30.456Z'],
  ['2031-06-11T10:20:30+05:30', '2031-06-11T04:50:30.000Z'],
  ['2031-06-11T22:20:30-0300', '2031-06-12T01:20:30.000Z'],
])('%s is %s, in whatever zone it is read', (text, moment) => {
  const timestampMs = Date.parse(moment);
  expect(parseSince(text, NOW_MS)).toBe(timestampMs);
  expect(parseReadFrom(text, NOW_MS)).toEqual({ kind: 'at', timestampMs });
  expect(parseUntil(text, NOW_MS)).toEqual({ kind: 'at', timestampMs });
});

test.each([
  // What clocks show here is another moment elsewhere.
  '2031-06-05T10:00',
  '2031-06-05T10:00:00',
  // No calendar and no clock shows these.
  '2031-02-29',
  '2031-02-30T10:00:00Z',
  '2031-13-01',
  '2031-06-05T24:00:00Z',
  '2031-06-05T10:60:00Z',
  '2031-06-05T10:00:00+24:00',
  '2031-01-011',
  '2031-06-05T10:00:00Zulu',
  '2031-06-05 morning',
  '2031-6-5',
  '20310605',
  // Before anything was written down.
  '999999d',
  'yesterday',
  '',
])('%j is no moment', (text) => {
  expect(() => parseSince(text, NOW_MS, '--from')).toThrow(
    '--from takes a span such as 10m, a date such as 2031-06-12, ' +
      `or a time with its zone such as 2031-06-12T16:00:00Z, not '${text}'.`,
  );
  for (const parse of [parseSince, parseReadFrom, parseUntil]) {
    expect(() => parse(text, NOW_MS)).toThrow(UsageError);
  }
});
