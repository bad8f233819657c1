/** Waiting that can be cut short. */
import type { Clock } from '#local/contracts';

export interface Pauses {
  /** Resolves at the next wake, or after `durationMs` if that is given and comes first. */
  untilWoken(durationMs?: number): Promise<void>;
  /** Resolves after `durationMs`, or at once when everything is cut short. */
  sleep(durationMs: number): Promise<void>;
  wake(): void;
  /** Ends all waits, now and from now on. */
  cutShort(): void;
}

export function pauses(clock: Clock): Pauses {
  const wakers = new Set<() => void>();
  const sleepers = new Set<() => void>();
  let isCut = false;

  const wait = (ends: Set<() => void>, durationMs: number | undefined): Promise<void> =>
    new Promise((resolve) => {
      if (isCut) return resolve();
      const cancel = durationMs === undefined ? () => {} : clock.setTimer(durationMs, () => end());
      const end = (): void => {
        cancel();
        ends.delete(end);
        resolve();
      };
      ends.add(end);
    });

  return {
    untilWoken: (durationMs) => wait(wakers, durationMs),
    sleep: (durationMs) => (durationMs === 0 ? Promise.resolve() : wait(sleepers, durationMs)),
    wake() {
      for (const end of wakers) end();
    },
    cutShort() {
      isCut = true;
      for (const end of [...wakers, ...sleepers]) end();
    },
  };
}
