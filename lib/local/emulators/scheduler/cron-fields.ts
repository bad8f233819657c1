/** Reads the six fields of an EventBridge cron expression. */

/** A day of the proleptic calendar; months and weekdays count from 1, Sunday is 1. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export interface CronFields {
  /** In rising order. */
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  matches(day: Day): boolean;
  /** No day of a later year matches. */
  readonly lastYear: number;
}

/** A schedule that cannot be read; its message is a whole sentence. */
export class ScheduleExpressionError extends Error {}

type DayTest = (day: Day) => boolean;

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/**
 * Parse `minutes hours day-of-month month day-of-week year`.
 *
 * @throws {ScheduleExpressionError} when a field is not one.
 * @source EventBridge Scheduler User Guide, Schedule types, Cron-based schedules.
 */
export function parseCronFields(text: string): CronFields {
  const fields = text.trim().split(/\s+/);
  const [minutes = '', hours = '', ofMonth = '', month = '', ofWeek = '', year = ''] = fields;
  if (fields.length !== 6) {
    throw new ScheduleExpressionError(`cron(${text}) has ${fields.length} fields, and needs 6.`);
  }
  if ((ofMonth === '?') === (ofWeek === '?')) {
    throw new ScheduleExpressionError(
      `cron(${text}) must have ? in one of day-of-month and day-of-week.`,
    );
  }
  const months = new Set(values(month, { low: 1, high: 12 }, MONTHS));
  const years = new Set(values(year, { low: 1970, high: 2199 }));
  const dayTest = ofWeek === '?' ? dayOfMonthTest(ofMonth) : dayOfWeekTest(ofWeek);
  return {
    minutes: values(minutes, { low: 0, high: 59 }),
    hours: values(hours, { low: 0, high: 23 }),
    lastYear: Math.max(...years),
    matches: (day) => years.has(day.year) && months.has(day.month) && dayTest(day),
  };
}

function dayOfMonthTest(field: string): DayTest {
  if (field === 'L') return (day) => day.day === daysInMonth(day);
  if (field === 'LW') return (day) => day.day === nearestWeekday(day, daysInMonth(day));
  const nearest = /^(\d{1,2})W$/.exec(field)?.[1];
  if (nearest !== undefined) return (day) => day.day === nearestWeekday(day, Number(nearest));
  const days = new Set(values(field, { low: 1, high: 31 }));
  return ({ day }) => days.has(day);
}

function dayOfWeekTest(field: string): DayTest {
  const special = /^([1-7]|[A-Z]{3})(?:L|#([1-5]))$/i.exec(field);
  if (special !== null) {
    const [weekday] = values(special[1] ?? '', { low: 1, high: 7 }, WEEKDAYS);
    const which = special[2] === undefined ? undefined : Number(special[2]);
    return (day) =>
      weekdayOf(day) === weekday &&
      (which === undefined ? day.day + 7 > daysInMonth(day) : Math.ceil(day.day / 7) === which);
  }
  const weekdays = new Set(values(field === 'L' ? '7' : field, { low: 1, high: 7 }, WEEKDAYS));
  return (day) => weekdays.has(weekdayOf(day));
}

/** The numbers that a field of lists, ranges and steps stands for. */
function values(
  field: string,
  { low, high }: { low: number; high: number },
  names: readonly string[] = [],
): readonly number[] {
  const wrong = (): never => {
    throw new ScheduleExpressionError(`The cron field ${field} is not within ${low} to ${high}.`);
  };
  const number = (text: string): number => {
    const named = names.indexOf(text.toUpperCase());
    const value = named >= 0 ? named + 1 : /^\d+$/.test(text) ? Number(text) : wrong();
    return value >= low && value <= high ? value : wrong();
  };
  const found = new Set<number>();
  for (const part of field.split(',')) {
    const [range = '', step, ...rest] = part.split('/');
    const [first = '', last, ...others] = range.split('-');
    const size = step === undefined ? 1 : Number(step);
    if (rest.length + others.length > 0 || !(Number.isInteger(size) && size > 0)) wrong();
    const from = first === '*' ? low : number(first);
    const onlyOne = first !== '*' && last === undefined && step === undefined;
    const to = last !== undefined ? number(last) : onlyOne ? from : high;
    // A range of weekdays or hours may go over the end: FRI-MON.
    const span = to >= from ? to - from : to + (high - low + 1) - from;
    for (let at = 0; at <= span; at += size)
      found.add(((from + at - low) % (high - low + 1)) + low);
  }
  return [...found].sort((a, b) => a - b);
}

function daysInMonth({ year, month }: Day): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Sunday is 1, Saturday 7. */
function weekdayOf({ year, month, day }: Day): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 1;
}

/** The weekday of the same month that is nearest to a date. */
function nearestWeekday({ year, month }: Day, date: number): number | undefined {
  const last = daysInMonth({ year, month, day: 1 });
  if (date > last) return undefined;
  switch (weekdayOf({ year, month, day: date })) {
    case 7:
      return date > 1 ? date - 1 : date + 2;
    case 1:
      return date < last ? date + 1 : date - 2;
    default:
      return date;
  }
}
