import type { SequenceNumber, StoredRecord } from '#core/record/records';

export type ShardPlace =
  | { readonly kind: 'trim-horizon' }
  /** With the first record that arrived then or later. */
  | { readonly kind: 'at'; readonly timestampMs: number }
  /** With the record of that number, or after it. */
  | { readonly kind: 'from' | 'after'; readonly sequenceNumber: SequenceNumber };

export interface ReadPage {
  /** In the order of the shard; none is no sign of its end, nor of its tip. */
  readonly records: readonly StoredRecord[];
  /** `tip`: nothing more is in it now. `end`: it is closed, and nothing will be. */
  readonly stand: 'more' | 'tip' | 'end';
}

export interface ShardReader {
  /** Opens a shard; each call of what it answers reads on, and throws where the stream does not answer. */
  open(shardId: string, place: ShardPlace): Promise<() => Promise<ReadPage>>;
}
