import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseScheduleExpression } from '#local/emulators/scheduler/schedule-expression';

const at = (text: string) => Date.parse(text);
const iso = (instantMs: number | undefined) =>
  instantMs === undefined ? undefined : new Date(instantMs).toISOString();

/** The first ticks after an instant, as UTC. */
function ticks(expression: string, zone: string, after: string, count: number) {
  const schedule = parseScheduleExpression(expression, { zone, createdMs: at(after) });
  const found: (string | undefined)[] = [];
  for (
    let afterMs: number | undefined = at(after);
    found.length < count && afterMs !== undefined;
  ) {
    afterMs = schedule.nextMs(afterMs);
    found.push(iso(afterMs));
  }
  return found;
}

describe('rate', () => {
  test('ticks when it is created, and then every so often from there', () => {
    const createdMs = at('2026-03-01T10:00:07Z');
    const { nextMs } = parseScheduleExpression('rate(5 minutes)', { createdMs });
    expect(nextMs(createdMs - 1)).toBe(createdMs);
    expect(nextMs(createdMs)).toBe(createdMs + 300_000);
    expect(nextMs(createdMs + 300_001)).toBe(createdMs + 600_000);
  });

  test.each([
    ['rate(1 minute)', 60_000],
    ['rate(3 hours)', 3 * 3_600_000],
    ['rate(2 days)', 2 * 86_400_000],
  ])('%s has its unit', (expression, everyMs) => {
    const { nextMs } = parseScheduleExpression(expression, { createdMs: 17 });
    expect(nextMs(17)).toBe(17 + everyMs);
  });
});

describe('cron', () => {
  test('CDK-10: 8 o’clock in London is 08:00 UTC in winter and 07:00 UTC in summer', () => {
    expect(ticks('cron(0 8 * * ? *)', 'Europe/London', '2026-03-27T12:00:00Z', 3)).toEqual([
      '2026-03-28T08:00:00.000Z',
      '2026-03-29T07:00:00.000Z',
      '2026-03-30T07:00:00.000Z',
    ]);
  });

  test('a minute that the clocks skip in spring has no tick', () => {
    expect(ticks('cron(30 1 * * ? *)', 'Europe/London', '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-30T00:30:00.000Z',
      '2026-03-31T00:30:00.000Z',
    ]);
  });

  test('a minute that the clocks repeat in autumn has one tick', () => {
    expect(ticks('cron(30 1 * * ? *)', 'Europe/London', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });

  test.each([
    [
      'cron(*/20 9-10 * * ? *)',
      ['2026-02-03T09:00', '2026-02-03T09:20', '2026-02-03T09:40', '2026-02-03T10:00'],
    ],
    [
      'cron(15 6 ? * MON-FRI *)',
      [
        '2026-02-03T06:15',
        '2026-02-04T06:15',
        '2026-02-05T06:15',
        '2026-02-06T06:15',
        '2026-02-09T06:15',
      ],
    ],
    [
      'cron(0 0 ? * FRI-MON *)',
      [
        '2026-02-06T00:00',
        '2026-02-07T00:00',
        '2026-02-08T00:00',
        '2026-02-09T00:00',
        '2026-02-13T00:00',
      ],
    ],
    ['cron(0 12 L * ? *)', ['2026-02-28T12:00', '2026-03-31T12:00', '2026-04-30T12:00']],
    ['cron(0 12 1W * ? *)', ['2026-03-02T12:00', '2026-04-01T12:00', '2026-05-01T12:00']],
    ['cron(0 12 ? * 2#1 *)', ['2026-03-02T12:00', '2026-04-06T12:00']],
    ['cron(0 12 ? * 6L *)', ['2026-02-27T12:00', '2026-03-27T12:00']],
    ['cron(0 0 29 2 ? *)', ['2028-02-29T00:00', '2032-02-29T00:00']],
    [
      'cron(5,10 0 1 JAN ? 2027-2028)',
      ['2027-01-01T00:05', '2027-01-01T00:10', '2028-01-01T00:05', '2028-01-01T00:10', undefined],
    ],
  ])('%s', (expression, expected) => {
    const found = ticks(expression, 'UTC', '2026-02-02T23:00:00Z', expected.length);
    expect(found.map((text) => text?.slice(0, 16))).toEqual(expected);
  });

  test('every tick is a minute that the expression names, and none between is left out', () => {
    const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata');
    const moment = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-01-01T00:00:00Z') });
    const minute = fc.integer({ min: 0, max: 59 });
    const hour = fc.integer({ min: 4, max: 22 });
    fc.assert(
      fc.property(zone, moment, minute, hour, (timeZone, afterMs, wantedMinute, wantedHour) => {
        const { nextMs } = parseScheduleExpression(`cron(${wantedMinute} ${wantedHour} * * ? *)`, {
          zone: timeZone,
          createdMs: 0,
        });
        const next = nextMs(afterMs) ?? 0;
        const shown = new Date(next).toLocaleTimeString('en-GB', { timeZone }).slice(0, 5);
        const pad = (value: number) => String(value).padStart(2, '0');
        expect(shown).toBe(`${pad(wantedHour)}:${pad(wantedMinute)}`);
        expect(next).toBeGreaterThan(afterMs);
        expect(next - afterMs).toBeLessThanOrEqual(25 * 3_600_000);
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ['cron(0 8 * * *)', /has 5 fields/],
    ['cron(0 8 * * * *)', /must have \?/],
    ['cron(60 8 * * ? *)', /60 is not within 0 to 59/],
    ['cron(0 8 * FOO ? *)', /FOO is not within 1 to 12/],
    ['at(2026-01-01T00:00:00)', /neither rate/],
    ['rate(0 minutes)', /no duration/],
    ['rate(1 fortnight)', /neither rate/],
  ])('%s is refused in a sentence', (expression, message) => {
    expect(() => parseScheduleExpression(expression, { createdMs: 0 })).toThrow(message);
  });

  test('an unknown time zone is refused by name', () => {
    const parse = () =>
      parseScheduleExpression('cron(0 8 * * ? *)', { zone: 'Europe/Londres', createdMs: 0 });
    expect(parse).toThrow('There is no time zone Europe/Londres.');
  });
});
