/** Queues, and who may use them. */
import { arn, ACCOUNT_ID, REGION } from './arns.ts';
import type { ResourceType } from './resource-type.ts';

/**
 * A queue's URL in a template is AWS's: the local cloud's port is not known when it is resolved, and
 * the last part of a URL alone names a queue.
 */
export const QUEUE_TYPE: ResourceType = {
  implemented: [
    'QueueName',
    'DelaySeconds',
    'MaximumMessageSize',
    'MessageRetentionPeriod',
    'ReceiveMessageWaitTimeSeconds',
    'VisibilityTimeout',
    'RedrivePolicy',
    'FifoQueue',
    'ContentBasedDeduplication',
  ],
  inert: [
    'Tags',
    'KmsMasterKeyId',
    'KmsDataKeyReusePeriodSeconds',
    'SqsManagedSseEnabled',
    'FifoThroughputLimit',
  ],
  nameProperty: 'QueueName',
  identify: (name) => {
    const url = `https://sqs.${REGION}.amazonaws.com/${ACCOUNT_ID}/${name}`;
    return { ref: url, attributes: { Arn: arn('sqs', name), QueueName: name, QueueUrl: url } };
  },
};

/** A standard queue: failures cannot go to a FIFO one. */
export function isQueue(text: string): boolean {
  return /^arn:aws:sqs:[^:]*:[^:]*:[\w-]+$/.test(text);
}

/** @param config a DeadLetterConfig, whose target's member differs from service to service. */
export function refuseDeadLetters(config: unknown): readonly string[] {
  const { TargetArn, Arn = TargetArn } = (config ?? {}) as { TargetArn?: unknown; Arn?: unknown };
  if (Arn === undefined || isQueue(String(Arn))) return [];
  return [`dead letters to ${String(Arn)} are not supported: it is no standard queue`];
}
