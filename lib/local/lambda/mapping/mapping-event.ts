/** What a mapping tells of itself, for the live view. */

/** Why records are given up. Only the first name is in AWS's documents. */
export type GiveUpCondition = 'RetryAttemptsExhausted' | 'RecordAgeExceeded' | 'RecordTooLarge';

interface OfRecords {
  readonly records: number;
  readonly firstSequenceNumber: string;
  readonly lastSequenceNumber: string;
}

/** An event of one shard, without saying which. */
export type ShardEvent =
  | { readonly kind: 'shard-started' }
  | { readonly kind: 'shard-ended' }
  | { readonly kind: 'read-failed'; readonly message: string }
  /** Read from the shard; the function never sees those that the filter drops. */
  | { readonly kind: 'polled'; readonly records: number; readonly filtered: number }
  /** A fault that was asked for holds the next batch back. */
  | { readonly kind: 'withheld'; readonly delayMs: number }
  /** A window's state was taken by its last invocation; early: it had grown too large. */
  | { readonly kind: 'window-closed'; readonly startMs: number; readonly isEarly: boolean }
  /** Handed to the function; the age is of the last record when the event was sent. */
  | (OfRecords & {
      readonly kind: 'batch';
      readonly attempt: number;
      readonly iteratorAgeMs: number;
    })
  /** The function finished these. */
  | (OfRecords & { readonly kind: 'finished' })
  | (OfRecords & {
      readonly kind: 'retry';
      readonly reason: 'partial' | 'failed' | 'throttled';
      readonly detail: string;
      readonly delayMs: number;
    })
  /** `left` of the records are tried first. */
  | (OfRecords & { readonly kind: 'bisected'; readonly detail: string; readonly left: number })
  /** With neither a key nor a queue the records are lost. */
  | (OfRecords & {
      readonly kind: 'gave-up';
      readonly condition: GiveUpCondition;
      readonly detail: string;
      /** In the failure bucket. */
      readonly key?: string;
      /** The ARN of the queue that was told. */
      readonly queue?: string;
    })
  | (OfRecords & { readonly kind: 'destination-failed'; readonly message: string });

export type MappingEvent = ShardEvent & {
  readonly functionName: string;
  readonly shardId: string;
};
