/** The events that functions are sent and nobody waits for, each with its function's own rules. */
import type { CloudEvent } from './cloud-event.ts';
import type { Clock, Invoker, NewId, ObjectStore, QueueStore } from './contracts.ts';
import type { InvokeConfigDeclaration } from './deploy-resources.ts';
import {
  ASYNC_INVOKE_DEFAULTS,
  createAsyncInvoker,
  RETRY_DELAYS,
} from './emulators/scheduler/async-invoke.ts';
import type {
  AsyncInvokeConfig,
  FailedEvent,
  RetryDelays,
} from './emulators/scheduler/async-invoke.ts';
import { failedEventObject } from './failed-event-object.ts';
import { ofDeliveryFailure } from './metrics/lambda-measurements.ts';
import type { Measure } from './metrics/measurement.ts';
import { RANDOM_ID } from './new-id.ts';
import { ACCOUNT_ID, PARTITION, REGION } from './template/arns.ts';

export interface EventQueue {
  configure(config: InvokeConfigDeclaration): void;
  /** The queue that a function's own dead letters go to. */
  keepDeadLetters(functionName: string, queueArn: string): void;
  /** Resolves when the event is done with, one way or the other; never rejects. */
  accept(functionName: string, payload: string): Promise<void>;
  /** Begins no further attempt, and waits for those that run. */
  stop(): Promise<void>;
}

/** For a person's patience: what AWS does in minutes happens in moments. */
const TEMPO_DELAYS: RetryDelays = { failedMs: [200, 400], throttledMs: [50, 1_000] };

export function createEventQueue({
  invoker,
  clock,
  objectsAs,
  queuesAs,
  tempo,
  onEvent,
  measure,
  newId = RANDOM_ID,
}: {
  invoker: Invoker;
  clock: Clock;
  /** The buckets, as a function's role lets Lambda write to them. */
  objectsAs: (functionName: string) => ObjectStore;
  /** And the queues. */
  queuesAs: (functionName: string) => QueueStore;
  tempo: boolean;
  onEvent: (event: CloudEvent) => void;
  measure: Measure;
  newId?: NewId;
}): EventQueue {
  const configs = new Map<string, InvokeConfigDeclaration>();
  const deadLetterQueues = new Map<string, string>();
  const events = createAsyncInvoker({
    invoker,
    clock,
    delays: tempo ? TEMPO_DELAYS : RETRY_DELAYS,
  });

  /** One that fails costs the others nothing. */
  const deliver = (functionName: string, work: () => void): void => {
    try {
      work();
    } catch (error) {
      measure(ofDeliveryFailure(functionName));
      onEvent({ kind: 'defect', error });
    }
  };
  const giveUp = (event: FailedEvent): void => {
    const { functionName, condition, attempts } = event;
    onEvent({ kind: 'event-given-up', functionName, condition, attempts });
    const { failureBucket, failureQueueArn } = configs.get(functionName) ?? {};
    const deadLetters = deadLetterQueues.get(functionName);
    const functionArn = `arn:${PARTITION}:lambda:${REGION}:${ACCOUNT_ID}:function:${functionName}`;
    const { key, body } = failedEventObject(event, { functionArn, nowMs: clock.nowMs(), newId });
    if (failureBucket !== undefined) {
      deliver(functionName, () => objectsAs(functionName).put(failureBucket, key, body));
    }
    if (failureQueueArn !== undefined) {
      const text = Buffer.from(body).toString();
      deliver(functionName, () => queuesAs(functionName).send(failureQueueArn, text));
    }
    if (deadLetters !== undefined) {
      deliver(functionName, () =>
        queuesAs(functionName).send(
          deadLetters,
          event.payload,
          deadLetterAttributes(event, newId()),
        ),
      );
    }
  };

  return {
    configure: (config) => void configs.set(config.functionName, config),
    keepDeadLetters: (functionName, queueArn) => void deadLetterQueues.set(functionName, queueArn),
    accept: (functionName, payload) =>
      events.invoke(functionName, payload, asyncConfig(configs.get(functionName), giveUp)),
    stop: events.stop,
  };
}

function asyncConfig(
  config: InvokeConfigDeclaration | undefined,
  onFailure: (event: FailedEvent) => void,
): AsyncInvokeConfig {
  const { retryAttemptsMax, eventAgeMaxMs } = ASYNC_INVOKE_DEFAULTS;
  return {
    retryAttemptsMax: config?.retryAttemptsMax ?? retryAttemptsMax,
    eventAgeMaxMs:
      config?.eventAgeMaxSec === undefined ? eventAgeMaxMs : config.eventAgeMaxSec * 1_000,
    onFailure,
  };
}

/** @source Lambda Developer Guide, "Adding a dead-letter queue": the message is the event itself. */
function deadLetterAttributes(
  { result }: FailedEvent,
  requestId: string,
): Readonly<Record<string, unknown>> {
  const of = (DataType: string, StringValue: string) => ({ DataType, StringValue });
  const message = result.kind === 'error' ? errorMessageIn(result.payload) : 'Rate Exceeded.';
  return {
    RequestID: of('String', requestId),
    ErrorCode: of('Number', result.kind === 'throttled' ? '429' : '200'),
    ErrorMessage: of('String', message.slice(0, ERROR_CHARS_MAX) || 'unknown'),
  };
}

/** @source Lambda Developer Guide, "Adding a dead-letter queue": the first kilobyte. */
const ERROR_CHARS_MAX = 1_024;

function errorMessageIn(payload: string): string {
  try {
    const { errorMessage } = JSON.parse(payload) as { errorMessage?: unknown };
    return typeof errorMessage === 'string' ? errorMessage : payload;
  } catch {
    return payload;
  }
}
