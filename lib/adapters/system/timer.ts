import type { Timer } from '#ports/timer';

/** @source Node.js, setTimeout: a longer delay would be none. */
const DELAY_MS_MAX = 2 ** 31 - 1;

/** The machine's own timers. */
export const systemTimer: Timer = (durationMs, ring) => {
  const timer = setTimeout(ring, Math.min(durationMs, DELAY_MS_MAX));
  return () => clearTimeout(timer);
};
