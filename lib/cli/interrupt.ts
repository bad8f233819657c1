/** Ctrl-C and its kin: the first asks for a clean end, the second insists. */

export interface Interrupt {
  /** Aborts with the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Stops listening. */
  release(): void;
}

/** What a shell expects of a process that a signal ended: 128 and the signal's number. */
export const INTERRUPTED = 130;

export function listenForInterrupt(insist: () => void): Interrupt {
  const controller = new AbortController();
  const listen = (): void => {
    if (controller.signal.aborted) insist();
    controller.abort();
  };
  process.on('SIGINT', listen).on('SIGTERM', listen);
  return {
    signal: controller.signal,
    release() {
      process.off('SIGINT', listen).off('SIGTERM', listen);
    },
  };
}
