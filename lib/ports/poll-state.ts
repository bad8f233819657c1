/** Where a poller's lease and cursor live: one item a pipeline, so that one condition fences both. */
import type { Failing } from '#core/source/failing';

export interface Lease {
  readonly pipeline: string;
  /** Rises by one with every acquisition; a save under an older epoch is refused. */
  readonly epoch: number;
  readonly untilMs: number;
}

export interface PollState {
  /** The cursor as `encodeCursor` wrote it; undefined before the first save. */
  readonly cursor: string | undefined;
  /** No request to the source may start before this moment; 0 when none was asked for. */
  readonly notBeforeMs: number;
  /** What was published and may wait for consumers, as `encodeMarks` wrote it; left as it is where undefined. */
  readonly sent?: string | undefined;
}

/** An operator's mark: no lease is given while it stands. */
export interface Pause {
  readonly sinceMs: number;
  /** Undefined where none was given. */
  readonly reason: string | undefined;
}

/** How a poll ended, kept for those who ask later. */
export interface PollEnd {
  /** A kind of poll outcome, as `caught-up` or `failed`. */
  readonly outcome: string;
  readonly atMs: number;
  /** Whether something new was seen, or that there is nothing new. */
  readonly succeeded: boolean;
  /** One sentence that holds no secret; undefined when there is nothing to add. */
  readonly detail: string | undefined;
  /** What is kept of failures from now on, where it failed; a success ends them, all else leaves them. */
  readonly failing?: Failing;
}

export type AcquireResult =
  | {
      readonly kind: 'acquired';
      readonly lease: Lease;
      readonly state: PollState;
      /** Undefined where the last poll that asked did not fail. */
      readonly failing?: Failing | undefined;
    }
  | { readonly kind: 'held'; readonly untilMs: number }
  | { readonly kind: 'paused'; readonly pause: Pause };

export interface PollStateStore {
  /** Takes the lease if it is free or has run out, and the pipeline is not paused. */
  acquire(ask: { pipeline: string; nowMs: number; leaseMs: number }): Promise<AcquireResult>;
  /** Saves the state and renews the lease to `untilMs`; `undefined` when another epoch owns it. */
  save(lease: Lease, state: PollState, untilMs: number): Promise<Lease | undefined>;
  /**
   * Gives the lease back and keeps the end, if the lease is still ours; without one, which is when
   * the source was not asked, the end of the poll before it stands. `sent` as in the state.
   */
  release(lease: Lease, end?: PollEnd, sent?: string): Promise<void>;
}
