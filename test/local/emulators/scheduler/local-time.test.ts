import fc from 'fast-check';
import { expect, test } from 'vitest';
import { timeZone } from '#local/emulators/scheduler/local-time';
import type { WallTime } from '#local/emulators/scheduler/local-time';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ZONES = [
  'UTC',
  'Europe/London',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/Santiago',
  'Pacific/Apia',
];

const minute = fc
  .integer({ min: Date.UTC(2009, 0, 1) / MINUTE_MS, max: Date.UTC(2031, 0, 1) / MINUTE_MS })
  .map((count) => count * MINUTE_MS);

test('a minute that clocks show is found again, or the first of the two that show it', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), minute, (name, instantMs) => {
      const zone = timeZone(name);
      const wall = zone.wallTime(instantMs);
      const found = zone.instantMs(wall)!;
      expect(zone.wallTime(found)).toEqual(wall);
      expect(found).toBeLessThanOrEqual(instantMs);
      expect(instantMs - found).toBeLessThanOrEqual(HOUR_MS);
    }),
  );
});

test('a zone shows what the language’s own formatter shows', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), minute, (name, instantMs) => {
      const { hour, minute: shown, day } = timeZone(name).wallTime(instantMs);
      const text = new Date(instantMs).toLocaleString('en-GB', { timeZone: name });
      expect(text.slice(0, 2)).toBe(String(day).padStart(2, '0'));
      expect(text.slice(12, 17)).toBe(
        `${String(hour).padStart(2, '0')}:${String(shown).padStart(2, '0')}`,
      );
    }),
  );
});

const wall = (text: string): WallTime => {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = text.split(/\D/).map(Number);
  return { year, month, day, hour, minute };
};

test.each([
  ['Europe/London', '2026-03-29 01:30', undefined],
  ['Europe/London', '2026-10-25 01:30', '2026-10-25T00:30:00.000Z'],
  ['Europe/London', '2026-10-25 02:00', '2026-10-25T02:00:00.000Z'],
  ['America/New_York', '2026-03-08 02:15', undefined],
  ['America/New_York', '2026-11-01 01:15', '2026-11-01T05:15:00.000Z'],
  ['Australia/Lord_Howe', '2026-10-04 02:10', undefined],
  ['Australia/Lord_Howe', '2026-10-04 02:40', '2026-10-03T15:40:00.000Z'],
  ['Pacific/Apia', '2011-12-30 12:00', undefined],
])('in %s, %s is %s', (name, text, expected) => {
  const found = timeZone(name).instantMs(wall(text));
  expect(found === undefined ? undefined : new Date(found).toISOString()).toBe(expected);
});

test('there is no zone of a wrong name', () => {
  expect(() => timeZone('Mars/Olympus')).toThrow(RangeError);
});
