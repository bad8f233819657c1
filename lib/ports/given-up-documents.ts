import type { StoredRecord } from '#core/record/records';

/** A batch that an event source mapping gave up on: what failed in it, and what was never tried. */
export interface GivenUp {
  readonly consumer: string;
  /** In the words of AWS: `RetryAttemptsExhausted`. */
  readonly condition: string;
  /** Invocations in vain; 0 when its age ran out before the first. */
  readonly attempts: number;
  /** When it was given up. */
  readonly atMs: number;
  /** Of one shard, in order. */
  readonly records: readonly StoredRecord[];
}

export interface GivenUpDocuments {
  /** Keys, those of a shard from the oldest on. */
  list(): AsyncIterable<string>;
  /** Undefined when it is there no more, or holds no records that can be read. */
  read(key: string): Promise<GivenUp | undefined>;
  remove(key: string): Promise<void>;
}
