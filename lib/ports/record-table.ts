import type { StreamEvent } from '#core/record/stream-event';
import type { Refusal } from '#core/record/refusal';

export type UpsertOutcome =
  | { readonly kind: 'written' }
  /** The table holds an equal or newer version: a success. */
  | { readonly kind: 'stale' }
  | Refusal;

export interface RecordTable {
  /**
   * Writes one version unless an equal or newer one stands; a delete leaves a tombstone.
   *
   * @throws an error with `retryable` when the table did not answer or throttled.
   */
  upsert(event: StreamEvent): Promise<UpsertOutcome>;
}
