import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cronFault } from '#config/cron';
import { parseScheduleExpression } from '#local/emulators/scheduler/schedule-expression';

test.each([
  '0 8 * * ? *',
  '*/5 9-17 ? * MON-FRI *',
  '0,30 0 1,15 jan,Jul ? 2031-2040',
  '0 3 L * ? *',
  '0 3 15W * ? *',
  '0 3 ? * 6L *',
  '0 3 ? * 2#1 *',
  '0/20 * * * ? 2026',
])('%s is a cron', (cron) => expect(cronFault(cron)).toBeUndefined());

test.each([
  ['0 25 * * ? *', "'25' is no hour"],
  ['99 5 * * ? *', "'99' is no minute"],
  ['0 5 0 * ? *', "'0' is no day of the month"],
  ['0 5 * 13 ? *', "'13' is no month"],
  ['0 5 ? * 8 *', "'8' is no day of the week"],
  ['0 5 * * ? 26', "'26' is no year"],
  ['0 5 * * * *', "exactly one of the two days must be '?'"],
  ['0 5 ? * ? *', "exactly one of the two days must be '?'"],
  ['*/0 5 * * ? *', "'*/0' is no minute"],
  ['1-2-3 5 * * ? *', "'1-2-3' is no minute"],
  ['0 5 * * ?', 'it has 5 fields'],
  ['0  5 * * ? *', 'it has 7 fields'],
])('%s is none: %s', (cron, fault) => expect(cronFault(cron)).toBe(fault));

// The local cloud reads crons by code of its own: neither may take what the other does not.
test('what is accepted here is a schedule that fires', () => {
  const part = (min: number, max: number) =>
    fc.oneof(fc.constant('*'), fc.integer({ min, max }).map(String));
  const days = fc.oneof(
    part(1, 28).map((day) => [day, '?']),
    part(1, 7).map((day) => ['?', day]),
  );
  fc.assert(
    fc.property(
      part(0, 59),
      part(0, 23),
      days,
      part(1, 12),
      (minute, hour, [day, weekday], month) => {
        const cron = `${minute} ${hour} ${day} ${month} ${weekday} *`;
        expect(cronFault(cron)).toBeUndefined();
        const { nextMs } = parseScheduleExpression(`cron(${cron})`, { zone: 'UTC', createdMs: 0 });
        expect(nextMs(1_900_000_000_000)).toBeGreaterThan(1_900_000_000_000);
      },
    ),
  );
});
