import type { OutgoingRecord, SequenceNumber } from '#core/record/records';

export type PutOutcome =
  /** `shardId`: where it rests, as far as the stream says so. */
  | {
      readonly kind: 'written';
      readonly sequenceNumber: SequenceNumber;
      readonly shardId?: string | undefined;
    }
  | { readonly kind: 'throttled' }
  | { readonly kind: 'failed'; readonly code: string }
  /** No answer: the record may be in the stream, or may still arrive. */
  | { readonly kind: 'unknown'; readonly cause: Error };

export interface StreamWriter {
  /**
   * One outcome per record, in the order given; a request without an answer, or one that `signal`
   * ended early, is `unknown` for all. Once it is there, the records' memory may be used again.
   *
   * @throws when no retry can help (no such stream, no permission): an error with `retryable`.
   */
  put(records: readonly OutgoingRecord[], signal?: AbortSignal): Promise<readonly PutOutcome[]>;
}
