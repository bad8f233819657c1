/** A source whose polls fail one after the other is asked more and more seldom. */
import { backoffMs } from './backoff.ts';

export interface Failing {
  /** Polls in a row that failed, none of them between two that did not. */
  readonly count: number;
  /** When the first of them ended. */
  readonly sinceMs: number;
  /** By the schedule, it is not asked before; 0 where the next tick asks it. */
  readonly retryAtMs: number;
}

/** So many in a row are no accident: the source is parked. */
export const PARKED_FROM = 3;

/** However long it fails, it is asked again after this. */
const PAUSE_MS_MAX = 3_600_000;

const EVERY_MS = 60_000;

/**
 * Count one more poll that failed.
 *
 * @param everyMs between two ticks, so that a parked source misses one at least; a minute unless given.
 * @param roll in [0, 1).
 */
export function failAgain(
  before: Failing | undefined,
  { atMs, everyMs = EVERY_MS, roll }: { atMs: number; everyMs?: number | undefined; roll: number },
): Failing {
  const count = (before?.count ?? 0) + 1;
  const sinceMs = before?.sinceMs ?? atMs;
  if (count < PARKED_FROM) return { count, sinceMs, retryAtMs: 0 };
  const limits = { baseMs: 4 * everyMs, capMs: PAUSE_MS_MAX };
  return { count, sinceMs, retryAtMs: atMs + backoffMs(count - PARKED_FROM + 1, limits, roll) };
}
