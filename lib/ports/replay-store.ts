import type { SequenceNumber } from '#core/record/records';
import type { OfConsumer } from './breaker-store.ts';
import type { HeldJob, HeldJobs } from './held-job.ts';

export type ReplayRun = HeldJob;

/** How far a replay has come in one shard. */
export interface ReplayPlace {
  readonly shardId: string;
  /** Up to and including this one, all are done; null before the first. */
  readonly sequenceNumber: SequenceNumber | null;
  readonly records: number;
  readonly ended: boolean;
}

/** A consumer's replay: one at a time. */
export interface ReplayStore extends HeldJobs<OfConsumer, readonly ReplayPlace[]> {
  /**
   * Keeps how far it came in a shard.
   *
   * @throws an error with `retryable: false` where one with a higher epoch has been.
   */
  move(of: OfConsumer, run: ReplayRun, place: ReplayPlace): Promise<void>;
}
