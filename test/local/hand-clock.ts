/** A clock that a test moves by hand. */
import type { Clock } from '#local/contracts';

export interface HandClock extends Clock {
  /** Moves on, firing what falls due, in order, and letting promises settle in between. */
  advance(durationMs: number): Promise<void>;
}

export function handClock(startMs: number): HandClock {
  let nowMs = startMs;
  const timers = new Set<{ readonly dueMs: number; readonly fire: () => void }>();
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  return {
    nowMs: () => nowMs,
    setTimer(delayMs, fire) {
      const timer = { dueMs: nowMs + delayMs, fire };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advance(durationMs) {
      const endMs = nowMs + durationMs;
      await settle();
      for (;;) {
        const [next] = [...timers]
          .filter(({ dueMs }) => dueMs <= endMs)
          .sort((a, b) => a.dueMs - b.dueMs);
        if (next === undefined) break;
        timers.delete(next);
        nowMs = Math.max(nowMs, next.dueMs);
        next.fire();
        await settle();
      }
      nowMs = endMs;
    },
  };
}
