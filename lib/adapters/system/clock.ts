import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '#ports/clock';

/** The machine's own clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  sleep: (durationMs) => delay(durationMs),
};
