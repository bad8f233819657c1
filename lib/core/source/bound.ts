/** How finely a source is asked: to the last digit, or in ticks of a millisecond or a second. */
import { timestampMs, timestampOfMs } from '#core/record/timestamp';
import type { TimeFormat, Timestamp } from '#core/record/timestamp';

export interface BoundRules {
  /** How the request's parameter is written. */
  readonly paramFormat: TimeFormat;
  /** The source answers rows at the bound too. */
  readonly inclusive: boolean;
}

/** The tick that `time` lies in: rows of one tick cannot be asked for apart. */
export function tickOf(time: Timestamp, { paramFormat, inclusive }: BoundRules): Timestamp {
  if (paramFormat === 'iso' && inclusive) return time;
  const exact = paramFormat === 'epoch-s' ? time.slice(0, 19) + '.000' : time.slice(0, 23);
  return `${exact}000000Z` as Timestamp;
}

/**
 * The bound that is asked for `boundary`. An exclusive one lies a tick back, so that rows at the
 * boundary are read again all the same, even from a source that compares whole ticks.
 */
export function askedFrom(boundary: Timestamp, rules: BoundRules): Timestamp {
  const tick = tickOf(boundary, rules);
  if (rules.inclusive) return tick;
  return timestampOfMs(timestampMs(tick) - (rules.paramFormat === 'epoch-s' ? 1_000 : 1));
}
