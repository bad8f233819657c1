/** Expands an EventBridge Scheduler cron into the minutes of days, without a time zone. */

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
const DAYS = 'SUN MON TUE WED THU FRI SAT'.split(' ');
const DAY_MS = 86_400_000;
const MINUTES_PER_DAY = 1_440;

/**
 * Every tick of `days` days from `firstDay`, in minutes from its midnight, rising. The year field is left aside.
 *
 * @param cron Six fields that `cronFault` finds nothing wrong with.
 * @example [...cronTicks('0 8 * * ? *', '2027-01-01', 2)]; // [480, 1920]
 */
export function cronTicks(cron: string, firstDay: string, days: number): readonly number[] {
  const [minute = '', hour = '', ofMonth = '', month = '', ofWeek = ''] = cron.split(' ');
  const minutes = membersOf(hour, 0, 23).flatMap((hours) =>
    membersOf(minute, 0, 59).map((minutesPast) => hours * 60 + minutesPast),
  );
  const months = new Set(membersOf(month, 1, 12, MONTHS));
  const isDay = ofMonth === '?' ? onWeekdays(ofWeek) : onDaysOfMonth(ofMonth);
  return Array.from({ length: days }, (_, day) => day).flatMap((day) => {
    const date = new Date(Date.parse(firstDay) + day * DAY_MS);
    if (!months.has(date.getUTCMonth() + 1) || !isDay(date)) return [];
    return minutes.map((minuteOfDay) => day * MINUTES_PER_DAY + minuteOfDay);
  });
}

function onDaysOfMonth(field: string): (date: Date) => boolean {
  const wanted = (date: Date): readonly number[] => {
    const last = lastDay(date);
    if (field === 'L') return [last];
    if (field === 'LW') return [nearestWeekday(date, last)];
    if (field.endsWith('W')) return [nearestWeekday(date, Number.parseInt(field, 10))];
    return membersOf(field, 1, 31);
  };
  return (date) => wanted(date).includes(date.getUTCDate());
}

function onWeekdays(field: string): (date: Date) => boolean {
  const [weekday, nth] = field.split('#').map(Number);
  if (nth !== undefined) {
    return (date) => date.getUTCDay() + 1 === weekday && Math.ceil(date.getUTCDate() / 7) === nth;
  }
  if (field === 'L') return (date) => date.getUTCDay() === 6;
  if (field.endsWith('L')) {
    const last = Number.parseInt(field, 10);
    return (date) => date.getUTCDay() + 1 === last && date.getUTCDate() + 7 > lastDay(date);
  }
  const members = new Set(membersOf(field, 1, 7, DAYS));
  return (date) => members.has(date.getUTCDay() + 1);
}

function lastDay(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}

/** The weekday nearest to a day, within its month. */
function nearestWeekday(date: Date, day: number): number {
  const weekday = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day)).getUTCDay();
  if (weekday === 6) return day === 1 ? day + 2 : day - 1;
  if (weekday === 0) return day === lastDay(date) ? day - 2 : day + 1;
  return day;
}

function membersOf(
  field: string,
  min: number,
  max: number,
  words: readonly string[] = [],
): readonly number[] {
  const valueOf = (text: string): number => {
    const word = words.indexOf(text.toUpperCase());
    return word < 0 ? Number(text) : min + word;
  };
  const members = field.split(',').flatMap((part) => {
    const [span = '', step] = part.split('/');
    const [low = min, high] = span === '*' ? [min, max] : span.split('-').map(valueOf);
    const end = high ?? (step === undefined ? low : max);
    // A range may pass the end of the week or year: FRI-MON.
    const length = (end < low ? end + max - min + 1 : end) - low + 1;
    const every = Number(step ?? 1);
    return Array.from(
      { length: Math.ceil(length / every) },
      (_, index) => min + ((low - min + index * every) % (max - min + 1)),
    );
  });
  return [...new Set(members)].sort((one, other) => one - other);
}
