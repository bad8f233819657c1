/** Zone over the time zones that the runtime knows. */
import {
  create,
  fromFields,
  getTimeZoneTransition,
  offsetNanoseconds,
} from 'temporal-polyfill/fns/ZonedDateTime';
import type { Zone } from '#core/record/zone';

const MS_NANOS = 1_000_000;

/** Time between two changes of the clocks. */
interface Stretch {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly offsetMs: number;
  /** By how much the clocks move at its beginning and at its end, forward or back. */
  readonly stepInMs: number;
  readonly stepOutMs: number;
}

/**
 * Make a zone by its IANA name. Rows follow one another closely, so what was found of one serves the next.
 *
 * @throws {RangeError} when the runtime knows no such zone.
 */
export function systemZone(name: string): Zone {
  let latest = stretchAt(name, 0);

  function stretchOf(instantMs: number): Stretch {
    const isIn = instantMs >= latest.fromMs && instantMs < latest.untilMs;
    if (!isIn) latest = stretchAt(name, instantMs);
    return latest;
  }

  function changeAt(instantMs: number) {
    const { fromMs, untilMs, stepInMs, stepOutMs } = stretchOf(instantMs);
    const isAfter = instantMs < fromMs + stepInMs;
    if (!isAfter && instantMs < untilMs - stepOutMs) return undefined;
    const [changeMs, stepMs] = isAfter ? [fromMs, stepInMs] : [untilMs, stepOutMs];
    return { startMs: changeMs - stepMs, endMs: changeMs + stepMs };
  }

  return {
    wallMs: (instantMs) => instantMs + stretchOf(instantMs).offsetMs,
    instantMs(wallMs) {
      const likely = wallMs - latest.offsetMs;
      const isIn = likely >= latest.fromMs && likely < latest.untilMs;
      return isIn && changeAt(likely) === undefined ? likely : earlierInstantMs(name, wallMs);
    },
    changeAt,
  };
}

function stretchAt(name: string, instantMs: number): Stretch {
  const offsetMs = offsetAt(name, instantMs);
  // A change at the very instant counts as before it.
  const before = getTimeZoneTransition(at(name, instantMs + 1), 'previous');
  const after = getTimeZoneTransition(at(name, instantMs), 'next');
  const fromMs = before === null ? -Infinity : msOf(before.epochNanoseconds);
  const untilMs = after === null ? Infinity : msOf(after.epochNanoseconds);
  return {
    fromMs,
    untilMs,
    offsetMs,
    stepInMs: before === null ? 0 : Math.abs(offsetMs - offsetAt(name, fromMs - 1)),
    stepOutMs: after === null ? 0 : Math.abs(offsetAt(name, untilMs) - offsetMs),
  };
}

function earlierInstantMs(name: string, wallMs: number): number {
  const wall = new Date(wallMs);
  const fields = {
    year: wall.getUTCFullYear(),
    month: wall.getUTCMonth() + 1,
    day: wall.getUTCDate(),
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
    second: wall.getUTCSeconds(),
    millisecond: wall.getUTCMilliseconds(),
    timeZone: name,
  };
  return msOf(fromFields(fields, { disambiguation: 'earlier' }).epochNanoseconds);
}

function offsetAt(name: string, instantMs: number): number {
  return offsetNanoseconds(at(name, instantMs)) / MS_NANOS;
}

function at(name: string, instantMs: number) {
  return create(BigInt(instantMs) * BigInt(MS_NANOS), name);
}

function msOf(nanos: bigint): number {
  return Number(nanos / BigInt(MS_NANOS));
}
