/** Writes to a table no more at once than it takes: what it throttles is tried again, and fewer keys are begun. */
import { afterThrottle, afterWrite, firstKeys } from '#core/batch/keys-in-flight';
import { backoffMs, TABLE_BACKOFF } from '#core/source/backoff';
import type { Chance } from '#ports/chance';
import type { Clock } from '#ports/clock';
import type { Report } from '#ports/report';
import { isThrottled } from './world-failure.ts';

export interface TablePace {
  /** How many keys may be written at once now. */
  keysMax(): number;
  /**
   * Writes, and where the table throttles pauses and writes again, as long as work may start.
   *
   * @throws what the write throws; the throttling too, when the time is up.
   */
  write<T>(work: () => Promise<T>, startUntilMs: number): Promise<T>;
}

/** As fast as it goes. */
export const UNPACED: TablePace = { keysMax: () => Infinity, write: (work) => work() };

/** Outlives invocations, as the table's throttling does. */
export function tablePace(
  { pipeline, consumer, concurrency }: PaceOptions,
  { clock, chance, report }: { clock: Clock; chance: Chance; report: Report },
): TablePace {
  let keys = firstKeys(concurrency);
  return { keysMax: () => keys.limit, write };

  async function write<T>(work: () => Promise<T>, startUntilMs: number): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const begun = keys.halvings;
      try {
        const result = await work();
        keys = afterWrite(keys, concurrency);
        return result;
      } catch (error) {
        if (!isThrottled(error)) throw error;
        slowDown(begun);
        const pauseMs = backoffMs(attempt, TABLE_BACKOFF, chance());
        if (clock.nowMs() + pauseMs >= startUntilMs) throw error;
        await clock.sleep(pauseMs);
      }
    }
  }

  function slowDown(begun: number): void {
    const { limit } = keys;
    keys = afterThrottle(keys, begun);
    if (keys.limit === limit) return;
    report({ event: 'TableSlowed', pipeline, consumer, keysMax: keys.limit, keysMaxBefore: limit });
  }
}

interface PaceOptions {
  readonly pipeline: string;
  readonly consumer: string;
  /** Keys in flight at once, at most. */
  readonly concurrency: number;
}
