/**
 * Ticks of a source that writes what clocks show, without their offset.
 *
 * A tick is a second or a day. Where the clocks change, all that is doubtful is one tick: as much time
 * before the change as after it as they move. So every reading of a time that is shown twice, or
 * skipped, lies in one tick, and rows of one tick are always asked for together.
 */
import { timestampMs, timestampOfMs } from '#core/record/timestamp';
import type { Timestamp, ZonedFormat } from '#core/record/timestamp';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/** The tick that `time` lies in. */
export function zonedTickOf(time: Timestamp, format: ZonedFormat): Timestamp {
  const second = Date.parse(`${time.slice(0, 19)}Z`);
  return timestampOfMs(tickMs(second, format));
}

/** @returns what lies in no doubt, and at the beginning of a day where only days are told apart. */
function tickMs(instantMs: number, format: ZonedFormat): number {
  const { kind, zone } = format;
  const settledMs = zone.changeAt(instantMs)?.startMs ?? instantMs;
  if (kind === 'local') return settledMs;
  const day = dayOf(settledMs, format);
  const startMs = zone.instantMs(day);
  const isItself = (zone.changeAt(startMs)?.startMs ?? startMs) === startMs;
  // A day that begins within a change of the clocks is one with the day before.
  return isItself && dayOf(startMs, format) === day ? startMs : tickMs(startMs, format);
}

/** The tick after `tick`. */
export function zonedTickAfter(tick: Timestamp, format: ZonedFormat): Timestamp {
  const { kind, zone } = format;
  const fromMs = timestampMs(tick);
  if (kind === 'local') return timestampOfMs(zone.changeAt(fromMs)?.endMs ?? fromMs + SECOND_MS);
  const day = dayOf(fromMs, format);
  for (let days = 1; ; days++) {
    const afterMs = tickMs(zone.instantMs(day + days * DAY_MS), format);
    if (afterMs > fromMs) return timestampOfMs(afterMs);
  }
}

/** What is asked for to have every row of `tick` answered by a source that leaves out the bound itself. */
export function zonedBefore(tick: Timestamp, format: ZonedFormat): Timestamp {
  const fromMs = timestampMs(tick);
  if (format.kind === 'local') return timestampOfMs(fromMs - SECOND_MS);
  return timestampOfMs(format.zone.instantMs(dayOf(fromMs, format) - DAY_MS));
}

/** Whether what the clocks show at `tick` may be read as another instant, too. */
export function isDoubtful(tick: Timestamp, { zone }: ZonedFormat): boolean {
  return zone.changeAt(timestampMs(tick)) !== undefined;
}

function dayOf(instantMs: number, { zone }: ZonedFormat): number {
  return Math.floor(zone.wallMs(instantMs) / DAY_MS) * DAY_MS;
}
