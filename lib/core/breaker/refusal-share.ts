/** Tells a stream that went bad, or a deploy that did, from single bad records. */
import { assert } from '#core/assert';
import type { RefusalReason } from '#core/record/refusal';

export interface BreakerRule {
  /** Share of the recent records, refused for one reason, from which something is wrong: 1–100. */
  readonly percent: number;
  /** Of fewer records no share is judged. */
  readonly recordsMin: number;
}

/** What came lately; the older, the less it weighs. */
export interface RecentRecords {
  readonly received: number;
  readonly refused: ReadonlyMap<RefusalReason, number>;
}

/** The share that is too much. */
export interface Trip {
  readonly reason: RefusalReason;
  readonly refused: number;
  readonly received: number;
}

export const NOTHING_RECENT: RecentRecords = { received: 0, refused: new Map() };

/** Memory spans so many times the records that a judgement needs. */
const SPAN = 10;

/** Take in what came; beyond `10 × recordsMin` records everything remembered counts half. */
export function applyRecords(
  recent: RecentRecords,
  came: { readonly received: number; readonly refused: readonly RefusalReason[] },
  { recordsMin }: BreakerRule,
): RecentRecords {
  const share = recent.received > SPAN * recordsMin ? 0.5 : 1;
  const refused = new Map<RefusalReason, number>();
  for (const [reason, count] of recent.refused) refused.set(reason, count * share);
  for (const reason of came.refused) refused.set(reason, (refused.get(reason) ?? 0) + 1);
  return { received: recent.received * share + came.received, refused };
}

/**
 * The worst reason whose share is too large, if there is one.
 *
 * @example decideTrip(NOTHING_RECENT, { percent: 50, recordsMin: 20 }); // undefined
 */
export function decideTrip(
  { received, refused }: RecentRecords,
  { percent, recordsMin }: BreakerRule,
): Trip | undefined {
  assert(percent > 0, 'a share of nothing would stop every consumer');
  if (received < recordsMin) return undefined;
  const [worst] = [...refused].sort(([, a], [, b]) => b - a);
  if (worst === undefined || worst[1] * 100 < percent * received) return undefined;
  const [reason, count] = worst;
  return { reason, refused: Math.round(count), received: Math.round(received) };
}
