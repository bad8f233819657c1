/** Where a poller's lease and cursor live: one item a pipeline, so that one condition fences both. */

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
}

export type AcquireResult =
  | { readonly kind: 'acquired'; readonly lease: Lease; readonly state: PollState }
  | { readonly kind: 'held'; readonly untilMs: number };

export interface PollStateStore {
  /** Takes the lease if it is free or has run out. */
  acquire(ask: { pipeline: string; nowMs: number; leaseMs: number }): Promise<AcquireResult>;
  /** Saves the state and renews the lease to `untilMs`; `undefined` when another epoch owns it. */
  save(lease: Lease, state: PollState, untilMs: number): Promise<Lease | undefined>;
  /** Gives the lease back, if it is still ours. */
  release(lease: Lease): Promise<void>;
}
