/** The clock of the machine. */
import type { Clock } from '#local/contracts';

export const SYSTEM_CLOCK: Clock = {
  nowMs: () => Date.now(),
  setTimer(delayMs, fire) {
    const timer = setTimeout(fire, delayMs);
    return () => clearTimeout(timer);
  },
};
