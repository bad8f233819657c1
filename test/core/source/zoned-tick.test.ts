/** Around the changes of the clocks in a year, held against the platform's own calendar. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { systemZone } from '#adapters/system/zone';
import { parseTimestamp, renderTimestamp, timestampOfMs } from '#core/record/timestamp';
import { askedFrom, tickAfter, tickFrom, tickOf } from '#core/source/bound';
import { zonedWay, zoneOf } from '#test/pipeline/time-ways';

const YEAR_MS = Date.parse('2031-01-01T00:00:00Z');
const HOUR_MS = 3_600_000;
const KINDS = ['local', 'date'] as const;

describe.each([
  'Europe/Berlin',
  'America/Santiago',
  'America/Havana',
  'Australia/Lord_Howe',
  'UTC',
])('in %s', (name) => {
  const zone = systemZone(name);
  const judge = zoneOf(name);
  const changes = judge.changes(YEAR_MS);
  const near = fc
    .tuple(fc.constantFrom(...changes, YEAR_MS), fc.integer({ min: -60 * 3_600, max: 60 * 3_600 }))
    .map(([ms, seconds]) => ms + seconds * 1_000);
  const instant = fc.oneof(
    near,
    fc.constantFrom(...changes, YEAR_MS),
    fc.integer({ min: 0, max: 365 * 24 * 3_600 }).map((sec) => YEAR_MS + sec * 1_000),
  );

  test('clocks show what the platform says, and are read as the earlier of what they may mean', () => {
    fc.assert(
      fc.property(instant, (ms) => {
        const wallMs = judge.wallMs(ms);
        expect(zone.wallMs(ms)).toBe(wallMs);
        expect(zone.instantMs(wallMs)).toBe(Math.min(...judge.readings(wallMs)));
        expect(zone.instantMs(wallMs + HOUR_MS)).toBe(
          Math.min(...judge.readings(wallMs + HOUR_MS)),
        );
      }),
    );
  });

  describe.each(KINDS)('a tick of a %s', (kind) => {
    const format = { kind, zone } as const;
    const rules = fc.constantFrom(
      { paramFormat: format, inclusive: true },
      { paramFormat: format, inclusive: false },
      { paramFormat: 'iso' as const, fieldFormat: format, inclusive: true },
      { paramFormat: 'epoch-ms' as const, fieldFormat: format, inclusive: false },
    );

    test('holds the instant, follows the tick before, and is never cut again', () => {
      fc.assert(
        fc.property(instant, instant, rules, (ms, otherMs, told) => {
          const [time, other] = [timestampOfMs(ms), timestampOfMs(otherMs)];
          const tick = tickOf(time, told);
          expect(tick <= time && time < tickAfter(time, told)).toBe(true);
          expect(tickOf(tick, told)).toBe(tick);
          expect(tickFrom(tick, told)).toBe(tick);
          const next = tickAfter(time, told);
          expect(tickOf(next, told)).toBe(next);
          expect(time <= other ? tick <= tickOf(other, told) : tick >= tickOf(other, told)).toBe(
            true,
          );
        }),
      );
    });

    test('holds whatever a text may mean that is shown in it, and what it is read as', () => {
      fc.assert(
        fc.property(instant, rules, (ms, told) => {
          const time = timestampOfMs(ms);
          const wallMs = judge.wallMs(ms);
          const tick = tickOf(time, told);
          for (const reading of kind === 'local' ? judge.readings(wallMs) : [ms]) {
            expect(tickOf(timestampOfMs(reading), told)).toBe(tick);
          }
          const read = parseTimestamp(renderTimestamp(time, format), format)!;
          expect(read <= time).toBe(true);
          expect(tickOf(read, told)).toBe(tick);
        }),
      );
    });

    test('is asked for whole, however the source reads the text', () => {
      fc.assert(
        fc.property(instant, fc.boolean(), (ms, inclusive) => {
          const told = { paramFormat: format, inclusive };
          const text = renderTimestamp(askedFrom(timestampOfMs(ms), told), format);
          const nanos = BigInt(ms) * 1_000_000n;
          for (const reading of ['earlier', 'later', 'naive'] as const) {
            const way = zonedWay(kind, name, reading);
            for (const coarse of [true, false]) {
              expect(way.compare(nanos, text, coarse)).toBeGreaterThanOrEqual(inclusive ? 0 : 1);
            }
          }
        }),
      );
    });
  });
});

test.each([
  ['Europe/Berlin', '2031-03-30T02:30:00', '2031-03-30T00:30:00Z'],
  ['Europe/Berlin', '2031-10-26 02:30', '2031-10-26T00:30:00Z'],
  ['Australia/Lord_Howe', '2031-04-06T01:45:00.123456', '2031-04-05T14:45:00.123456Z'],
  ['America/Santiago', '2031-09-07T00:30:00', '2031-09-07T03:30:00Z'],
])('in %s, %s is read as %s', (name, text, iso) => {
  const format = { kind: 'local', zone: systemZone(name) } as const;
  expect(parseTimestamp(text, format)).toBe(parseTimestamp(iso, 'iso'));
});

test.each(['2031-02-29', '2031-04-16T11:54:35', '2031-4-16', 'never'])('%s is no date', (text) => {
  expect(parseTimestamp(text, { kind: 'date', zone: systemZone('UTC') })).toBeUndefined();
});

test.each(['2031-04-16T24:00:00', '2031-04-16T11:54:35Z', '2031-04-16', '2031-02-30T00:00'])(
  '%s is no local time',
  (text) => {
    expect(parseTimestamp(text, { kind: 'local', zone: systemZone('UTC') })).toBeUndefined();
  },
);
