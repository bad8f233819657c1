import type { SequenceNumber } from '#core/record/records';
import type { OfConsumer } from './breaker-store.ts';

/** A consumer's replay: one at a time. */
export interface ReplayRun {
  /** What was asked for, as text: the same ask goes on with it. */
  readonly ask: string;
  /** What it was taken to mean when it began, as text. */
  readonly plan: string;
  readonly startedAtMs: number;
  /** Null while it is not over. */
  readonly finishedAtMs: number | null;
  /** Rises each time that somebody takes it up. */
  readonly epoch: number;
  /** Who runs it; nobody does after `leaseUntilMs`, by the runner's clock; 0 once it was given back. */
  readonly owner: string;
  readonly leaseUntilMs: number;
}

/** How far a replay has come in one shard. */
export interface ReplayPlace {
  readonly shardId: string;
  /** Up to and including this one, all are done; null before the first. */
  readonly sequenceNumber: SequenceNumber | null;
  readonly records: number;
  readonly ended: boolean;
}

export interface ReplayStore {
  /** The last replay, finished or not, with the places of no other. */
  read(
    of: OfConsumer,
  ): Promise<{ readonly run: ReplayRun; readonly places: readonly ReplayPlace[] } | undefined>;
  /** Writes it where the epoch that stands is `seenEpoch`, or none is; else false. */
  save(of: OfConsumer, run: ReplayRun, seenEpoch: number | undefined): Promise<boolean>;
  /**
   * Keeps how far it came in a shard.
   *
   * @throws an error with `retryable: false` where one with a higher epoch has been.
   */
  move(of: OfConsumer, run: ReplayRun, place: ReplayPlace): Promise<void>;
}
