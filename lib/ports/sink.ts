import type { Refusal } from '#core/record/refusal';
import type { StreamEvent } from '#core/record/stream-event';

/** Why a record comes: by its shard, by a second reading of the stream, or out of quarantine. */
export type Passage = 'stream' | 'replay' | 'redrive';

/** An event, and its place in the batch. */
export interface Delivery {
  readonly place: number;
  readonly event: StreamEvent;
}

/** Hears how the events of a batch end, each once; what it is never told of comes again. */
export interface Turn {
  readonly passage: Passage;
  /** No work starts after this moment, in ms since the epoch. */
  readonly startUntilMs: number;
  /** `stale`: it was done before; `folded`: a newer version of its key stands for it. */
  finish(place: number, as: 'written' | 'stale' | 'folded'): void;
  /**
   * It can never succeed: sets it aside.
   *
   * @returns whether it is finished; what cannot be set aside now comes again.
   */
  refuse(place: number, refusal: Refusal): Promise<boolean>;
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
  take(run: readonly Delivery[], turn: Turn): Promise<void>;
}
