import type { OutgoingRecord, SequenceNumber } from '#core/record/records';

export type PutOutcome =
  | { readonly kind: 'written'; readonly sequenceNumber: SequenceNumber }
  | { readonly kind: 'throttled' }
  | { readonly kind: 'failed'; readonly code: string }
  /** No answer: the record may be in the stream, or may still arrive. */
  | { readonly kind: 'unknown'; readonly cause: Error };

export interface StreamWriter {
  /**
   * One outcome per record, in the order given; a request without an answer is `unknown` for all.
   *
   * @throws when no retry can help (no such stream, no permission): an error with `retryable`.
   */
  put(records: readonly OutgoingRecord[]): Promise<readonly PutOutcome[]>;
}
