/** A mapping over a log in memory, a scripted function and a clock moved by hand. */
import { DatabaseSync } from 'node:sqlite';
import type { Clock, InvokeResult, Storage } from '#local/contracts';
import { createKinesisMapping } from '#local/lambda/mapping/create-kinesis-mapping';
import type { KinesisMapping, MappingDeps } from '#local/lambda/mapping/create-kinesis-mapping';
import type { MappingEvent } from '#local/lambda/mapping/mapping-event';
import { parseMapping } from '#local/lambda/mapping/mapping-settings';
import { memoryLog } from './memory-log.ts';
import type { MemoryLog } from './memory-log.ts';

export const START_MS = Date.UTC(2026, 10, 29, 12, 34, 56, 789);
export const STREAM_ARN = 'arn:aws:kinesis:eu-west-1:000000000000:stream/penstock-dev-orders';
export const DONE: InvokeResult = { kind: 'ok', payload: '{"batchItemFailures":[]}' };
export const THROWN: InvokeResult = {
  kind: 'error',
  errorType: 'TypeError',
  payload: '{}',
  requestId: 'request-7',
};
export const THROTTLED: InvokeResult = { kind: 'throttled' };
export const failing = (...sequenceNumbers: unknown[]): InvokeResult => ({
  kind: 'ok',
  payload: JSON.stringify({
    batchItemFailures: sequenceNumbers.map((itemIdentifier) => ({ itemIdentifier })),
  }),
});

interface TestClock extends Clock {
  advance(durationMs: number): Promise<void>;
}

/** Every promise that can settle without time has settled. */
export const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

function testClock(): TestClock {
  let nowMs = START_MS;
  const timers = new Set<{ dueMs: number; fire: () => void }>();
  return {
    nowMs: () => nowMs,
    setTimer(delayMs, fire) {
      const timer = { dueMs: nowMs + delayMs, fire };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advance(durationMs) {
      const endMs = nowMs + durationMs;
      for (await settle(); ; await settle()) {
        const [next] = [...timers].sort((a, b) => a.dueMs - b.dueMs);
        if (next === undefined || next.dueMs > endMs) break;
        timers.delete(next);
        nowMs = next.dueMs;
        next.fire();
      }
      nowMs = endMs;
    },
  };
}

interface EventRecord {
  readonly eventID: string;
  readonly kinesis: {
    readonly sequenceNumber: string;
    readonly data: string;
    readonly partitionKey: string;
  };
}

/** One run of the function, as it saw its event. */
export interface Call {
  readonly shardIds: readonly string[];
  readonly sequenceNumbers: readonly string[];
  readonly texts: readonly string[];
  readonly event: { readonly Records: readonly EventRecord[] };
  readonly payload: string;
  readonly atMs: number;
}

export interface MappingBench {
  readonly log: MemoryLog;
  readonly clock: TestClock;
  readonly calls: Call[];
  readonly events: MappingEvent[];
  readonly objects: Map<string, string>;
  /** What queues were sent, each with the queue's ARN. */
  readonly messages: (readonly [string, string])[];
  readonly storage: Storage;
  readonly mapping: KinesisMapping;
  /** The texts of each call, joined: `['ab', 'c']` is a batch of a and b, then one of c. */
  batches(): string[];
}

export interface BenchOptions {
  readonly properties?: Readonly<Record<string, unknown>>;
  /** Answers a call; default: all is done. */
  readonly answer?: (call: Call, index: number) => InvokeResult | Promise<InvokeResult>;
  readonly shards?: readonly string[];
  readonly deps?: Partial<MappingDeps>;
  readonly storage?: Storage;
  readonly log?: MemoryLog;
}

export function mappingBench(options: BenchOptions = {}): MappingBench {
  const clock = testClock();
  const log = options.log ?? memoryLog(clock.nowMs);
  for (const shardId of options.shards ?? ['s0'])
    if (options.log === undefined) log.addShard(shardId);
  const storage = options.storage ?? new DatabaseSync(':memory:');
  const objects = new Map<string, string>();
  const messages: (readonly [string, string])[] = [];
  const calls: Call[] = [];
  const events: MappingEvent[] = [];
  const settings = parseMapping(
    {
      FunctionName: 'penstock-dev-orders-consume-table',
      EventSourceArn: STREAM_ARN,
      StartingPosition: 'TRIM_HORIZON',
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ...options.properties,
    },
    clock.nowMs(),
  );
  const mapping = createKinesisMapping(settings, {
    uuid: '6f1c9a52-0000-4000-8000-000000000007',
    log,
    storage,
    clock,
    chance: () => 0.5,
    region: 'eu-west-1',
    functionArn: 'arn:aws:lambda:eu-west-1:000000000000:function:penstock-dev-orders-consume-table',
    roleArn: 'arn:aws:iam::000000000000:role/consume',
    invoker: {
      async invoke(_, payload) {
        const call = callOf(String(payload), clock.nowMs());
        calls.push(call);
        return (await options.answer?.(call, calls.length - 1)) ?? DONE;
      },
    },
    objects: {
      put: (bucket, key, body) =>
        void objects.set(`${bucket}/${key}`, Buffer.from(body).toString()),
      get: () => undefined,
      list: () => [],
      delete: () => {},
    },
    queues: { send: (queue, body) => void messages.push([queue, body]) },
    onEvent: (event) => events.push(event),
    ...options.deps,
  });
  const batches = (): string[] => calls.map(({ texts }) => texts.join(''));
  return { log, clock, calls, events, objects, messages, storage, mapping, batches };
}

function callOf(payload: string, atMs: number): Call {
  const event = JSON.parse(payload) as Call['event'];
  return {
    event,
    payload,
    atMs,
    shardIds: [...new Set(event.Records.map(({ eventID }) => eventID.split(':')[0] ?? ''))],
    sequenceNumbers: event.Records.map(({ kinesis }) => kinesis.sequenceNumber),
    texts: event.Records.map(({ kinesis }) => Buffer.from(kinesis.data, 'base64').toString()),
  };
}
