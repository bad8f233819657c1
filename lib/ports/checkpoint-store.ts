import type { SequenceNumber } from '#core/record/records';

/** Where one consumer stands in one shard. */
export interface CheckpointPlace {
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
  /** When it happened at the source; undefined of a record that says nothing of it. */
  readonly eventTimeMs?: number;
  readonly atMs: number;
}

export interface Checkpoint extends CheckpointPlace {
  /** Records done since the first save; what a batch that came twice brought counts at most twice. */
  readonly doneTotal: number;
}

export interface CheckpointStore {
  /**
   * Moves the checkpoint forward, and counts `done` more records. A place that would move it back is
   * left unsaved, silently; of a frontier its count as well, as then the batch came before.
   */
  save(place: CheckpointPlace, done: number): Promise<void>;
}

export interface CheckpointReader {
  /** Every shard's checkpoints, by shard and then reach; a shard may have one of each reach. */
  list(ask: { pipeline: string; consumer: string }): Promise<readonly Checkpoint[]>;
}
