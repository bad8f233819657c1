import type { ShardRange } from '#core/partition/hash-ring';

export interface StreamShards {
  /**
   * The shards that take records now, in any order; all of them, however many pages that is.
   *
   * @throws an error with `retryable` when the stream does not answer or may not be asked.
   */
  listOpen(): Promise<readonly ShardRange[]>;
}
