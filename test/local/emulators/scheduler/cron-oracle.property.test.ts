import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { parseScheduleExpression } from '#local/emulators/scheduler/schedule-expression';

const MINUTE_MS = 60_000;
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

interface Wanted {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly weekdays: readonly number[];
}

const some = (max: number, size: number) =>
  fc.uniqueArray(fc.integer({ min: 0, max }), { minLength: 1, maxLength: size });

/** Hours are often those in which clocks change. */
const wanted: fc.Arbitrary<Wanted> = fc.record({
  minutes: some(59, 3),
  hours: fc.oneof(some(3, 2), some(23, 3)),
  weekdays: fc.oneof(fc.constant([0, 1, 2, 3, 4, 5, 6]), some(6, 3)),
});

/** Near the changes of 2026 in London and New York. */
const moment = fc
  .tuple(
    fc.constantFrom('2026-03-08', '2026-03-29', '2026-10-25', '2026-11-01', '2026-06-15'),
    fc.integer({ min: -36 * 60, max: 36 * 60 }),
  )
  .map(([day, minutes]) => Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE_MS + 1);

function expressionOf({ minutes, hours, weekdays }: Wanted): string {
  const names = weekdays.map((day) => DAYS[day]);
  return `cron(${minutes.join(',')} ${hours.join(',')} ? * ${names.join(',')} *)`;
}

/** The answer by trying every minute; one that clocks show a second time is passed over. */
function nextByTrying(want: Wanted, zone: string, afterMs: number): number | undefined {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const shownAt = (ms: number) => format.format(ms);
  const first = Math.ceil(afterMs / MINUTE_MS) * MINUTE_MS;
  const isWanted = (ms: number) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    return (
      want.minutes.includes(Number(parts.get('minute'))) &&
      want.hours.includes(Number(parts.get('hour'))) &&
      want.weekdays.includes(DAYS.indexOf(parts.get('weekday')!.toUpperCase()))
    );
  };
  for (let ms = first; ms < first + 8 * 24 * 60 * MINUTE_MS; ms += MINUTE_MS) {
    if (isWanted(ms) && shownAt(ms) !== shownAt(ms - 60 * MINUTE_MS)) return ms;
  }
  return undefined;
}

ruleTest('scheduler', 'cron-oracle', () => {
  fc.assert(
    fc.property(
      wanted,
      moment,
      fc.constantFrom('UTC', 'Europe/London', 'America/New_York'),
      (want, afterMs, zone) => {
        const { nextMs } = parseScheduleExpression(expressionOf(want), { zone, createdMs: 0 });
        expect(nextMs(afterMs)).toBe(nextByTrying(want, zone, afterMs));
      },
    ),
    { numRuns: 60 },
  );
});

test('ticks rise, whatever their expression', () => {
  fc.assert(
    fc.property(wanted, moment, (want, afterMs) => {
      const { nextMs } = parseScheduleExpression(expressionOf(want), {
        zone: 'Europe/London',
        createdMs: 0,
      });
      let last = afterMs;
      for (let count = 0; count < 5; count++) {
        const next = nextMs(last)!;
        expect(next).toBeGreaterThan(last);
        last = next;
      }
    }),
    { numRuns: 40 },
  );
});
