/** Queues themselves: made, named, described, emptied. */
import type { JsonInput } from '#local/aws-json';
import { onlyKnown, optionalCount, optionalText, requiredText, texts } from './inputs.ts';
import { COUNTS, readSettings } from './queue-settings.ts';
import type { Attributes, QueueSettings } from './queue-settings.ts';
import { expireMessages, queueArn, queueNameIn, queueOf } from './queue-state.ts';
import type { QueueState } from './queue-state.ts';
import type { Queue } from './queue-store.ts';
import { invalidValue, noQueue, refused } from './refusal.ts';

/** @source SQS API 2012-11-05, PurgeQueue. */
const PURGE_EVERY_MS = 60_000;

const NAME = /^(?=.{1,80}$)[\w-]+(\.fifo)?$/;

/** @throws {ServiceError} as SQS refuses. */
export function createQueue(state: QueueState, name: string, attributes: Attributes): Queue {
  if (!NAME.test(name)) {
    const reason =
      'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length';
    throw invalidValue(name, 'QueueName', reason);
  }
  const settings = readSettings(name, attributes);
  refuseDeadLetters(state, name, settings);
  const there = state.rows.queues.get(name);
  if (there !== undefined) {
    refuseOther(there, settings, attributes);
    return there;
  }
  const nowMs = state.clock.nowMs();
  const queue = { name, arn: queueArn(name), settings, createdMs: nowMs, modifiedMs: nowMs };
  state.rows.keep(queue);
  return queue;
}

export function getQueue(state: QueueState, input: JsonInput): Queue {
  onlyKnown(input, ['QueueName', 'QueueOwnerAWSAccountId']);
  const queue = state.rows.queues.get(requiredText(input, 'QueueName'));
  if (queue === undefined) throw noQueue();
  return queue;
}

export function listQueues(
  state: QueueState,
  input: JsonInput,
): { found: readonly Queue[]; next: string | undefined } {
  onlyKnown(input, ['QueueNamePrefix', 'MaxResults', 'NextToken']);
  const prefix = optionalText(input, 'QueueNamePrefix') ?? '';
  const reason = 'Must be between 1 and 1000, if provided';
  const countMax = optionalCount(input, 'MaxResults', { min: 1, max: 1_000, reason });
  const token = optionalText(input, 'NextToken');
  const after = token === undefined ? '' : Buffer.from(token, 'base64').toString();
  const names = [...state.rows.queues.keys()].sort();
  const found = names.filter((name) => name.startsWith(prefix) && name > after);
  const page = found.slice(0, countMax ?? 1_000);
  const last = page.at(-1);
  return {
    found: page.flatMap((name) => state.rows.queues.get(name) ?? []),
    next:
      countMax !== undefined && last !== undefined && page.length < found.length
        ? Buffer.from(last).toString('base64')
        : undefined,
  };
}

export function setAttributes(state: QueueState, input: JsonInput): object {
  onlyKnown(input, ['QueueUrl', 'Attributes']);
  const queue = queueOf(state, input);
  const given = (input['Attributes'] ?? {}) as Attributes;
  const settings = readSettings(queue.name, given, queue.settings);
  refuseDeadLetters(state, queue.name, settings);
  state.rows.keep({ ...queue, settings, modifiedMs: state.clock.nowMs() });
  state.announce(queue.name);
  return {};
}

export function deleteQueue(state: QueueState, input: JsonInput): object {
  onlyKnown(input, ['QueueUrl']);
  state.rows.remove(queueOf(state, input).name);
  return {};
}

export function purgeQueue(state: QueueState, input: JsonInput): object {
  onlyKnown(input, ['QueueUrl']);
  const { name } = queueOf(state, input);
  const nowMs = state.clock.nowMs();
  if (nowMs - (state.purgedMs.get(name) ?? -Infinity) < PURGE_EVERY_MS) {
    throw refused(
      'PurgeQueueInProgress',
      `Only one PurgeQueue operation on ${name} is allowed every 60 seconds.`,
    );
  }
  state.purgedMs.set(name, nowMs);
  state.rows.purge(name);
  return {};
}

export function getAttributes(state: QueueState, input: JsonInput): object {
  onlyKnown(input, ['QueueUrl', 'AttributeNames']);
  const queue = queueOf(state, input);
  const all = attributesOf(state, queue);
  const asked = texts(input, 'AttributeNames');
  for (const name of asked) {
    if (name !== 'All' && !(name in all) && !OPTIONAL.includes(name)) {
      throw refused('InvalidAttributeName', `Unknown Attribute ${name}.`);
    }
  }
  const shown = Object.entries(all).filter(
    ([name]) => asked.includes('All') || asked.includes(name),
  );
  return shown.length === 0 ? {} : { Attributes: Object.fromEntries(shown) };
}

/** Known, and of this queue not there. */
const OPTIONAL = [
  'RedrivePolicy',
  'FifoQueue',
  'ContentBasedDeduplication',
  'Policy',
  'KmsMasterKeyId',
];

function attributesOf(state: QueueState, queue: Queue): Readonly<Record<string, string>> {
  const { settings, createdMs, modifiedMs } = queue;
  expireMessages(state, queue);
  const { visible, inFlight, delayed } = state.rows.count(queue.name, state.clock.nowMs());
  const counts = Object.entries(COUNTS).map(([name, { member }]) => [name, settings[member]]);
  const values = {
    QueueArn: queue.arn,
    ApproximateNumberOfMessages: visible,
    ApproximateNumberOfMessagesNotVisible: inFlight,
    ApproximateNumberOfMessagesDelayed: delayed,
    CreatedTimestamp: Math.floor(createdMs / 1_000),
    LastModifiedTimestamp: Math.floor(modifiedMs / 1_000),
    ...(Object.fromEntries(counts) as Record<string, number>),
    ...(settings.redrive === undefined ? {} : { RedrivePolicy: JSON.stringify(settings.redrive) }),
    ...(settings.isFifo
      ? { FifoQueue: 'true', ContentBasedDeduplication: String(settings.dedupesByContent) }
      : {}),
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/** @source SQS Developer Guide, "Using dead-letter queues": they are there, and of the same type. */
function refuseDeadLetters(
  { rows }: QueueState,
  name: string,
  { redrive, isFifo }: QueueSettings,
): void {
  if (redrive === undefined) return;
  const target = rows.queues.get(queueNameIn(redrive.deadLetterTargetArn));
  const wrong = (reason: string): Error =>
    invalidValue(JSON.stringify(redrive), 'RedrivePolicy', reason);
  if (target === undefined || target.arn !== redrive.deadLetterTargetArn)
    throw wrong('Dead letter target does not exist');
  if (target.settings.isFifo !== isFifo) {
    throw wrong(`Dead-letter queue must be same type of queue as the source: ${name}`);
  }
}

function refuseOther(there: Queue, settings: QueueSettings, attributes: Attributes): void {
  for (const [attribute, { member }] of Object.entries(COUNTS)) {
    if (attribute in attributes && there.settings[member] !== settings[member]) {
      throw refused(
        'QueueNameExists',
        `A queue already exists with the same name and a different value for attribute ${attribute}`,
      );
    }
  }
}
