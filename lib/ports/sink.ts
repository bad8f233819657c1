import type { Refusal } from '#core/record/refusal';
import type { StreamEvent } from '#core/record/stream-event';

/** How an event ended for good. `stale`: it was done before; `folded`: a newer version of its key stands for it. */
export type SinkOutcome =
  | { readonly kind: 'written' | 'stale' | 'folded' }
  /** It can never succeed: it is set aside. */
  | Refusal;

/** Why a record comes: by its shard, by a second reading of the stream, or out of quarantine. */
export type Passage = 'stream' | 'replay' | 'redrive';

export interface Turn {
  readonly passage: Passage;
  /** No work starts after this moment, in ms since the epoch. */
  readonly startUntilMs: number;
  /**
   * Tells how the event at a place of the run ended, once each; what is never told comes again.
   *
   * Answers whether it is finished: a refused one that cannot be set aside comes again, too.
   */
  settle(place: number, outcome: SinkOutcome): Promise<boolean>;
}

/** Where a consumer brings its events. */
export interface Sink {
  readonly kind: 'table' | 'handler';
  /** How many keys it takes at once now, at least 1; as many as the consumer likes unless given. */
  keysMax?(): number;
  /**
   * Takes one key's events of one batch, in the order they came; at least the first is begun.
   *
   * @throws an error with `retryable` when the world failed; what was settled stays settled.
   */
  take(run: readonly StreamEvent[], turn: Turn): Promise<void>;
}
