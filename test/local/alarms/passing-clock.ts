/** The machine's clock, which a test can let run ahead: processes do not mind, minutes pass. */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '#local/contracts';

export interface PassingClock extends Clock {
  /** Moves on at once, firing what falls due, in order. */
  pass(durationMs: number): Promise<void>;
}

interface Timer {
  readonly dueMs: number;
  fire(): void;
}

/** What setTimeout can hold. */
const TIMEOUT_MS_MAX = 2 ** 31 - 1;

/** It begins a few seconds after a full minute, so that what is soon done is done in that minute. */
export function passingClock(): PassingClock {
  let aheadMs = 65_000 - (Date.now() % 60_000);
  const timers = new Set<Timer>();
  const nowMs = (): number => Date.now() + aheadMs;
  return {
    nowMs,
    setTimer(delayMs, fire) {
      const end = (): void => {
        timers.delete(timer);
        clearTimeout(timeout);
      };
      const timer: Timer = {
        dueMs: nowMs() + delayMs,
        fire() {
          end();
          fire();
        },
      };
      const timeout = setTimeout(timer.fire, Math.min(delayMs, TIMEOUT_MS_MAX));
      timers.add(timer);
      return end;
    },
    async pass(durationMs) {
      const endMs = nowMs() + durationMs;
      for (;;) {
        await setImmediate();
        const [next] = [...timers].sort((a, b) => a.dueMs - b.dueMs);
        if (next === undefined || next.dueMs > endMs) break;
        aheadMs += Math.max(0, next.dueMs - nowMs());
        next.fire();
      }
      aheadMs += Math.max(0, endMs - nowMs());
    },
  };
}
