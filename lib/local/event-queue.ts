/** The events that functions are sent and nobody waits for, each with its function's own rules. */
import type { CloudEvent } from './cloud-event.ts';
import type { Clock, Invoker, ObjectStore } from './contracts.ts';
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
import { ACCOUNT_ID, PARTITION, REGION } from './template/arns.ts';

export interface EventQueue {
  configure(config: InvokeConfigDeclaration): void;
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
  tempo,
  onEvent,
  measure,
}: {
  invoker: Invoker;
  clock: Clock;
  /** The buckets, as a function's role lets Lambda write to them. */
  objectsAs: (functionName: string) => ObjectStore;
  tempo: boolean;
  onEvent: (event: CloudEvent) => void;
  measure: Measure;
}): EventQueue {
  const configs = new Map<string, InvokeConfigDeclaration>();
  const events = createAsyncInvoker({
    invoker,
    clock,
    delays: tempo ? TEMPO_DELAYS : RETRY_DELAYS,
  });

  const giveUp = (event: FailedEvent): void => {
    const { functionName, condition, attempts } = event;
    onEvent({ kind: 'event-given-up', functionName, condition, attempts });
    const bucket = configs.get(functionName)?.failureBucket;
    if (bucket === undefined) return;
    const functionArn = `arn:${PARTITION}:lambda:${REGION}:${ACCOUNT_ID}:function:${functionName}`;
    const { key, body } = failedEventObject(event, { functionArn, nowMs: clock.nowMs() });
    try {
      objectsAs(functionName).put(bucket, key, body);
    } catch (error) {
      measure(ofDeliveryFailure(functionName));
      onEvent({ kind: 'defect', error });
    }
  };

  return {
    configure: (config) => void configs.set(config.functionName, config),
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
