/** Reads when a schedule ticks. */
import { parseCronFields, ScheduleExpressionError } from './cron-fields.ts';
import type { CronFields } from './cron-fields.ts';
import { timeZone } from './local-time.ts';
import type { TimeZone } from './local-time.ts';

export interface Ticks {
  /** The first tick after an instant; undefined when none follows. */
  nextMs(afterMs: number): number | undefined;
}

const UNIT_MS: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/** A leap day's four years, and the eight around a century without one. */
const SEARCH_DAYS_MAX = 8 * 366;

/**
 * Parse `rate(n unit)` or `cron(six fields)`.
 *
 * A rate ticks when it is created and then by the day of 24 hours; a cron expression ticks by the
 * zone's wall clock: a minute that is skipped in spring has no tick, one that comes twice has one.
 *
 * @throws {ScheduleExpressionError} when it is neither, or there is no such zone.
 * @source EventBridge Scheduler User Guide, Schedule types and Daylight savings time.
 */
export function parseScheduleExpression(
  expression: string,
  { zone = 'UTC', createdMs }: { zone?: string; createdMs: number },
): Ticks {
  const rate = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression);
  if (rate !== null) {
    const everyMs = Number(rate[1]) * (UNIT_MS[rate[2] ?? ''] ?? 0);
    if (everyMs <= 0) throw new ScheduleExpressionError(`${expression} has no duration.`);
    return {
      nextMs: (afterMs) =>
        afterMs < createdMs
          ? createdMs
          : createdMs + (Math.floor((afterMs - createdMs) / everyMs) + 1) * everyMs,
    };
  }
  const cron = /^cron\((.*)\)$/.exec(expression)?.[1];
  if (cron === undefined) {
    throw new ScheduleExpressionError(`${expression} is neither rate(…) nor cron(…).`);
  }
  const fields = parseCronFields(cron);
  const clocks = knownZone(zone);
  return { nextMs: (afterMs) => nextCronMs(fields, clocks, afterMs) };
}

function nextCronMs(fields: CronFields, clocks: TimeZone, afterMs: number): number | undefined {
  const start = clocks.wallTime(afterMs);
  for (let ahead = 0; ahead < SEARCH_DAYS_MAX; ahead++) {
    const date = new Date(Date.UTC(start.year, start.month - 1, start.day + ahead));
    const day = {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
    };
    if (!fields.matches(day)) continue;
    for (const hour of fields.hours) {
      if (ahead === 0 && hour < start.hour - 1) continue;
      for (const minute of fields.minutes) {
        const instantMs = clocks.instantMs({ ...day, hour, minute });
        if (instantMs !== undefined && instantMs > afterMs) return instantMs;
      }
    }
  }
  return undefined;
}

function knownZone(zone: string): TimeZone {
  try {
    return timeZone(zone);
  } catch {
    throw new ScheduleExpressionError(`There is no time zone ${zone}.`);
  }
}
