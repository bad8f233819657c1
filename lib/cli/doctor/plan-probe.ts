/** Chooses the boundary that shows whether a source filters by it. */
import { parseTimestamp, renderTimestamp } from '#core/record/timestamp';
import type { TimeFormat, Timestamp } from '#core/record/timestamp';

/**
 * The latest time that the parameter can say to its last digit, and that lies a second after another:
 * a source that compares whole seconds filters between them, too. Undefined where there is none.
 */
export function planProbe(
  times: readonly Timestamp[],
  paramFormat: TimeFormat,
): Timestamp | undefined {
  const [earliest, ...later] = [...new Set(times)].sort();
  if (earliest === undefined) return undefined;
  return later.findLast(
    (time) =>
      secondOf(time) > secondOf(earliest) &&
      parseTimestamp(renderTimestamp(time, paramFormat), paramFormat) === time,
  );
}

/** The latest that can be said of a time and lies a second after the earliest, where none can be said whole. */
export function planRoughProbe(
  times: readonly Timestamp[],
  paramFormat: TimeFormat,
): Timestamp | undefined {
  const [earliest, ...later] = times.toSorted();
  if (earliest === undefined) return undefined;
  return later
    .flatMap((time) => parseTimestamp(renderTimestamp(time, paramFormat), paramFormat) ?? [])
    .findLast((time) => secondOf(time) > secondOf(earliest));
}

/** @example secondOf(parseTimestamp('2031-04-16T11:54:35.063Z', 'iso')); // '2031-04-16T11:54:35' */
export function secondOf(time: Timestamp): string {
  return time.slice(0, 19);
}
