import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cronTicks } from '#config/cron-ticks';
import { pollSpanSec } from '#config/poll-span';
import { parseScheduleExpression } from '#local/emulators/scheduler/schedule-expression';

const MINUTE_MS = 60_000;
const FIRST_DAY = '2028-02-01';
const DAYS = 400;

describe('the ticks of a cron', () => {
  const part = (min: number, max: number) =>
    fc.oneof(
      fc.constant('*'),
      fc.integer({ min, max }).map(String),
      fc
        .tuple(fc.integer({ min, max }), fc.integer({ min: 1, max: 9 }))
        .map((pair) => pair.join('/')),
      fc
        .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
        .map(([one, other]) => `${Math.min(one, other)}-${Math.max(one, other)}`),
      fc.integer({ min: 2, max: 20 }).map((step) => `*/${step}`),
    );
  const field = (min: number, max: number) =>
    fc.array(part(min, max), { minLength: 1, maxLength: 2 }).map((parts) => parts.join(','));
  const days = fc.oneof(
    field(1, 31).map((day) => [day, '?']),
    fc.constantFrom('L', '1W', '15W', '30W').map((day) => [day, '?']),
    fc.constantFrom('SUN', 'MON-FRI', 'TUE,SAT', '6L', 'L', '2#1', '7#5').map((day) => ['?', day]),
  );
  /** At one time of the day, so that a year of ticks is soon compared. */
  const cron = fc
    .tuple(fc.integer({ min: 0, max: 59 }), fc.integer({ min: 0, max: 23 }), days, field(1, 12))
    .map(
      ([minute, hour, [day, weekday], month]) => `${minute} ${hour} ${day} ${month} ${weekday} *`,
    );

  test('are those at which the local scheduler ticks', () => {
    fc.assert(
      fc.property(cron, (text) => {
        const start = Date.parse(FIRST_DAY);
        const { nextMs } = parseScheduleExpression(`cron(${text})`, { createdMs: start });
        const expected: number[] = [];
        let at = nextMs(start - 1);
        while (at !== undefined && at < start + DAYS * 1_440 * MINUTE_MS) {
          expected.push((at - start) / MINUTE_MS);
          at = nextMs(at);
        }
        expect(cronTicks(text, FIRST_DAY, DAYS)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  test('of the last weekday of a month stay within the month', () => {
    // Tuesday the 29th of February; Friday the 31st of March; Friday the 28th of April.
    expect(cronTicks('0 0 LW 2-4 ? *', FIRST_DAY, 90)).toEqual(
      [28, 59, 87].map((day) => day * 1_440),
    );
  });

  test('of a day are every minute and hour that is named', () => {
    expect(cronTicks('5/25 8,20-21 * * ? *', FIRST_DAY, 1)).toEqual(
      [8, 20, 21].flatMap((hour) => [5, 30, 55].map((minute) => hour * 60 + minute)),
    );
  });
});

describe('the longest time that intervals take', () => {
  const hours = (cron: string, intervals: number, timeZone = 'UTC') =>
    pollSpanSec({ cron, timeZone }, intervals) / 3_600;

  test('is their number, of a rate', () => {
    expect(pollSpanSec({ everyMinutes: 7 }, 3)).toBe(1_260);
  });

  test.each([
    ['0 8 * * ? *', 1, 24],
    ['0 8 * * ? *', 5, 120],
    ['0 8 ? * MON-FRI *', 1, 72],
    ['0 8 ? * MON-FRI *', 2, 96],
    ['0 6,18 ? * MON-FRI *', 1, 60],
    ['0 0 1,16 * ? *', 1, 16 * 24],
    ['*/10 9-17 * * ? *', 1, 15 + 10 / 60],
  ])('of cron(%s) is, for %i, %d hours', (cron, intervals, expected) => {
    expect(hours(cron, intervals)).toBeCloseTo(expected, 9);
  });

  test('is an hour more where clocks may be set back', () => {
    expect(hours('0 8 * * ? *', 1, 'Europe/London')).toBe(25);
  });

  test('has no end where there is no second tick', () => {
    expect(hours('0 0 30 2 ? *', 1)).toBe(Infinity);
    expect(hours('0 0 29 2 ? *', 1)).toBe(Infinity);
  });
});
