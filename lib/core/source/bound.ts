/** How finely a source is asked: to the last digit, or in ticks. */
import { shiftTimestamp } from '#core/record/timestamp';
import type { TimeFormat, Timestamp, ZonedFormat } from '#core/record/timestamp';
import { isDoubtful, zonedBefore, zonedTickAfter, zonedTickOf } from './zoned-tick.ts';

export interface BoundRules {
  /** How the request's parameter is written. */
  readonly paramFormat: TimeFormat;
  /** How the rows' field is written: undefined, where it is as fine as the parameter. */
  readonly fieldFormat?: TimeFormat | undefined;
  /** The source answers rows at the bound too. */
  readonly inclusive: boolean;
}

/** How many digits of a second each format tells apart. */
const DIGITS = { iso: 9, 'iso-s': 0, 'epoch-s': 0, 'epoch-ms': 3, 'epoch-us': 6 } as const;

/** Of ISO text that is asked for exclusively: most sources keep no more. */
const EXCLUSIVE_DIGITS_MAX = 3;

const SECOND_NANOS = 1_000_000_000n;

/** The tick that `time` lies in: rows of one tick cannot be asked for apart. */
export function tickOf(time: Timestamp, rules: BoundRules): Timestamp {
  const zoned = zonedOf(rules);
  if (zoned !== undefined) return zonedTickOf(time, zoned);
  return `${time.slice(0, 20 + digitsOf(rules)).padEnd(29, '0')}Z` as Timestamp;
}

/** The first tick that lies at `time` or after it. */
export function tickFrom(time: Timestamp, rules: BoundRules): Timestamp {
  const tick = tickOf(time, rules);
  return tick === time ? tick : tickAfter(tick, rules);
}

/** The tick after the one that `time` lies in. */
export function tickAfter(time: Timestamp, rules: BoundRules): Timestamp {
  const tick = tickOf(time, rules);
  const zoned = zonedOf(rules);
  return zoned === undefined ? shiftTimestamp(tick, tickNanos(rules)) : zonedTickAfter(tick, zoned);
}

/**
 * The bound that is asked for `boundary`. An exclusive one lies a tick back, so that rows at the
 * boundary are read again all the same, even from a source that compares whole ticks. So does one
 * whose text may mean two instants.
 */
export function askedFrom(boundary: Timestamp, rules: BoundRules): Timestamp {
  const tick = tickOf(boundary, rules);
  const zoned = zonedOf(rules);
  if (rules.inclusive && (zoned === undefined || !isDoubtful(tick, zoned))) return tick;
  return zoned === undefined ? shiftTimestamp(tick, -tickNanos(rules)) : zonedBefore(tick, zoned);
}

/** The coarser of the two formats, where one of them is without an offset: it tells no more apart. */
function zonedOf({ paramFormat, fieldFormat }: BoundRules): ZonedFormat | undefined {
  const param = typeof paramFormat === 'string' ? undefined : paramFormat;
  const field = typeof fieldFormat === 'object' ? fieldFormat : undefined;
  return field?.kind === 'date' ? field : (param ?? field);
}

function digitsOf({ paramFormat, fieldFormat = 'iso', inclusive }: BoundRules): number {
  const digits = [paramFormat, fieldFormat].map((format) =>
    typeof format === 'string' ? DIGITS[format] : 0,
  );
  return Math.min(
    ...digits,
    ...(paramFormat === 'iso' && !inclusive ? [EXCLUSIVE_DIGITS_MAX] : []),
  );
}

function tickNanos(rules: BoundRules): bigint {
  return SECOND_NANOS / 10n ** BigInt(digitsOf(rules));
}
