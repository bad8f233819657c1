/**
 * An API's rate as a line of slots in time, an interval apart, each of which one request may take.
 *
 * Always true of any two requests under one rate: their slots lie an interval apart or more, and a
 * request leaves within its slot's burst: no later than its slot, and at most `burst - 1` intervals
 * before it. So no more than `rate × W + burst` leave in any time W. Functions are given portions of
 * the line, each of which is one function's alone: a slot that it does not take in time is lost.
 */
import { assert } from '#core/assert';

export interface Rate {
  /** Between two requests, in ms; may be a fraction. */
  readonly intervalMs: number;
  /** How many requests may leave at once after a rest; 1 at least. */
  readonly burst: number;
}

/** A part of the line. What lies between two portions keeps them apart where clocks differ. */
export interface Portion {
  readonly fromMs: number;
  /** How much of it is used or lost, in ms from its beginning. */
  readonly usedMs: number;
  readonly lengthMs: number;
}

/**
 * How much the clocks of two functions may differ without harm. Where they differ by more, by X, at
 * most `rate × X` requests more leave, and a clock ahead of the others makes them wait for it.
 *
 * @source Lambda's hosts keep to the Amazon Time Sync Service: well under a millisecond (2026).
 */
export const SKEW_MS_MAX = 10;

/** The table is asked for a portion of about this length, once it is known to be used up. */
const PORTION_MS = 1_000;

/** How late the requests of a portion may be in all, before it holds one less: timers ring late. */
const LATE_MS = 20;

/** How much of the line a portion of so many requests takes, what lies behind it included. */
export function spanMs(requests: number, rate: Rate): number {
  return Math.ceil(lengthMs(requests, rate)) + SKEW_MS_MAX;
}

function lengthMs(requests: number, { intervalMs }: Rate): number {
  return requests * intervalMs + LATE_MS;
}

export function portionAt(fromMs: number, requests: number, rate: Rate): Portion {
  assert(requests >= 1, 'a portion is for one request at least');
  return { fromMs, usedMs: 0, lengthMs: lengthMs(requests, rate) };
}

/** How long before its slot a request may leave. */
export function earlyMs({ intervalMs, burst }: Rate): number {
  return (burst - 1) * intervalMs;
}

export type SlotPlan =
  /** A request may leave at this very moment: `portion` is what remains then. */
  | { readonly kind: 'now'; readonly portion: Portion }
  | { readonly kind: 'wait'; readonly untilMs: number }
  /** Nothing of the portion is left. */
  | { readonly kind: 'over' };

/**
 * Plan the next request of a portion.
 *
 * @param heldUntilMs nothing leaves before, whatever slot it has.
 */
export function planSlot(
  portion: Portion,
  { rate, nowMs, heldUntilMs }: { rate: Rate; nowMs: number; heldUntilMs: number },
): SlotPlan {
  const { fromMs, usedMs } = portion;
  const slotMs = Math.max(usedMs, nowMs - fromMs);
  const endMs = slotMs + rate.intervalMs;
  if (endMs > portion.lengthMs) return { kind: 'over' };
  const leavesMs = Math.max(fromMs + slotMs - earlyMs(rate), heldUntilMs);
  if (leavesMs > nowMs) return { kind: 'wait', untilMs: Math.ceil(leavesMs) };
  return { kind: 'now', portion: { ...portion, usedMs: endMs } };
}

/**
 * For how many requests the next portion is, by what became of the last: one at first, twice as many
 * when all were sent, fewer when most were not, so that little is lost to others. None were sent when
 * the portion was over before it was known: then it was too short.
 */
export function nextRequests(
  { asked, sent }: { readonly asked: number; readonly sent: number },
  { intervalMs }: Rate,
): number {
  const most = Math.max(1, Math.floor(PORTION_MS / intervalMs));
  const grown = sent >= asked || sent === 0 ? 2 * asked : asked;
  return Math.min(Math.max(1, 2 * sent < asked && sent > 0 ? sent : grown), most);
}
