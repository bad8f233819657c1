/** Whether a consumer comes closer to the tip of a shard: from two looks at it. */
import { assert } from '#core/assert';

export interface LagLook {
  readonly atMs: number;
  /** Age of the oldest record not yet done; 0 when all are done. */
  readonly behindMs: number;
  /** Null when there are more than were counted. */
  readonly behindRecords: number | null;
  /** Records done since the first checkpoint. */
  readonly doneTotal: number;
}

export interface LagTrend {
  /** `caught-up`: nothing waits, as on an idle stream. */
  readonly kind: 'caught-up' | 'draining' | 'steady' | 'growing';
  /** Until nothing waits, as fast as between the looks; null unless it drains. */
  readonly catchUpMs: number | null;
  readonly donePerSec: number;
  /** Null when nobody knows. */
  readonly arrivingPerSec: number | null;
}

/** Below this a lag is the pace of polling. @source Lambda Developer Guide: a shard is polled once a second. */
const POLLING_MS = 2_000;
/** Of the time between the looks: a smaller change is none. */
const STEADY_SHARE = 0.05;

/** @throws {Defect} when the looks are not in order. */
export function lagTrend(before: LagLook, after: LagLook): LagTrend {
  const passedMs = after.atMs - before.atMs;
  assert(passedMs > 0, 'the second look is later than the first');
  const perSec = (records: number): number => (Math.max(0, records) * 1_000) / passedMs;
  const done = Math.max(0, after.doneTotal - before.doneTotal);
  const isCounted = before.behindRecords !== null && after.behindRecords !== null;
  const rates = {
    donePerSec: perSec(done),
    arrivingPerSec: isCounted
      ? perSec(done + (after.behindRecords ?? 0) - (before.behindRecords ?? 0))
      : null,
  };
  const fallMs = before.behindMs - after.behindMs;
  if (after.behindMs === 0) return { kind: 'caught-up', catchUpMs: null, ...rates };
  const isShort = Math.max(before.behindMs, after.behindMs) < POLLING_MS;
  if (isShort || Math.abs(fallMs) <= STEADY_SHARE * passedMs) {
    return { kind: 'steady', catchUpMs: null, ...rates };
  }
  return fallMs > 0
    ? { kind: 'draining', catchUpMs: (after.behindMs * passedMs) / fallMs, ...rates }
    : { kind: 'growing', catchUpMs: null, ...rates };
}
