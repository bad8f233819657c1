/** Converts between instants and the wall clocks of time zones. */

export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

export interface TimeZone {
  wallTime(instantMs: number): WallTime;
  /** The first instant at which clocks show this minute; undefined where they skip it. */
  instantMs(wall: WallTime): number | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** @throws {RangeError} when there is no such time zone. */
export function timeZone(name: string): TimeZone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  const wallTime = (instantMs: number): WallTime => {
    const parts = new Map(
      format.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)]),
    );
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    return {
      year: part('year'),
      month: part('month'),
      day: part('day'),
      hour: part('hour'),
      minute: part('minute'),
    };
  };
  const offsetMs = (instantMs: number): number => asUtcMs(wallTime(instantMs)) - floored(instantMs);
  return {
    wallTime,
    instantMs(wall) {
      const shownMs = asUtcMs(wall);
      // Around a change of the clocks one of the two offsets, or both, give the minute.
      const offsets = [offsetMs(shownMs - DAY_MS), offsetMs(shownMs + DAY_MS)];
      const instants = offsets
        .map((offset) => shownMs - offset)
        .filter((instant) => asUtcMs(wallTime(instant)) === shownMs);
      return instants.length === 0 ? undefined : Math.min(...instants);
    },
  };
}

function asUtcMs({ year, month, day, hour, minute }: WallTime): number {
  return Date.UTC(year, month - 1, day, hour, minute);
}

function floored(instantMs: number): number {
  return Math.floor(instantMs / 60_000) * 60_000;
}
