/** A clock that stands still until it is told to go on. */
import type { Clock } from '#local/contracts';

export interface SteppedClock extends Clock {
  /** Goes on so far, firing what falls due, in order; each has run its course before the next. */
  step(durationMs: number): Promise<void>;
  /** Resolves when all that was due has run, without going on. */
  settle(): Promise<void>;
  /** Tells the clock of work that it cannot see, and whose end is to be waited for. */
  watch(isBusy: () => boolean): void;
}

/** Turns of the event loop without work, after which none is to come. */
const QUIET_TURNS = 3;
/** Work of this process is done within so many turns; what takes longer waits for the world. */
const EAGER_TURNS = 50;

export function steppedClock(startMs: number): SteppedClock {
  let nowMs = startMs;
  const timers = new Set<Timer>();
  const watches = new Set<() => boolean>();
  const isBusy = (): boolean => [...watches].some((watch) => watch());

  const settle = async (): Promise<void> => {
    let turns = 0;
    for (let quiet = 0; quiet < QUIET_TURNS; turns++) {
      await (turns < EAGER_TURNS ? turn() : shortWhile());
      quiet = isBusy() ? 0 : quiet + 1;
    }
  };
  const next = (endMs: number): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers) {
      if (timer.dueMs <= endMs && timer.dueMs < (first?.dueMs ?? Infinity)) first = timer;
    }
    return first;
  };

  return {
    nowMs: () => nowMs,
    setTimer(delayMs, fire) {
      const timer = { dueMs: nowMs + Math.max(0, delayMs), fire };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    settle,
    async step(durationMs) {
      const endMs = nowMs + durationMs;
      await settle();
      for (let timer = next(endMs); timer !== undefined; timer = next(endMs)) {
        timers.delete(timer);
        nowMs = Math.max(nowMs, timer.dueMs);
        timer.fire();
        await settle();
      }
      nowMs = endMs;
    },
    watch: (isBusy) => void watches.add(isBusy),
  };
}

interface Timer {
  readonly dueMs: number;
  readonly fire: () => void;
}

/** True of a clock that can be stepped. */
export function isStepped(clock: Clock): clock is SteppedClock {
  return 'step' in clock && 'watch' in clock;
}

// Taken now: a test may replace the global ones.
const { setImmediate, setTimeout } = globalThis;

/** Every promise that can be kept is kept before the next turn of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

function shortWhile(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, 1));
}
