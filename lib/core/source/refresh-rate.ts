/** How often a refresh token may be replaced by a new one, each a version of a secret. */

/**
 * Below what Secrets Manager's quota of versions bears, with those of a burst: at most 92 a day.
 *
 * @source Secrets Manager User Guide, quotas: about 100 versions, and none of the last day is removed.
 */
const EACH_MS = 20 * 60_000;
const BURST = 20;

/**
 * Count one replacement.
 *
 * @param spentUntilMs what the one before left; undefined for none.
 * @returns until when those that were made are paid for, at one in twenty minutes.
 */
export function spendRefresh(spentUntilMs: number | undefined, nowMs: number): number {
  return Math.max(spentUntilMs ?? 0, nowMs) + EACH_MS;
}

/** How long to wait for the next; 0 for not at all. Twenty may follow each other. */
export function refreshWaitMs(spentUntilMs: number | undefined, nowMs: number): number {
  return Math.max(0, (spentUntilMs ?? 0) - nowMs - (BURST - 1) * EACH_MS);
}
