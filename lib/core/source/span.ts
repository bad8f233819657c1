/**
 * Which time a run asks for: all from its boundary on, or a piece that the source is willing to answer.
 *
 * Pieces end at a tick. Whether a source answers rows at the very end makes no difference: the next
 * piece asks for them again, and what was published is remembered.
 */
import { timestampMs, timestampOfMs } from '#core/record/timestamp';
import type { Timestamp } from '#core/record/timestamp';
import { askedFrom, tickAfter, tickFrom, tickOf } from './bound.ts';
import type { Incremental } from './page-query.ts';

export interface Span {
  /** Null asks from the very first row on. */
  readonly from: Timestamp | null;
  /** Rows before it are asked for; undefined: however late. */
  readonly to?: Timestamp;
}

/**
 * Plan the next run from `boundary`, or from where the file says that rows begin. Of a source with
 * windows a span is never longer than one, and ends in the tick of `nowMs` at the latest, but lies
 * ahead in any case.
 */
export function planSpan(
  incremental: Incremental | undefined,
  boundary: Timestamp | null,
  nowMs: number,
): Span {
  const from = boundary ?? incremental?.start ?? null;
  const windowMs = incremental?.until?.windowMs;
  if (incremental === undefined || windowMs === undefined || from === null) return { from };
  const longest = timestampOfMs(timestampMs(askedFrom(from, incremental)) + windowMs);
  const ends = [tickOf(longest, incremental), latestEnd(incremental, nowMs)].toSorted();
  const [to = longest] = ends;
  return { from, to: to > from ? to : tickAfter(from, incremental) };
}

/** The window that ends now: what somebody looks at who wants to see some rows. */
export function latestSpan(incremental: Incremental | undefined, nowMs: number): Span {
  const windowMs = incremental?.until?.windowMs;
  if (incremental === undefined || windowMs === undefined) return { from: null };
  const to = latestEnd(incremental, nowMs);
  const from = tickFrom(timestampOfMs(timestampMs(to) - windowMs), incremental);
  return planSpan(incremental, from, nowMs);
}

/** Whether time was left behind the end of a span: by our clock, and by the source's. */
export function isBehind(
  to: Timestamp,
  incremental: Incremental | undefined,
  { nowMs, sourceMs }: { readonly nowMs: number; readonly sourceMs: number },
): boolean {
  if (incremental === undefined) return false;
  return to < latestEnd(incremental, nowMs) && timestampMs(to) <= sourceMs;
}

function latestEnd(incremental: Incremental, nowMs: number): Timestamp {
  return tickFrom(timestampOfMs(nowMs), incremental);
}
