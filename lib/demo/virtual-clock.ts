/** A clock that stands at its start until it is started, and then runs `speed` times real time. */
export interface VirtualClock {
  nowMs(): number;
  /** Starts it; a second start changes nothing. */
  start(): void;
}

export interface VirtualClockOptions {
  readonly startMs: number;
  /** Virtual milliseconds for one real one. */
  readonly speed: number;
  /** Real milliseconds that never go back. */
  readonly realMs: () => number;
}

export function virtualClock({ startMs, speed, realMs }: VirtualClockOptions): VirtualClock {
  let startedAt: number | undefined;
  return {
    nowMs: () => (startedAt === undefined ? startMs : startMs + (realMs() - startedAt) * speed),
    start() {
      startedAt ??= realMs();
    },
  };
}
