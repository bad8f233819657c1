import type { Lease } from './poll-state.ts';

export type FeedLease = Pick<Lease, 'pipeline' | 'epoch'>;

/** Where a pipeline's second feed was left, under the lease of the pipeline itself. */
export interface FeedStates {
  /**
   * Takes the feed over for the lease: from now on no earlier one saves. @returns the cursor as it was
   * saved last, undefined before that; or that a later lease has the feed.
   */
  open(lease: FeedLease): Promise<{ readonly cursor: string | undefined } | 'lease-lost'>;
  /** False when a later lease has the feed, and nothing was saved. */
  save(lease: FeedLease, cursor: string): Promise<boolean>;
}
