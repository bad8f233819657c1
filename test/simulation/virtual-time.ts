/** Time that stands still while anything can still happen, then jumps to what is due next. */
import type { Clock } from '#ports/clock';

export interface VirtualTime extends Clock {
  /** Runs until `work` has ended. @throws {Error} when nothing is due any more and it has not. */
  run<T>(work: Promise<T>): Promise<T>;
}

interface Timer {
  readonly dueMs: number;
  readonly order: number;
  readonly fire: () => void;
}

export function virtualTime(startMs: number): VirtualTime {
  let nowMs = startMs;
  let order = 0;
  const timers: Timer[] = [];

  return {
    nowMs: () => nowMs,
    sleep: (durationMs) =>
      new Promise((resolve) => {
        timers.push({ dueMs: nowMs + Math.max(0, durationMs), order: order++, fire: resolve });
      }),
    async run(work) {
      let isOver = false;
      const ended = work.finally(() => {
        isOver = true;
      });
      ended.catch(() => undefined);
      for (;;) {
        // Everything that needs no time is done before it passes.
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        if (isOver) return ended;
        const next = soonest();
        if (next === undefined) throw new Error('nothing is due, and the work has not ended');
        timers.splice(timers.indexOf(next), 1);
        nowMs = Math.max(nowMs, next.dueMs);
        next.fire();
      }
    },
  };

  function soonest(): Timer | undefined {
    let found: Timer | undefined;
    for (const timer of timers) {
      if (
        found === undefined ||
        timer.dueMs < found.dueMs ||
        (timer.dueMs === found.dueMs && timer.order < found.order)
      ) {
        found = timer;
      }
    }
    return found;
  }
}
