/** What a time zone's clocks show. */

/** Around a change of the clocks: as long before it as after it, as the clocks move. */
export interface ClockChange {
  readonly startMs: number;
  /** The first instant after it. */
  readonly endMs: number;
}

export interface Zone {
  /** What clocks show at an instant, as the instant at which they would show it in UTC. */
  wallMs(instantMs: number): number;
  /** When clocks show it: the earlier of two instants; of a time that they skip, as if they had not yet moved on. */
  instantMs(wallMs: number): number;
  /**
   * The change of the clocks that makes it doubtful which instant is meant by what they show at this
   * one: set back, they show a time twice; set forward, a time that is skipped may stand for either
   * side. Undefined for all other instants.
   */
  changeAt(instantMs: number): ClockChange | undefined;
}

export const UTC: Zone = {
  wallMs: (instantMs) => instantMs,
  instantMs: (wallMs) => wallMs,
  changeAt: () => undefined,
};
