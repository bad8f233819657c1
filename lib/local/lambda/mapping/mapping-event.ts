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
  /** Without a destination the key is absent, and the records are lost. */
  | (OfRecords & {
      readonly kind: 'gave-up';
      readonly condition: GiveUpCondition;
      readonly detail: string;
      readonly key?: string;
    })
  | (OfRecords & { readonly kind: 'destination-failed'; readonly message: string });

export type MappingEvent = ShardEvent & {
  readonly functionName: string;
  readonly shardId: string;
};
