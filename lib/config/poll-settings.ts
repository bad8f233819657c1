/** The settings of the function that polls. */
export interface PollSettings {
  readonly memoryMb: number;
  /** How long one poll may run, in seconds. */
  readonly timeoutSec: number;
  /** What polls do while consumers are too far behind. */
  readonly behind: BehindSettings;
}

export interface BehindSettings {
  /** Age of the oldest record that a consumer has not done; see `behind-age.ts` unless given. */
  readonly ageMinutesMax?: number | undefined;
  /** `ignore`: nobody looks. */
  readonly reaction: 'pause' | 'go-on' | 'ignore';
}
