/** How long a schedule's intervals last, at their longest. */
import { cronTicks } from './cron-ticks.ts';
import type { ScheduleSettings } from './pipeline-settings.ts';

const SEC_PER_MINUTE = 60;
const SEC_PER_HOUR = 3_600;

/** A leap year and another one hold every gap of a week and less. */
const FIRST_DAY = '2028-01-01';
const DAYS = 366 + 365;

/**
 * The longest time that `intervals` intervals in a row take, in seconds; Infinity where a schedule
 * has no so many. Where clocks are set back, a cron's interval is an hour longer.
 *
 * @example pollSpanSec({ everyMinutes: 5 }, 3); // 900
 */
export function pollSpanSec(schedule: ScheduleSettings, intervals: number): number {
  if ('everyMinutes' in schedule) return schedule.everyMinutes * SEC_PER_MINUTE * intervals;
  const ticks = cronTicks(schedule.cron, FIRST_DAY, DAYS);
  let longest = 0;
  for (const [index, tick] of ticks.entries()) {
    longest = Math.max(longest, (ticks[index + intervals] ?? tick) - tick);
  }
  if (longest === 0) return Infinity;
  const setBack = schedule.timeZone === 'UTC' ? 0 : SEC_PER_HOUR;
  return longest * SEC_PER_MINUTE + setBack;
}
