/** What an operator sees of a poller, and may change, from outside. */
import type { Failing } from '#core/source/failing';
import type { Pause, PollEnd, PollState } from './poll-state.ts';

export interface PollStanding extends PollState {
  /** Of the last lease, or of the last change of the cursor by hand; 0 before the first. */
  readonly epoch: number;
  /** The lease is held until then; 0 or in the past when it is free. */
  readonly leaseUntilMs: number;
  /** When a poll last saved it; undefined where none did since the cursor was set by hand. */
  readonly savedAtMs: number | undefined;
  /** When a lease was first taken; undefined before. */
  readonly firstAtMs: number | undefined;
  /** When a poll last ended well; undefined before the first time. */
  readonly succeededAtMs: number | undefined;
  /** Of the last poll that asked its source and could say how it ended. */
  readonly end: Omit<PollEnd, 'succeeded' | 'failing'> | undefined;
  /** Undefined where the last poll that asked did not fail. */
  readonly failing?: Failing | undefined;
  readonly pause: Pause | undefined;
}

export interface PollControl {
  /** Everything that is known of a poller; undefined when it never ran and nobody paused it. */
  read(pipeline: string): Promise<PollStanding | undefined>;
  /** Marks the pipeline; a mark that stands already keeps its moment, and its reason where none is given. */
  pause(pipeline: string, pause: Pause): Promise<void>;
  /** Takes the mark away, and lets a parked source be asked by the next tick; false when there was neither. */
  resume(pipeline: string): Promise<boolean>;
  /**
   * Puts another cursor in the place of what is there; undefined is the one of a source that was
   * never read. The epoch rises, so that a poller at work can save nothing over it.
   */
  setCursor(pipeline: string, cursor: string | undefined): Promise<void>;
}
