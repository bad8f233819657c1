import type { StreamEvent } from '#core/record/stream-event';
import type { Passage } from './sink.ts';

/** How a call ended that did not fail. */
export type HandlerEnd =
  | { readonly kind: 'done' }
  /** It can never succeed; `eventId` names the one event, of all that were given otherwise. */
  | { readonly kind: 'refused'; readonly detail: string; readonly eventId?: string | undefined };

export interface HandlerCall {
  readonly passage: Passage;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** How long until then, in ms. */
  remainingMs(): number;
}

/** The user's own code: what it does may be done more than once. */
export interface Handler {
  /** What one call is given: a record, or a key's records of a batch, in order. */
  readonly per: 'record' | 'key';
  /**
   * Handles events of one key.
   *
   * @throws an error with `retryable` when any of it failed: then none of the events is done.
   */
  handle(events: readonly StreamEvent[], call: HandlerCall): Promise<HandlerEnd>;
}
