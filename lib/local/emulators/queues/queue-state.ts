/** What the operations of SQS share. */
import type { JsonInput } from '#local/aws-json';
import type { Clock, NewId, Storage } from '#local/contracts';
import { arn } from '#local/template/arns';
import { requiredText } from './inputs.ts';
import type { Queue, QueueRows } from './queue-store.ts';
import { noQueue } from './refusal.ts';

export interface QueueLimits {
  /** Messages of one queue that were received and neither deleted nor given back. */
  readonly inFlightMax: number;
}

/** @source SQS Developer Guide, "Amazon SQS quotas" (2026-10): standard and FIFO queues alike. */
export const QUEUE_LIMITS: QueueLimits = { inFlightMax: 120_000 };

export interface QueueState {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly rows: QueueRows;
  /** Of messages and receipts. */
  readonly newId: NewId;
  readonly limits: QueueLimits;
  /** Last purges, by queue. */
  readonly purgedMs: Map<string, number>;
  /** Tells those who wait that a message of the queue may be seen. */
  announce(queue: string): void;
}

/** @throws {ServiceError} when the URL names no queue. */
export function queueOf(state: QueueState, input: JsonInput): Queue {
  const name = queueNameIn(requiredText(input, 'QueueUrl'));
  const queue = state.rows.queues.get(name);
  if (queue === undefined) throw noQueue();
  expireMessages(state, queue);
  return queue;
}

/** The name at the end of a URL, an ARN, or itself. */
export function queueNameIn(text: string): string {
  return text.split(/[/:]/).at(-1) ?? '';
}

export function queueArn(name: string): string {
  return arn('sqs', name);
}

/** Forget what is older than the queue keeps. */
export function expireMessages({ rows, clock }: QueueState, { name, settings }: Queue): void {
  rows.expire(name, clock.nowMs() - settings.retentionSec * 1_000);
}
