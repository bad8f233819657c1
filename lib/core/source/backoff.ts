/** Pauses between attempts, as numbers. */

export interface BackoffLimits {
  readonly baseMs: number;
  readonly capMs: number;
}

/** Between requests to a stream that wrote nothing at all. */
export const PUT_BACKOFF: BackoffLimits = { baseMs: 50, capMs: 2_000 };

/** Between writes of a key that a table throttles. */
export const TABLE_BACKOFF: BackoffLimits = { baseMs: 100, capMs: 5_000 };

/** Between requests to a source that did not answer. */
export const SOURCE_BACKOFF: BackoffLimits = { baseMs: 500, capMs: 8_000 };

/** Assumed where an API says to wait without saying how long. */
export const WAIT_UNNAMED_MS = 60_000;

/**
 * Pick the pause after the `attempt`-th failure in a row, from 1: half fixed, half by chance, so
 * that pollers that failed together do not return together.
 *
 * @param roll in [0, 1).
 * @returns milliseconds, at most `capMs`.
 */
export function backoffMs(attempt: number, limits: BackoffLimits, roll: number): number {
  const ceilingMs = Math.min(limits.capMs, limits.baseMs * 2 ** Math.min(attempt - 1, 30));
  return Math.floor(ceilingMs / 2 + (ceilingMs / 2) * roll);
}
