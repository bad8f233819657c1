/** How long to wait before a stalled piece is tried again. */
import type { Chance } from '#local/contracts';

export interface RetryPace {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** AWS documents no schedule; this one is patient enough for a person who watches. */
export const RETRY_PACE: RetryPace = { firstMs: 200, longestMs: 30_000 };

/** Doubles with each stall up to the longest; half of it is chance, so that shards spread. */
export function retryDelayMs(stalls: number, pace: RetryPace, chance: Chance): number {
  if (stalls === 0) return 0;
  const wholeMs = Math.min(pace.longestMs, pace.firstMs * 2 ** Math.min(stalls - 1, 30));
  return Math.round(wholeMs * (0.5 + chance() / 2));
}
