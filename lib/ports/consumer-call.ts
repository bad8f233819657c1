import type { RecordEnd } from '#core/checkpoint/record-end';
import type { StoredRecord } from '#core/record/records';
import type { Passage } from './sink.ts';

/**
 * Has a consumer take records of one shard out of their turn, in the order given.
 *
 * @returns how each ended, by its place.
 * @throws an error with `retryable` when that is not known; any of them may be done.
 */
export type ConsumerCall = (
  records: readonly StoredRecord[],
  passage: Exclude<Passage, 'stream'>,
) => Promise<readonly RecordEnd[]>;
