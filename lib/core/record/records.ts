/** Records as they go into a shard and as they come out of it. */

declare const brand: unique symbol;

/** Decides the shard; 1–256 characters. Equal keys keep their order. */
export type PartitionKey = string & { readonly [brand]: 'PartitionKey' };

/** A position in a shard: canonical decimal text of up to 129 digits. Compare as a number. */
export type SequenceNumber = string & { readonly [brand]: 'SequenceNumber' };

export interface OutgoingRecord {
  readonly partitionKey: PartitionKey;
  readonly data: Uint8Array;
}

export interface StoredRecord {
  readonly shardId: string;
  readonly sequenceNumber: SequenceNumber;
  readonly partitionKey: string;
  readonly data: Uint8Array;
  /** When Kinesis stored it, in ms since the epoch. Not guaranteed to rise. */
  readonly arrivalTimeMs: number;
}
