/** When the rows of a page of history changed: whoever reads them again orders them alike. */
import type { Timestamp } from '#core/record/timestamp';

/**
 * Date every row. One that holds no time is as late as what was read before it, or else as the first
 * that holds one.
 *
 * @param end of the history that is read: of a page without any time.
 * @example historyDates([undefined, at(5), undefined, at(3)], at(9)); // at 5, 5, 5, 3
 */
export function historyDates(
  times: readonly (Timestamp | undefined)[],
  end: Timestamp,
): readonly Timestamp[] {
  let latest = times.find((time) => time !== undefined) ?? end;
  return times.map((time) => {
    if (time !== undefined && time > latest) latest = time;
    return time ?? latest;
  });
}
