import type { SequenceNumber } from '#core/record/records';

/** How far one consumer has come in one shard. */
export interface Checkpoint {
  readonly pipeline: string;
  readonly consumer: string;
  readonly shardId: string;
  /**
   * `frontier`: everything up to and including the sequence number is done.
   * `highest-finished`: that record is done, lower ones may not be, as several batches of the shard
   * run at once. Never a place to resume from.
   */
  readonly reach: 'frontier' | 'highest-finished';
  readonly sequenceNumber: SequenceNumber;
  readonly arrivalTimeMs: number;
  readonly atMs: number;
}

export interface CheckpointStore {
  /** Moves the checkpoint forward; one that would move it back is left unsaved, silently. */
  save(checkpoint: Checkpoint): Promise<void>;
}

export interface CheckpointReader {
  /** Every shard's checkpoints, by shard and then reach; a shard may have one of each reach. */
  list(ask: { pipeline: string; consumer: string }): Promise<readonly Checkpoint[]>;
}
