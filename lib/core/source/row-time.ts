/** The time by which a source orders its rows. */
import { numberText } from '#core/record/exact-json';
import type { JsonValue } from '#core/record/json';
import { readPath } from '#core/record/path';
import type { Path } from '#core/record/path';
import { parseTimestamp } from '#core/record/timestamp';
import type { TimeFormat, Timestamp } from '#core/record/timestamp';

/** No tick, in whichever zone, lies before the first day of all: what some databases write for no time. */
const FIRST_DAY_OVER = '0000-01-03' as Timestamp;
/** As seconds, the year 5138; as milliseconds, March 1973. No feed of either kind reaches the other. */
const EPOCH_MS_FROM = 1e11;

/**
 * Read a row's time; undefined when it has none, or the first of all.
 *
 * @param format how the field is written; undefined infers it: text is ISO, a number is an epoch
 * in seconds or milliseconds by its magnitude.
 */
export function rowTime(
  row: JsonValue,
  path: Path,
  format: TimeFormat | undefined,
): Timestamp | undefined {
  const time = timeIn(readPath(row, path), format);
  return time !== undefined && time < FIRST_DAY_OVER ? undefined : time;
}

function timeIn(value: JsonValue | undefined, format: TimeFormat | undefined) {
  const digits = numberText(value);
  if (digits !== undefined) return parseTimestamp(digits, format ?? epochFormat(digits));
  return typeof value === 'string' ? parseTimestamp(value, format ?? 'iso') : undefined;
}

function epochFormat(digits: string): TimeFormat {
  return Math.abs(Number(digits)) >= EPOCH_MS_FROM ? 'epoch-ms' : 'epoch-s';
}
