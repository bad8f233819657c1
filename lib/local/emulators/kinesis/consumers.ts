/** Registered consumers: they are kept and told of; none is served by enhanced fan-out. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import { inUse, activeStreamOf, streamOf } from './state.ts';
import type { KinesisState } from './state.ts';
import { decodeToken, encodeToken } from './next-token.ts';
import { overLimit, refused } from './refused.ts';
import type { Consumer, Stream } from './stream.ts';
import { withTags } from './tags.ts';
import type { Tags } from './tags.ts';

/** @source Kinesis API 2013-12-02, RegisterStreamConsumer. */
const CREATING_MAX = 5;
const PAGE = 100;

export function registerStreamConsumer(state: KinesisState, input: JsonInput): object {
  const stream = activeStreamOf(state, input);
  const name = String(input['ConsumerName']);
  const { consumers } = stream.settings;
  const nowMs = state.clock.nowMs();
  if (consumers.some((other) => other.name === name)) {
    throw inUse(`Consumer ${name} of stream ${stream.name} is registered already.`);
  }
  if (consumers.length >= state.limits.streamConsumersMax) {
    throw overLimit(`Stream ${stream.name} has ${consumers.length} consumers, which is the limit.`);
  }
  if (consumers.filter((other) => isCreating(state, other)).length >= CREATING_MAX) {
    throw overLimit(`${CREATING_MAX} consumers of stream ${stream.name} are being created.`);
  }
  const consumer: Consumer = {
    name,
    arn: `${stream.arn}/consumer/${name}:${Math.floor(nowMs / 1_000)}`,
    createdMs: nowMs,
    tags: withTags({}, (input['Tags'] ?? {}) as Tags),
  };
  stream.settings.consumers = [...consumers, consumer];
  state.streams.saveStream(stream);
  return { Consumer: summaryOf(state, consumer) };
}

export function deregisterStreamConsumer(state: KinesisState, input: JsonInput): object {
  const { stream, consumer } = consumerOf(state, input);
  const { settings } = stream;
  settings.consumers = settings.consumers.filter((other) => other !== consumer);
  state.streams.saveStream(stream);
  return {};
}

export function describeStreamConsumer(state: KinesisState, input: JsonInput): object {
  const { stream, consumer } = consumerOf(state, input);
  return { ConsumerDescription: { ...summaryOf(state, consumer), StreamARN: stream.arn } };
}

export function listStreamConsumers(state: KinesisState, input: JsonInput): object {
  const { NextToken: token, MaxResults: limit = PAGE } = input as {
    NextToken?: string;
    MaxResults?: number;
  };
  const stream = streamOf(state, input);
  const start = token === undefined ? '' : String(decodeToken(state, token));
  const rest = stream.settings.consumers
    .filter(({ name }) => name > start)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const page = rest.slice(0, limit);
  return {
    Consumers: page.map((consumer) => summaryOf(state, consumer)),
    ...(rest.length > limit ? { NextToken: encodeToken(state, page.at(-1)?.name) } : {}),
  };
}

/** Always refused: enhanced fan-out is not part of the local cloud. */
export function subscribeToShard(): never {
  throw new ServiceError(
    'UnsupportedOperationException',
    'emulator limit: SubscribeToShard is not supported by the local cloud; GetRecords reads a shard',
  );
}

/** @throws {ServiceError} ResourceNotFoundException, when there is none. */
export function consumerByArn(stream: Stream, arn: string): Consumer {
  return stream.settings.consumers.find((other) => other.arn === arn) ?? notFound(arn);
}

function consumerOf(state: KinesisState, input: JsonInput): { stream: Stream; consumer: Consumer } {
  const { StreamARN, ConsumerName, ConsumerARN } = input as {
    StreamARN?: string;
    ConsumerName?: string;
    ConsumerARN?: string;
  };
  const streamArn = StreamARN ?? ConsumerARN?.split('/consumer/')[0];
  if (streamArn === undefined || (ConsumerARN ?? ConsumerName) === undefined) {
    throw refused('Either ConsumerARN, or StreamARN and ConsumerName, should be provided.');
  }
  const stream = streamOf(state, { StreamARN: streamArn });
  const consumer =
    ConsumerARN === undefined
      ? stream.settings.consumers.find(({ name }) => name === ConsumerName)
      : consumerByArn(stream, ConsumerARN);
  if (consumer === undefined) return notFound(`${ConsumerName}`);
  if (ConsumerName !== undefined && ConsumerName !== consumer.name) {
    throw refused(`ConsumerARN ${ConsumerARN} is not of the consumer ${ConsumerName}.`);
  }
  return { stream, consumer };
}

function notFound(consumer: string): never {
  throw new ServiceError('ResourceNotFoundException', `Consumer ${consumer} not found.`);
}

function isCreating(state: KinesisState, { createdMs }: Consumer): boolean {
  return state.clock.nowMs() < createdMs + state.limits.settleMs;
}

function summaryOf(state: KinesisState, consumer: Consumer): object {
  return {
    ConsumerName: consumer.name,
    ConsumerARN: consumer.arn,
    ConsumerStatus: isCreating(state, consumer) ? 'CREATING' : 'ACTIVE',
    ConsumerCreationTimestamp: consumer.createdMs / 1_000,
  };
}
