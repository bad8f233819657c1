/** DeleteMessage, ChangeMessageVisibility and their batches: what a receiver does with a receipt. */
import type { JsonInput } from '#local/aws-json';
import { onBatch } from './batch.ts';
import { onlyKnown, optionalCount, requiredText } from './inputs.ts';
import { queueOf } from './queue-state.ts';
import type { QueueState } from './queue-state.ts';
import type { Message, Queue } from './queue-store.ts';
import { invalidValue, missing, refused } from './refusal.ts';

/** @source SQS Developer Guide, "Visibility timeout": 12 hours from the first receipt. */
const VISIBILITY_SEC_MAX = 43_200;

export function deleteMessage(state: QueueState, input: JsonInput): object {
  onlyKnown(input, ['QueueUrl', 'ReceiptHandle']);
  return remove(state, queueOf(state, input), input);
}

export function deleteMessageBatch(state: QueueState, input: JsonInput): object {
  onlyKnown(input, ['QueueUrl', 'Entries']);
  const queue = queueOf(state, input);
  return onBatch(input, 'DeleteMessageBatchRequestEntry', (entry) => {
    onlyKnown(entry, ['Id', 'ReceiptHandle']);
    return remove(state, queue, entry);
  });
}

export function changeVisibility(state: QueueState, input: JsonInput): object {
  onlyKnown(input, ['QueueUrl', 'ReceiptHandle', 'VisibilityTimeout']);
  return change(state, queueOf(state, input), input);
}

export function changeVisibilityBatch(state: QueueState, input: JsonInput): object {
  onlyKnown(input, ['QueueUrl', 'Entries']);
  const queue = queueOf(state, input);
  return onBatch(input, 'ChangeMessageVisibilityBatchRequestEntry', (entry) => {
    onlyKnown(entry, ['Id', 'ReceiptHandle', 'VisibilityTimeout']);
    return change(state, queue, entry);
  });
}

/** With a receipt that is not the last one, nothing is deleted, and that is no error. */
function remove(state: QueueState, queue: Queue, input: JsonInput): object {
  const { message, isLast } = receiptIn(state, queue, input);
  if (message !== undefined && isLast) {
    state.rows.drop(message);
    // Another of its group may be next.
    state.announce(queue.name);
  }
  return {};
}

function change(state: QueueState, queue: Queue, input: JsonInput): object {
  const reason = 'Must be between 0 and 43200, if provided';
  const bounds = { min: 0, max: VISIBILITY_SEC_MAX, reason };
  const visibilitySec = optionalCount(input, 'VisibilityTimeout', bounds);
  if (visibilitySec === undefined) throw missing('VisibilityTimeout');
  const { message, isLast } = receiptIn(state, queue, input);
  const nowMs = state.clock.nowMs();
  if (message === undefined) {
    throw invalidValue(
      input['ReceiptHandle'],
      'ReceiptHandle',
      'Message does not exist or is not available for visibility timeout change',
    );
  }
  if (!isLast || message.visibleMs <= nowMs) {
    throw refused(
      'MessageNotInflight',
      'The message referred to is not in flight: its visibility timeout has passed.',
    );
  }
  const visibleMs = nowMs + visibilitySec * 1_000;
  if (visibleMs - (message.firstReceivedMs ?? nowMs) > VISIBILITY_SEC_MAX * 1_000) {
    const beyond = `Total VisibilityTimeout for the message is beyond the limit [${VISIBILITY_SEC_MAX} seconds]`;
    throw invalidValue(visibilitySec, 'VisibilityTimeout', beyond);
  }
  state.rows.update({ ...message, visibleMs });
  state.announce(queue.name);
  return {};
}

function receiptIn(
  state: QueueState,
  queue: Queue,
  input: JsonInput,
): { message: Message | undefined; isLast: boolean } {
  const handle = requiredText(input, 'ReceiptHandle');
  const wrong = refused(
    'ReceiptHandleIsInvalid',
    `The input receipt handle "${handle}" is not a valid receipt handle.`,
  );
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(handle, 'base64').toString());
  } catch {
    throw wrong;
  }
  const [name, id, receipt] = Array.isArray(parts) ? (parts as unknown[]) : [];
  if (name !== queue.name || typeof id !== 'string' || typeof receipt !== 'string') throw wrong;
  const message = state.rows.find(queue.name, id);
  return { message, isLast: message?.receipt === receipt };
}
