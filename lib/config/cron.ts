/** Reads the six fields of an EventBridge Scheduler cron, as far as to say what is wrong with them. */

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Words that stand for min, min + 1 … */
  readonly words?: readonly string[];
  /** What else may stand in it. */
  readonly special?: RegExp;
}

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
const DAYS = 'SUN MON TUE WED THU FRI SAT'.split(' ');

/** @source EventBridge Scheduler user guide, cron-based schedules (2026-10). */
const FIELDS: readonly Field[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of the month', min: 1, max: 31, special: /^(\?|L|LW|([1-9]|[12]\d|3[01])W)$/ },
  { name: 'month', min: 1, max: 12, words: MONTHS },
  { name: 'day of the week', min: 1, max: 7, words: DAYS, special: /^(\?|L|[1-7]L|[1-7]#[1-5])$/ },
  { name: 'year', min: 1970, max: 2199 },
];

/**
 * Say what is wrong with a cron, or undefined where nothing is.
 *
 * @example cronFault('0 25 * * ? *'); // "'25' is no hour"
 */
export function cronFault(cron: string): string | undefined {
  const texts = cron.split(' ');
  if (texts.length !== FIELDS.length) return `it has ${texts.length} fields`;
  for (const [at, field] of FIELDS.entries()) {
    const text = texts[at] ?? '';
    if (!field.special?.test(text) && !text.split(',').every((part) => isPart(part, field))) {
      return `'${text}' is no ${field.name}`;
    }
  }
  const [, , day, , weekday] = texts;
  const open = [day, weekday].filter((text) => text === '?').length;
  return open === 1 ? undefined : "exactly one of the two days must be '?'";
}

/** `*`, a value or a range, each with a step if wished. */
function isPart(part: string, field: Field): boolean {
  const [span = '', step, ...rest] = part.split('/');
  if (rest.length > 0 || (step !== undefined && !/^[1-9]\d*$/.test(step))) return false;
  if (span === '*') return true;
  const values = span.split('-').map((text) => valueOf(text, field));
  return values.length <= 2 && values.every((value) => value !== undefined);
}

function valueOf(text: string, { min, max, words = [] }: Field): number | undefined {
  const word = words.indexOf(text.toUpperCase());
  const value = word >= 0 ? min + word : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}
