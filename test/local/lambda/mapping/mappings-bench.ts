/** All mappings of a cloud over a log in memory, asked through Lambda's API. */
import { DatabaseSync } from 'node:sqlite';
import type { CloudEvent } from '#local/cloud-event';
import type { InvokeResult, Storage } from '#local/contracts';
import { createMappingApi } from '#local/mapping-api';
import { createMappings } from '#local/mappings';
import { ask } from '#test/local/ask';
import { steppedClock } from '#local/kit/stepped-clock';
import { DONE, START_MS } from './mapping-bench.ts';
import { memoryLog } from './memory-log.ts';
import type { MemoryLog } from './memory-log.ts';

export const STREAM_ARN = 'arn:aws:kinesis:us-east-1:000000000000:stream/river';
export const FUNCTION_ARN = 'arn:aws:lambda:us-east-1:000000000000:function:consume';
export const ROOT = '/2015-03-31/event-source-mappings';
export const LEAST = {
  FunctionName: 'consume',
  EventSourceArn: STREAM_ARN,
  StartingPosition: 'TRIM_HORIZON',
};

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test looks into it.
  readonly body: any;
}

export interface MappingsBenchOptions {
  readonly storage?: Storage;
  readonly log?: MemoryLog;
  readonly functions?: readonly string[];
  readonly answer?: () => InvokeResult | Promise<InvokeResult>;
  /** Why a function's role may not read the stream. */
  readonly refusalOf?: (functionName: string) => string | undefined;
}

export function mappingsBench(options: MappingsBenchOptions = {}) {
  const clock = steppedClock(START_MS);
  const log = options.log ?? memoryLog(clock.nowMs);
  if (options.log === undefined) log.addShard('s0');
  const storage = options.storage ?? new DatabaseSync(':memory:');
  /** Each call as the function and its records. */
  const calls: (readonly [string, string])[] = [];
  const objects = new Map<string, string>();
  const events: CloudEvent[] = [];
  const mappings = createMappings({
    log,
    storage,
    clock,
    chance: () => 0.5,
    invoker: {
      async invoke(functionName, payload) {
        const { Records } = JSON.parse(String(payload)) as {
          Records: readonly { kinesis: { data: string } }[];
        };
        const texts = Records.map(({ kinesis }) => Buffer.from(kinesis.data, 'base64').toString());
        calls.push([functionName, texts.join('')]);
        return (await options.answer?.()) ?? DONE;
      },
    },
    objectsAs: () => ({
      put: (bucket, key, body) =>
        void objects.set(`${bucket}/${key}`, Buffer.from(body).toString()),
      get: () => undefined,
      list: () => [],
      delete: () => {},
    }),
    queuesAs: () => ({ send: () => {} }),
    refusalOf: (functionName) => options.refusalOf?.(functionName),
    onEvent: (event) => events.push(event),
    measure: () => {},
  });
  for (const functionName of options.functions ?? ['consume', 'other']) {
    mappings.addFunction({
      functionName,
      functionArn: FUNCTION_ARN.replace('consume', functionName),
      roleArn: 'arn:aws:iam::000000000000:role/consume',
    });
  }
  const api = createMappingApi(mappings.changes);
  const call = async (method: string, path = '', body?: object): Promise<ApiAnswer> => {
    const options = body === undefined ? {} : { body: JSON.stringify(body) };
    const { status, headers, text } = await ask(api, method, `${ROOT}${path}`, options);
    return { status, headers, body: JSON.parse(text) };
  };
  const create = (properties: object = {}) => call('POST', '/', { ...LEAST, ...properties });
  return { log, storage, clock, calls, objects, events, mappings, api, call, create };
}
