/** Amazon SQS on one machine, over its JSON protocol. */
import { answerJson, jsonObjectIn, ServiceError } from '#local/aws-json';
import type { JsonInput, JsonOperation, JsonProtocol } from '#local/aws-json';
import type {
  Clock,
  NewId,
  QueueStore,
  Storage,
  WireHandler,
  WireRequest,
  WireResponse,
} from '#local/contracts';
import { RANDOM_ID } from '#local/new-id';
import { ACCOUNT_ID, REGION } from '#local/template/arns';
import { onlyKnown, requiredText } from './inputs.ts';
import {
  createQueue,
  deleteQueue,
  getAttributes,
  getQueue,
  listQueues,
  purgeQueue,
  setAttributes,
} from './manage-queues.ts';
import { readSettings } from './queue-settings.ts';
import type { Attributes } from './queue-settings.ts';
import { QUEUE_LIMITS, queueNameIn } from './queue-state.ts';
import type { QueueLimits, QueueState } from './queue-state.ts';
import { openQueueRows } from './queue-store.ts';
import type { Queue } from './queue-store.ts';
import { readReceive, takeMessages } from './receive-messages.ts';
import { queryErrorOf } from './refusal.ts';
import { sendMessage, sendMessageBatch } from './send-messages.ts';
import {
  changeVisibility,
  changeVisibilityBatch,
  deleteMessage,
  deleteMessageBatch,
} from './settle-messages.ts';
import { createWaitingRoom } from './waiting-room.ts';

export interface Queues extends WireHandler, QueueStore {
  readonly target: string;
  /** Make the queue of an AWS::SQS::Queue; one that is there keeps its messages. */
  createQueue(name: string, attributes: Attributes): void;
  /** URLs of queues as templates have them, become those of this cloud's port. */
  withLocalUrls(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  /** Sends those away, with nothing, who wait for a message. */
  stop(): void;
}

export interface QueuesDependencies {
  readonly storage: Storage;
  readonly clock: Clock;
  /** As `http://127.0.0.1:4566`: queues' URLs begin so. */
  readonly endpoint: () => string;
  readonly newId?: NewId;
  readonly limits?: Partial<QueueLimits>;
}

/** Serve the queues of `storage`. */
export function createQueues(dependencies: QueuesDependencies): Queues {
  const { storage, clock, endpoint, newId = RANDOM_ID, limits } = dependencies;
  const room = createWaitingRoom(clock);
  const rows = openQueueRows(storage);
  const state: QueueState = {
    storage,
    clock,
    rows,
    newId,
    limits: { ...QUEUE_LIMITS, ...limits },
    purgedMs: new Map(),
    announce: room.announce,
  };
  const urlOf = ({ name }: Queue): string => `${endpoint()}/${ACCOUNT_ID}/${name}`;
  const protocol: JsonProtocol = {
    version: '1.0',
    operations: operationsOf(state, urlOf),
    errorNamespace: () => 'com.amazonaws.sqs#',
    checksum: 'none',
    newId,
  };

  /** Comes back when there may be a message, or the time is over. */
  const waitFor = async (input: JsonInput): Promise<void> => {
    const { queue, waitSec } = readReceive(state, input);
    const endMs = clock.nowMs() + waitSec * 1_000;
    while (rows.visible(queue, clock.nowMs(), 1).length === 0) {
      const nowMs = clock.nowMs();
      if (nowMs >= endMs || room.isClosed()) return;
      const nextMs = rows.nextVisibleMs(queue.name, nowMs) ?? endMs;
      await room.wait(queue.name, Math.min(nextMs, endMs) - nowMs);
    }
  };

  return {
    target: 'AmazonSQS',
    async handle(request) {
      if (operationIn(request) === 'ReceiveMessage') {
        // What is wrong with it is answered below.
        await waitFor(jsonObjectIn(request.body) ?? {}).catch(rethrowDefect);
      }
      return withQueryError(answerJson(protocol, request));
    },
    createQueue(name, attributes) {
      const there = rows.queues.get(name);
      if (there === undefined) createQueue(state, name, attributes);
      else rows.keep({ ...there, settings: readSettings(name, attributes) });
    },
    send(queue, body, MessageAttributes = {}) {
      const name = queueNameIn(queue);
      const order = name.endsWith('.fifo')
        ? { MessageGroupId: 'local', MessageDeduplicationId: newId() }
        : {};
      sendMessage(state, { QueueUrl: name, MessageBody: body, MessageAttributes, ...order });
    },
    withLocalUrls(texts) {
      const ofAws = `https://sqs.${REGION}.amazonaws.com/${ACCOUNT_ID}/`;
      return Object.fromEntries(
        Object.entries(texts).map(([name, text]) => [
          name,
          text.replaceAll(ofAws, `${endpoint()}/${ACCOUNT_ID}/`),
        ]),
      );
    },
    stop: room.close,
  };
}

function operationsOf(
  state: QueueState,
  urlOf: (queue: Queue) => string,
): Readonly<Record<string, JsonOperation>> {
  const on =
    (operation: (state: QueueState, input: JsonInput) => object): JsonOperation =>
    (input) =>
      operation(state, input);
  return {
    SendMessage: on(sendMessage),
    SendMessageBatch: on(sendMessageBatch),
    ReceiveMessage(input) {
      const Messages = takeMessages(state, readReceive(state, input));
      return Messages.length === 0 ? {} : { Messages };
    },
    DeleteMessage: on(deleteMessage),
    DeleteMessageBatch: on(deleteMessageBatch),
    ChangeMessageVisibility: on(changeVisibility),
    ChangeMessageVisibilityBatch: on(changeVisibilityBatch),
    CreateQueue(input) {
      onlyKnown(input, ['QueueName', 'Attributes', 'tags']);
      const attributes = (input['Attributes'] ?? {}) as Attributes;
      return { QueueUrl: urlOf(createQueue(state, requiredText(input, 'QueueName'), attributes)) };
    },
    DeleteQueue: on(deleteQueue),
    GetQueueUrl: (input) => ({ QueueUrl: urlOf(getQueue(state, input)) }),
    ListQueues(input) {
      const { found, next } = listQueues(state, input);
      const QueueUrls = found.map(urlOf);
      return {
        ...(QueueUrls.length === 0 ? {} : { QueueUrls }),
        ...(next === undefined ? {} : { NextToken: next }),
      };
    },
    GetQueueAttributes: on(getAttributes),
    SetQueueAttributes: on(setAttributes),
    PurgeQueue: on(purgeQueue),
  };
}

function operationIn({ headers }: WireRequest): string {
  return (headers['x-amz-target'] ?? '').split('.')[1] ?? '';
}

function rethrowDefect(error: unknown): void {
  if (!(error instanceof ServiceError)) throw error;
}

/** Clients of the query protocol's time know errors by this header. */
function withQueryError(response: WireResponse): WireResponse {
  if (response.status < 400 || response.body === undefined) return response;
  const { __type = '' } = JSON.parse(Buffer.from(response.body).toString()) as { __type?: string };
  const code = __type.split('#').at(-1) ?? '';
  return {
    ...response,
    headers: { ...response.headers, 'x-amzn-query-error': queryErrorOf(code) },
  };
}
