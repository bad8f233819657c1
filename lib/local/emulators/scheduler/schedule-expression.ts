/** Reads when a schedule ticks. */
import { parseCronFields, ScheduleExpressionError } from './cron-fields.ts';
import type { CronFields } from './cron-fields.ts';
import { timeZone } from './local-time.ts';
import type { TimeZone, WallTime } from './local-time.ts';

export interface Ticks {
  /** The first tick after an instant; undefined when none follows. */
  nextMs(afterMs: number): number | undefined;
}

const UNIT_MS: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/**
 * Parse `rate(n unit)`, `cron(six fields)` or `at(a moment)`.
 *
 * A rate ticks when it starts and then by the day of 24 hours; a cron expression ticks by the
 * zone's wall clock: a minute that is skipped in spring has no tick, one that comes twice has one.
 *
 * @param createdMs from when a rate counts.
 * @throws {ScheduleExpressionError} when it is none of them, or there is no such zone.
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
  const once = /^at\((.*)\)$/.exec(expression)?.[1];
  if (once !== undefined) return onceAt(momentMs(once, knownZone(zone)));
  const cron = /^cron\((.*)\)$/.exec(expression)?.[1];
  if (cron === undefined) {
    throw new ScheduleExpressionError(`${expression} is none of rate(…), cron(…) and at(…).`);
  }
  const fields = parseCronFields(cron);
  const clocks = knownZone(zone);
  return { nextMs: (afterMs) => nextCronMs(fields, clocks, afterMs) };
}

function nextCronMs(fields: CronFields, clocks: TimeZone, afterMs: number): number | undefined {
  const start = clocks.wallTime(afterMs);
  for (let ahead = 0; ; ahead++) {
    const date = new Date(Date.UTC(start.year, start.month - 1, start.day + ahead));
    const day = {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
    };
    if (day.year > fields.lastYear) return undefined;
    if (!fields.matches(day)) continue;
    for (const hour of fields.hours) {
      if (ahead === 0 && hour < start.hour - 1) continue;
      for (const minute of fields.minutes) {
        const instantMs = clocks.instantMs({ ...day, hour, minute });
        if (instantMs !== undefined && instantMs > afterMs) return instantMs;
      }
    }
  }
}

function onceAt(dueMs: number | undefined): Ticks {
  return { nextMs: (afterMs) => (dueMs !== undefined && dueMs > afterMs ? dueMs : undefined) };
}

/** The instant at which the zone's clocks show it; undefined where they skip it. */
function momentMs(text: string, clocks: TimeZone): number | undefined {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)$/.exec(text)?.map(Number) ?? [];
  const wall = { year, month, day, hour, minute } as WallTime;
  if (second === undefined || Number.isNaN(Date.parse(`${text}Z`))) {
    throw new ScheduleExpressionError(`at(${text}) is not at(yyyy-mm-ddThh:mm:ss).`);
  }
  const minuteMs = clocks.instantMs(wall);
  return minuteMs === undefined ? undefined : minuteMs + second * 1_000;
}

function knownZone(zone: string): TimeZone {
  try {
    return timeZone(zone);
  } catch {
    throw new ScheduleExpressionError(`There is no time zone ${zone}.`);
  }
}
