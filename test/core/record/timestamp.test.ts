import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isoText,
  parseTimestamp,
  renderTimestamp,
  timestampMs,
  timestampOfMs,
} from '#core/record/timestamp';

const pad = (value: number, width: number) => String(value).padStart(width, '0');

/** An instant with its nanoseconds since year 0 counted day by day: slow, and by no date library. */
const instant = fc
  .record({
    year: fc.integer({ min: 1, max: 9_998 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
    second: fc.integer({ min: 0, max: 86_399 }),
    fraction: fc.oneof(fc.constant(''), fc.stringMatching(/^[0-9]{1,9}$/)),
    offset: fc.oneof(fc.constant(0), fc.integer({ min: -14 * 60, max: 14 * 60 })),
  })
  .map(({ year, month, day, second, fraction, offset }) => {
    const clock = [second / 3_600, (second / 60) % 60, second % 60].map((n) =>
      pad(Math.floor(n), 2),
    );
    const zone =
      offset === 0
        ? 'Z'
        : `${offset < 0 ? '-' : '+'}${pad(Math.floor(Math.abs(offset) / 60), 2)}:${pad(Math.abs(offset) % 60, 2)}`;
    const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T${clock.join(':')}${fraction && `.${fraction}`}${zone}`;
    const seconds = daysBefore(year, month, day) * 86_400 + second - offset * 60;
    return { text, nanos: BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0')) };
  });

function daysBefore(year: number, month: number, day: number): number {
  const leap = (y: number) => y % 4 === 0 && (y % 100 !== 0 || y % 400 === 0);
  const lengths = [31, leap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  const years = year - 1;
  const leaps = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  const months = lengths.slice(0, month - 1).reduce((sum, length) => sum + length, 0);
  return years * 365 + leaps + months + day;
}

test('text order is time order, to the nanosecond and across offsets', () => {
  fc.assert(
    fc.property(instant, instant, (a, b) => {
      const [left, right] = [parseTimestamp(a.text, 'iso')!, parseTimestamp(b.text, 'iso')!];
      expect(Math.sign(left < right ? -1 : left > right ? 1 : 0)).toBe(
        a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0,
      );
      expect(left).toHaveLength(30);
    }),
    { numRuns: 1_000 },
  );
});

test('instants close together keep their order too', () => {
  fc.assert(
    fc.property(instant, fc.stringMatching(/^[0-9]{1,9}$/), ({ text }, other) => {
      const base = text.replace(/\.\d+/, '');
      const with_ = (f: string) => base.replace(/(:\d{2})(Z|[+-]\d{2}:\d{2})$/, `$1.${f}$2`);
      const [a, b] = [text.match(/\.(\d+)/)?.[1] ?? '0', other];
      const [left, right] = [with_(a), with_(b)].map((t) => parseTimestamp(t, 'iso')!);
      expect(left! < right!).toBe(Number(a.padEnd(9, '0')) < Number(b.padEnd(9, '0')));
    }),
  );
});

test('an epoch is the instant that its ISO text names', () => {
  fc.assert(
    fc.property(fc.integer({ min: -62_000_000_000_000, max: 250_000_000_000_000 }), (ms) => {
      const iso = parseTimestamp(new Date(ms).toISOString(), 'iso');
      expect(parseTimestamp(`${ms}000`, 'epoch-us')).toBe(iso);
      expect(parseTimestamp(String(ms), 'epoch-ms')).toBe(iso);
      expect(parseTimestamp(((BigInt(ms) * 1_000n) / 1n).toString() + 'e-6', 'epoch-s')).toBe(iso);
      expect(timestampOfMs(ms)).toBe(iso);
      expect(timestampMs(iso!)).toBe(ms);
    }),
  );
});

test('what is rendered for a source is never later, and less than one tick earlier', () => {
  const ticks = {
    iso: 0n,
    'iso-s': 1_000_000_000n,
    'epoch-us': 1_000n,
    'epoch-ms': 1_000_000n,
    'epoch-s': 1_000_000_000n,
  } as const;
  const formats = ['iso', 'iso-s', 'epoch-us', 'epoch-ms', 'epoch-s'] as const;
  fc.assert(
    fc.property(instant, fc.constantFrom(...formats), ({ text }, format) => {
      const exact = parseTimestamp(text, 'iso')!;
      const back = parseTimestamp(renderTimestamp(exact, format), format)!;
      const nanos = (t: string) =>
        BigInt(Date.parse(`${t.slice(0, 19)}Z`)) * 1_000_000n + BigInt(t.slice(20, 29));
      const lost = nanos(exact) - nanos(back);
      expect(lost >= 0n && (lost === 0n || lost < ticks[format])).toBe(true);
    }),
  );
});

describe('what is no instant', () => {
  test.each([
    ['a date alone', '2031-04-16'],
    ['no offset', '2031-04-16T11:54:35'],
    ['ten fraction digits', '2031-04-16T11:54:35.0123456789Z'],
    ['a 30th of February', '2031-02-30T00:00:00Z'],
    ['a 29th of February in a common year', '2031-02-29T00:00:00Z'],
    ['an hour 24', '2031-04-16T24:00:00Z'],
    ['an offset of 24 hours', '2031-04-16T11:54:35+24:00'],
    ['a year before 0000 in UTC', '0000-01-01T00:00:00+01:00'],
    ['words', 'yesterday'],
  ])('%s is refused', (_what, text) => expect(parseTimestamp(text, 'iso')).toBeUndefined());

  test.each(['', '1e30', '1.0000001', '2031-04-16T11:54:35Z', '999999999999999999'])(
    '%j is no epoch in milliseconds',
    (text) => expect(parseTimestamp(text, 'epoch-ms')).toBeUndefined(),
  );
});

test.each([
  ['2031-04-16T11:54:35Z', '2031-04-16T11:54:35Z'],
  ['2031-04-16T11:54:35.06Z', '2031-04-16T11:54:35.060Z'],
  ['2031-04-16T11:54:35.0630004Z', '2031-04-16T11:54:35.063000400Z'],
  ['2031-04-16T11:54:35.063001Z', '2031-04-16T11:54:35.063001Z'],
  ['2031-04-16 13:54+0200', '2031-04-16T11:54:00Z'],
])('%s is written as %s', (text, written) =>
  expect(isoText(parseTimestamp(text, 'iso')!)).toBe(written),
);
