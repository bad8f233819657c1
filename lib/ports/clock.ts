/** Time as an argument. */
export interface Clock {
  /** Milliseconds since the epoch. It may go back. */
  nowMs(): number;
  /** Resolves after `durationMs`. */
  sleep(durationMs: number): Promise<void>;
}
