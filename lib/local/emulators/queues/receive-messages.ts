/** ReceiveMessage: who may see a message, for how long, and where one goes that was seen too often. */
import { createHash } from 'node:crypto';
import type { JsonInput } from '#local/aws-json';
import { ACCOUNT_ID } from '#local/template/arns';
import { onlyKnown, optionalCount, texts } from './inputs.ts';
import { askedFor, attributesDigest } from './message-attributes.ts';
import type { MessageAttributes } from './message-attributes.ts';
import { queueNameIn, queueOf } from './queue-state.ts';
import type { QueueState } from './queue-state.ts';
import type { Message, Queue } from './queue-store.ts';
import { refused } from './refusal.ts';
import { digestMember, sequenceNumber } from './send-messages.ts';

/** @source SQS API 2012-11-05, ReceiveMessage. */
const BOUNDS = {
  MaxNumberOfMessages: { min: 1, max: 10, reason: 'Must be between 1 and 10, if provided' },
  VisibilityTimeout: { min: 0, max: 43_200, reason: 'Must be >= 0 and <= 43200, if provided' },
  WaitTimeSeconds: { min: 0, max: 20, reason: 'Must be >= 0 and <= 20, if provided' },
};

const MEMBERS = [
  'QueueUrl',
  'MaxNumberOfMessages',
  'VisibilityTimeout',
  'WaitTimeSeconds',
  'AttributeNames',
  'MessageSystemAttributeNames',
  'MessageAttributeNames',
];

export interface Receive {
  readonly queue: Queue;
  readonly countMax: number;
  readonly visibilitySec: number;
  readonly waitSec: number;
  readonly systemNames: readonly string[];
  readonly attributeNames: readonly string[];
}

/** @throws {ServiceError} as SQS refuses. */
export function readReceive(state: QueueState, input: JsonInput): Receive {
  onlyKnown(input, MEMBERS);
  const queue = queueOf(state, input);
  const count = (name: keyof typeof BOUNDS): number | undefined =>
    optionalCount(input, name, BOUNDS[name]);
  return {
    queue,
    countMax: count('MaxNumberOfMessages') ?? 1,
    visibilitySec: count('VisibilityTimeout') ?? queue.settings.visibilitySec,
    waitSec: count('WaitTimeSeconds') ?? queue.settings.waitSec,
    systemNames: [
      ...texts(input, 'AttributeNames'),
      ...texts(input, 'MessageSystemAttributeNames'),
    ],
    attributeNames: texts(input, 'MessageAttributeNames'),
  };
}

/** What may be seen now; each of it is hidden for its time, and one seen too often is moved away. */
export function takeMessages(state: QueueState, receive: Receive): readonly object[] {
  const { rows, clock, limits, newId } = state;
  const { queue, countMax, visibilitySec } = receive;
  const nowMs = clock.nowMs();
  const free = limits.inFlightMax - rows.count(queue.name, nowMs).inFlight;
  if (free <= 0) {
    throw refused(
      'OverLimit',
      `The maximum number of in flight messages is reached: ${limits.inFlightMax}.`,
    );
  }
  const taken: object[] = [];
  for (;;) {
    const wanted = Math.min(countMax - taken.length, free - taken.length);
    const found = wanted <= 0 ? [] : rows.visible(queue, nowMs, wanted);
    const kept = found.filter((message) => !moveIfSpent(state, queue, message));
    for (const message of kept) {
      const seen: Message = {
        ...message,
        receiveCount: message.receiveCount + 1,
        visibleMs: nowMs + visibilitySec * 1_000,
        firstReceivedMs: message.firstReceivedMs ?? nowMs,
        receipt: newId(),
      };
      rows.update(seen);
      taken.push(shown(seen, receive));
    }
    // A message that was moved away leaves its place to the next.
    if (kept.length === found.length) return taken;
  }
}

/** @source SQS Developer Guide, "Using dead-letter queues": its age goes with a standard queue's message. */
function moveIfSpent(state: QueueState, queue: Queue, message: Message): boolean {
  const { redrive } = queue.settings;
  if (redrive === undefined || message.receiveCount < redrive.maxReceiveCount) return false;
  const target = state.rows.queues.get(queueNameIn(redrive.deadLetterTargetArn));
  if (target === undefined) return false;
  const nowMs = state.clock.nowMs();
  const system = JSON.parse(message.system) as object;
  state.rows.drop(message);
  state.rows.add({
    ...message,
    queue: target.name,
    system: JSON.stringify({ ...system, DeadLetterQueueSourceArn: queue.arn }),
    sentMs: queue.settings.isFifo ? nowMs : message.sentMs,
    visibleMs: nowMs,
    receipt: undefined,
    dedupeId: undefined,
  });
  state.announce(target.name);
  return true;
}

function shown(message: Message, { queue, systemNames, attributeNames }: Receive): object {
  const attributes = askedFor(JSON.parse(message.attributes) as MessageAttributes, attributeNames);
  const system = systemOf(queue, message);
  const asked = Object.entries(system).filter(
    ([name]) => systemNames.includes('All') || systemNames.includes(name),
  );
  return {
    MessageId: message.id,
    ReceiptHandle: receiptHandle(message),
    MD5OfBody: createHash('md5').update(message.body).digest('hex'),
    Body: message.body,
    ...(asked.length === 0 ? {} : { Attributes: Object.fromEntries(asked) }),
    ...(Object.keys(attributes).length === 0 ? {} : { MessageAttributes: attributes }),
    ...digestMember('MD5OfMessageAttributes', attributesDigest(attributes)),
  };
}

function systemOf({ settings }: Queue, message: Message): Readonly<Record<string, string>> {
  const { groupId, dedupeId, sequence, sentMs, receiveCount, firstReceivedMs } = message;
  return {
    SenderId: ACCOUNT_ID,
    SentTimestamp: String(sentMs),
    ApproximateReceiveCount: String(receiveCount),
    ApproximateFirstReceiveTimestamp: String(firstReceivedMs),
    ...(groupId === undefined ? {} : { MessageGroupId: groupId }),
    ...(dedupeId === undefined ? {} : { MessageDeduplicationId: dedupeId }),
    ...(settings.isFifo ? { SequenceNumber: sequenceNumber(sequence) } : {}),
    ...(JSON.parse(message.system) as Record<string, string>),
  };
}

/** Names the message and this receipt of it. */
function receiptHandle({ queue, id, receipt }: Message): string {
  return Buffer.from(JSON.stringify([queue, id, receipt])).toString('base64');
}
