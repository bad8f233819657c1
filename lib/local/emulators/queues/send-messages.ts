/** SendMessage and its batch. */
import { createHash } from 'node:crypto';
import type { JsonInput } from '#local/aws-json';
import { ServiceError } from '#local/aws-json';
import { onBatch } from './batch.ts';
import { entriesOf, onlyKnown, optionalCount, optionalText, requiredText } from './inputs.ts';
import { attributeBytes, attributesDigest, readMessageAttributes } from './message-attributes.ts';
import { queueOf } from './queue-state.ts';
import type { QueueState } from './queue-state.ts';
import type { Queue } from './queue-store.ts';
import { invalidValue, missing, refused } from './refusal.ts';

/** @source SQS API 2012-11-05, SendMessage: these characters, of the W3C's XML. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** @source SQS API 2012-11-05, SendMessageBatch: all messages together. */
const BATCH_BYTES_MAX = 1_024 * 1_024;

/** @source SQS Developer Guide, "Exactly-once processing": the deduplication interval. */
export const DEDUPE_MS = 5 * 60_000;

const MEMBERS = [
  'MessageBody',
  'DelaySeconds',
  'MessageAttributes',
  'MessageSystemAttributes',
  'MessageGroupId',
  'MessageDeduplicationId',
];

export function sendMessage(state: QueueState, input: JsonInput): object {
  onlyKnown(input, ['QueueUrl', ...MEMBERS]);
  return send(state, queueOf(state, input), input);
}

export function sendMessageBatch(state: QueueState, input: JsonInput): object {
  onlyKnown(input, ['QueueUrl', 'Entries']);
  const queue = queueOf(state, input);
  const bytes = entriesOf(input, 'Entries').reduce((sum, entry) => sum + messageBytes(entry), 0);
  return onBatch(
    input,
    'SendMessageBatchRequestEntry',
    (entry) => {
      const { Id: _, ...message } = entry;
      onlyKnown(message, MEMBERS);
      return send(state, queue, message);
    },
    () => {
      if (bytes <= BATCH_BYTES_MAX) return;
      throw refused(
        'BatchRequestTooLong',
        `Batch requests cannot be longer than ${BATCH_BYTES_MAX} bytes. You have sent ${bytes} bytes.`,
      );
    },
  );
}

function messageBytes(message: JsonInput): number {
  const attributes = (message['MessageAttributes'] ?? {}) as Parameters<typeof attributeBytes>[0];
  return Buffer.byteLength(String(message['MessageBody'] ?? '')) + attributeBytes(attributes);
}

function send(state: QueueState, queue: Queue, input: JsonInput): object {
  const { settings } = queue;
  const body = requiredText(input, 'MessageBody');
  const attributes = readMessageAttributes(input);
  if (messageBytes(input) > settings.messageBytesMax) {
    throw refused(
      'InvalidParameterValue',
      `One or more parameters are invalid. Reason: Message must be shorter than ${settings.messageBytesMax} bytes.`,
    );
  }
  if (FORBIDDEN.test(body)) {
    throw refused(
      'InvalidMessageContents',
      'Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF',
    );
  }
  const order = readOrder(queue, input, body);
  const delaySec = readDelay(queue, input);
  const nowMs = state.clock.nowMs();
  const digests = {
    MD5OfMessageBody: createHash('md5').update(body).digest('hex'),
    ...digestMember('MD5OfMessageAttributes', attributesDigest(attributes)),
  };
  const earlier =
    order.dedupeId && state.rows.sentAs(queue.name, order.dedupeId, nowMs - DEDUPE_MS);
  const id = earlier ? earlier.id : state.newId();
  const sequence = earlier
    ? earlier.sequence
    : state.rows.add({
        queue: queue.name,
        id,
        body,
        attributes: JSON.stringify(attributes),
        system: JSON.stringify(readSystem(input)),
        sentMs: nowMs,
        visibleMs: nowMs + delaySec * 1_000,
        receiveCount: 0,
        firstReceivedMs: undefined,
        receipt: undefined,
        groupId: order.groupId,
        dedupeId: order.dedupeId,
      });
  state.announce(queue.name);
  const numbered = settings.isFifo ? { SequenceNumber: sequenceNumber(sequence) } : {};
  return { MessageId: id, ...digests, ...numbered };
}

/** Twenty digits that rise. */
export function sequenceNumber(sequence: number): string {
  return String(10n ** 19n + BigInt(sequence));
}

function readDelay({ settings }: Queue, input: JsonInput): number {
  const reason = 'DelaySeconds must be >= 0 and <= 900';
  const delaySec = optionalCount(input, 'DelaySeconds', { min: 0, max: 900, reason });
  if (delaySec !== undefined && delaySec > 0 && settings.isFifo) {
    throw invalidValue(
      delaySec,
      'DelaySeconds',
      'The request include parameter that is not valid for this queue type',
    );
  }
  return delaySec ?? settings.delaySec;
}

/** @source SQS API 2012-11-05, SendMessage: of a FIFO queue; a standard one may have a group for fairness. */
function readOrder(
  { settings }: Queue,
  input: JsonInput,
  body: string,
): { groupId: string | undefined; dedupeId: string | undefined } {
  const groupId = optionalText(input, 'MessageGroupId');
  const given = optionalText(input, 'MessageDeduplicationId');
  for (const [name, value] of [
    ['MessageGroupId', groupId],
    ['MessageDeduplicationId', given],
  ] as const) {
    if (value !== undefined && !/^[\x21-\x7e]{1,128}$/.test(value)) {
      throw invalidValue(
        value,
        name,
        `${name} can only include alphanumeric and punctuation characters. 1 to 128 in length`,
      );
    }
  }
  if (!settings.isFifo) {
    if (given === undefined) return { groupId, dedupeId: undefined };
    throw invalidValue(
      given,
      'MessageDeduplicationId',
      'The request include parameter that is not valid for this queue type',
    );
  }
  if (groupId === undefined) throw missing('MessageGroupId');
  if (given !== undefined) return { groupId, dedupeId: given };
  if (!settings.dedupesByContent) {
    throw refused(
      'InvalidParameterValue',
      'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
    );
  }
  return { groupId, dedupeId: createHash('sha256').update(body).digest('hex') };
}

function readSystem(input: JsonInput): Record<string, string> {
  const given = (input['MessageSystemAttributes'] ?? {}) as Record<string, JsonInput>;
  for (const [name, value] of Object.entries(given)) {
    if (name !== 'AWSTraceHeader') {
      throw invalidValue(
        name,
        'MessageSystemAttributes',
        'Message system attribute name is invalid',
      );
    }
    if (typeof value['StringValue'] !== 'string') {
      throw new ServiceError('SerializationException', `${name} is not a string`);
    }
  }
  const trace = given['AWSTraceHeader']?.['StringValue'];
  return trace === undefined ? {} : { AWSTraceHeader: String(trace) };
}

export function digestMember(name: string, digest: string | undefined): object {
  return digest === undefined ? {} : { [name]: digest };
}
