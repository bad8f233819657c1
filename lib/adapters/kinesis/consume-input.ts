/** What a consumer's function is invoked with, and what it answers. */
import type { KinesisStreamBatchResponse, KinesisStreamEvent } from 'aws-lambda';
import type { RecordEnd } from '#core/checkpoint/record-end';
import type { Passage } from '#ports/sink';

/** An event source mapping's batch; with a passage, a batch that a command sends in its shape. */
export interface ConsumeInput extends KinesisStreamEvent {
  readonly passage?: Passage;
}

/** The mapping reads only the failures. */
export interface ConsumeAnswer extends KinesisStreamBatchResponse {
  /** How each record ended, by its place in the batch; to a command only. */
  readonly ends?: readonly RecordEnd[];
}
