import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
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
  ruleTest('scheduler', 'rate', () => {
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
  ruleTest(
    'scheduler',
    'zone',
    () => {
      expect(ticks('cron(0 8 * * ? *)', 'Europe/London', '2026-03-27T12:00:00Z', 3)).toEqual([
        '2026-03-28T08:00:00.000Z',
        '2026-03-29T07:00:00.000Z',
        '2026-03-30T07:00:00.000Z',
      ]);
    },
    '08:00 in London, in winter and in summer [CDK-10]',
  );

  ruleTest('scheduler', 'zone-spring', () => {
    expect(ticks('cron(30 1 * * ? *)', 'Europe/London', '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-30T00:30:00.000Z',
      '2026-03-31T00:30:00.000Z',
    ]);
  });

  ruleTest('scheduler', 'zone-autumn', () => {
    expect(ticks('cron(30 1 * * ? *)', 'Europe/London', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });

  const CRONS: [string, (string | undefined)[]][] = [
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
    [
      'cron(5,10 0 1 JAN ? 2027-2028)',
      ['2027-01-01T00:05', '2027-01-01T00:10', '2028-01-01T00:05', '2028-01-01T00:10', undefined],
    ],
  ];
  const expectTicks = (expression: string, expected: (string | undefined)[]) => {
    const found = ticks(expression, 'UTC', '2026-02-02T23:00:00Z', expected.length);
    expect(found.map((text) => text?.slice(0, 16))).toEqual(expected);
  };

  ruleTest('scheduler', 'cron-fields', () => {
    for (const [expression, expected] of CRONS) expectTicks(expression, expected);
  });

  ruleTest('scheduler', 'cron-last', () => {
    expectTicks('cron(0 12 L * ? *)', ['2026-02-28T12:00', '2026-03-31T12:00', '2026-04-30T12:00']);
    expectTicks('cron(0 12 ? * 6L *)', ['2026-02-27T12:00', '2026-03-27T12:00']);
    expectTicks('cron(0 12 ? * FRIL *)', ['2026-02-27T12:00', '2026-03-27T12:00']);
    expectTicks('cron(0 12 ? * L *)', ['2026-02-07T12:00', '2026-02-14T12:00']);
  });

  ruleTest('scheduler', 'cron-weekday', () => {
    expectTicks('cron(0 12 1W * ? *)', [
      '2026-03-02T12:00',
      '2026-04-01T12:00',
      '2026-05-01T12:00',
    ]);
    expectTicks('cron(0 12 15W * ? *)', ['2026-02-16T12:00', '2026-03-16T12:00']);
    expectTicks('cron(0 12 31W * ? *)', ['2026-03-31T12:00', '2026-05-29T12:00']);
    expectTicks('cron(0 12 LW * ? *)', [
      '2026-02-27T12:00',
      '2026-03-31T12:00',
      '2026-04-30T12:00',
      '2026-05-29T12:00',
    ]);
  });

  ruleTest('scheduler', 'cron-nth', () => {
    expectTicks('cron(0 12 ? * 2#1 *)', ['2026-03-02T12:00', '2026-04-06T12:00']);
    expectTicks('cron(0 12 ? * SUN#5 *)', ['2026-03-29T12:00', '2026-05-31T12:00']);
  });

  ruleTest('scheduler', 'cron-years', () => {
    expectTicks('cron(0 0 29 2 ? *)', ['2028-02-29T00:00', '2032-02-29T00:00']);
    expectTicks('cron(0 0 1 1 ? 2199)', ['2199-01-01T00:00', undefined]);
    expectTicks('cron(0 0 1 1 ? 1970-2020)', [undefined]);
    expectTicks('cron(0 0 31 2 ? *)', [undefined]);
    for (const year of ['1969', '2200']) {
      const parse = () => parseScheduleExpression(`cron(0 0 1 1 ? ${year})`, { createdMs: 0 });
      expect(parse).toThrow(`${year} is not within 1970 to 2199`);
    }
  });

  ruleTest('scheduler', 'cron-question-mark', () => {
    for (const days of ['* * *', '1 * MON', '? * ?']) {
      const parse = () => parseScheduleExpression(`cron(0 8 ${days} *)`, { createdMs: 0 });
      expect(parse).toThrow('must have ? in one of day-of-month and day-of-week');
    }
  });

  ruleTest('scheduler', 'at', () => {
    expect(ticks('at(2026-07-01T08:00:05)', 'Europe/London', '2026-02-02T00:00:00Z', 2)).toEqual([
      '2026-07-01T07:00:05.000Z',
      undefined,
    ]);
  });

  ruleTest('scheduler', 'at-past', () => {
    expect(ticks('at(2026-02-01T08:00:00)', 'UTC', '2026-02-02T00:00:00Z', 1)).toEqual([undefined]);
    expect(ticks('at(2026-03-29T01:30:00)', 'Europe/London', '2026-02-02T00:00:00Z', 1)).toEqual([
      undefined,
    ]);
  });

  ruleTest('scheduler', 'zone-rate', () => {
    expect(ticks('rate(1 day)', 'Europe/London', '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T12:00:00.000Z',
      '2026-03-30T12:00:00.000Z',
    ]);
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

  const REFUSALS: [string, RegExp][] = [
    ['cron(0 8 * * *)', /has 5 fields/],
    ['cron(0 8 * * * *)', /must have \?/],
    ['cron(60 8 * * ? *)', /60 is not within 0 to 59/],
    ['cron(0 8 * FOO ? *)', /FOO is not within 1 to 12/],
    ['at(2026-01-01)', /is not at\(yyyy/],
    ['now', /is none of rate/],
    ['rate(0 minutes)', /no duration/],
    ['rate(1 fortnight)', /is none of rate/],
  ];
  ruleTest('scheduler', 'refused', () => {
    for (const [expression, message] of REFUSALS) {
      expect(() => parseScheduleExpression(expression, { createdMs: 0 })).toThrow(message);
    }
  });

  ruleTest('scheduler', 'zone-unknown', () => {
    const parse = () =>
      parseScheduleExpression('cron(0 8 * * ? *)', { zone: 'Europe/Londres', createdMs: 0 });
    expect(parse).toThrow('There is no time zone Europe/Londres.');
  });
});
