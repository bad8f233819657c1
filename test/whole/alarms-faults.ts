/** The faults that alarms are for: one at a time, each in a cloud that is well but for it. */
import { setTimeout } from 'node:timers/promises';
import { PutRecordCommand, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import { faultProxy, refusal } from '#test/clouds/fault-proxy';
import type { FaultPlan } from '#local/contracts';
import type { Resource, Resources, World, WorldAsk } from './alarms-world.ts';
import { fill } from './tickets-source.ts';

export interface Fault extends Omit<WorldAsk, 'faults'> {
  readonly title: string;
  /** Ids of the alarms that ring, and of no other. */
  readonly rings: readonly string[];
  /** The last minute by which all of them ring. */
  readonly withinMinutes: number;
  readonly faults?: (minute: () => number) => FaultPlan;
  /** Asked for before the cloud starts; answers what is edited and what happens each minute. */
  open?(): Promise<Pick<Fault, 'edit' | 'onStart' | 'everyMinute'>>;
  onStart?(world: World): void;
  everyMinute?(world: World, minute: number): Promise<void> | void;
  /** When a minute's work is done; default: everything rests. */
  readonly isDone?: (world: World, minute: number) => boolean;
}

const ofType = (resources: Resources, type: string, end = ''): readonly Resource[] =>
  Object.values(resources).filter(
    ({ Type, Properties }) =>
      Type === type && String(Properties['FunctionName'] ?? '').endsWith(end),
  );

const functionEdit =
  (end: string, change: (properties: Record<string, unknown>) => void) =>
  (resources: Resources) => {
    for (const { Properties } of ofType(resources, 'AWS::Lambda::Function', end))
      change(Properties);
  };

const mappingEdit = (properties: object) => (resources: Resources) => {
  for (const { Properties } of ofType(resources, 'AWS::Lambda::EventSourceMapping')) {
    Object.assign(Properties, properties);
  }
};

const variablesEdit = (end: string, variables: object) =>
  functionEdit(end, ({ Environment }) => {
    Object.assign((Environment as { Variables: object }).Variables, variables);
  });

/** Runs before the function's own code. */
const preload = (code: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
});

/** Of a mapping that gives a batch up at its first failure. */
const ONCE = { MaximumRetryAttempts: 0, BisectBatchOnFunctionError: false };
const CRASH = preload('process.exit(1)');
/** The first request of an invocation never ends, and nothing else goes on. */
const HANG = preload(
  'globalThis.fetch = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
);

const isPolled = (world: World): boolean => world.isPolled();
const isTried = (world: World): boolean => world.isPolled() && world.isTried();
const always = (): boolean => true;
const change = ({ source }: World): void => fill(source, 0, 3);

async function put({ connection, names }: World, text: string): Promise<void> {
  const Data = Buffer.from(text);
  await connection.kinesis.send(
    new PutRecordCommand({ StreamName: names.stream, PartitionKey: 'ticket-1', Data }),
  );
}

/** In one request, so that they come in one batch. */
async function putMany({ connection, names }: World, texts: readonly string[]): Promise<void> {
  const Records = texts.map((text) => ({ PartitionKey: 'ticket-1', Data: Buffer.from(text) }));
  await connection.kinesis.send(new PutRecordsCommand({ StreamName: names.stream, Records }));
}

/** Reads the only shard more often than it serves, by hand: a client would wait in between. */
async function readMuch({ cloud: { endpoint }, names }: World): Promise<void> {
  const ask = async (operation: string, input: object): Promise<Record<string, string>> => {
    const headers = {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `Kinesis_20131202.${operation}`,
    };
    const answer = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(input) });
    return (await answer.json()) as Record<string, string>;
  };
  const { ShardIterator } = await ask('GetShardIterator', {
    StreamName: names.stream,
    ShardId: 'shardId-000000000000',
    ShardIteratorType: 'LATEST',
  });
  await Promise.all(Array.from({ length: 8 }, () => ask('GetRecords', { ShardIterator })));
}

export const FAULTS: readonly Fault[] = [
  {
    title: 'the token is wrong',
    rings: ['poll-parked', 'poll-stale'],
    withinMinutes: 8,
    token: 'another',
  },
  {
    title: 'the source refuses every other poll',
    rings: ['poll-failing'],
    withinMinutes: 16,
    everyMinute: ({ source }, minute) => source.answerWith(minute % 2 === 0 ? 404 : undefined),
  },
  {
    title: 'the source has a row without a key',
    rings: ['quarantine-growing-poll'],
    withinMinutes: 3,
    everyMinute: ({ source }) => void source.serve({ subject: 'nobody' }),
  },
  {
    title: 'a record of the stream is no event',
    rings: ['quarantine-growing-tickets'],
    withinMinutes: 3,
    everyMinute: (world) => put(world, 'no event'),
  },
  {
    title: 'most of what arrives is no event',
    rings: ['breaker-open-tickets'],
    withinMinutes: 6,
    async everyMinute(world, minute) {
      if (minute === 0) await putMany(world, Array<string>(60).fill('no event'));
    },
    isDone: (world, minute) => (minute === 0 ? isTried : isPolled)(world),
  },
  {
    title: 'a consumer gets nothing, and what waits for it grows old',
    rings: ['poll-held-back'],
    withinMinutes: 16,
    // From the third minute on the poller believes that what it published is three minutes old.
    faults: (minute) => ({
      onBatch: () => 'withhold',
      onInvoke: (name) =>
        name.endsWith('-poll') && minute() > 2 ? { kind: 'skew', skewMs: 180_000 } : undefined,
    }),
    everyMinute: change,
    isDone: isPolled,
  },
  {
    title: 'the scheduler cannot call the function now and then',
    rings: ['ticks-dropped'],
    withinMinutes: 3,
    faults: (minute) => ({ onTick: () => (minute() % 2 === 1 ? 'drop' : undefined) }),
  },
  {
    title: 'the poll function crashes',
    rings: ['errors-poll', 'poll-stale'],
    withinMinutes: 8,
    edit: variablesEdit('-poll', CRASH),
  },
  {
    title: 'the function that tries again what was given up crashes',
    rings: ['errors-recover'],
    withinMinutes: 16,
    edit: variablesEdit('-recover', CRASH),
  },
  {
    title: 'the poll function is given no concurrency',
    rings: ['poll-stale', 'throttles-poll'],
    withinMinutes: 14,
    edit: functionEdit('-poll', (fn) => void (fn['ReservedConcurrentExecutions'] = 0)),
    isDone: always,
  },
  {
    title: 'the stream refuses a write each minute',
    rings: ['write-throttled'],
    withinMinutes: 6,
    faults(minute) {
      let last = -1;
      return {
        onPut() {
          const isFirst = last !== minute();
          last = minute();
          return isFirst ? 'throttle' : undefined;
        },
      };
    },
    everyMinute: change,
  },
  {
    title: 'somebody reads the stream too much',
    rings: ['read-throttled'],
    withinMinutes: 6,
    everyMinute: readMuch,
  },
  {
    title: 'the mapping is off',
    rings: ['delivered-nothing-tickets'],
    withinMinutes: 20,
    edit: mappingEdit({ Enabled: false }),
    everyMinute: change,
  },
  {
    title: 'the table fails',
    rings: ['iterator-age-tickets'],
    withinMinutes: 20,
    async open() {
      const proxy = await faultProxy(async () => refusal('InternalServerError', 500));
      return { edit: variablesEdit('-consume-tickets', { AWS_ENDPOINT_URL_DYNAMODB: proxy.url }) };
    },
    everyMinute: change,
    // Its attempts take their time: some are enough.
    isDone: (world, minute) => (minute % 4 === 0 || minute > 13 ? isTried : isPolled)(world),
  },
  {
    title: 'the consumer crashes',
    rings: ['errors-tickets'],
    withinMinutes: 6,
    edit: variablesEdit('-consume-tickets', CRASH),
    everyMinute: change,
    // Two minutes with a crash are enough.
    isDone: (world, minute) => (minute < 3 ? isTried : isPolled)(world),
  },
  {
    title: 'the consumer crashes, and its batch is not tried again',
    rings: ['errors-tickets', 'gave-up-tickets'],
    withinMinutes: 6,
    edit(resources) {
      variablesEdit('-consume-tickets', CRASH)(resources);
      mappingEdit(ONCE)(resources);
    },
    everyMinute: change,
  },
  {
    title: 'what the consumer gives up finds no bucket',
    rings: ['errors-tickets', 'gave-up-lost-tickets'],
    withinMinutes: 6,
    edit(resources) {
      variablesEdit('-consume-tickets', CRASH)(resources);
      const OnFailure = { Destination: 'arn:aws:s3:::nobody-has-this-bucket' };
      mappingEdit({ ...ONCE, DestinationConfig: { OnFailure } })(resources);
    },
    everyMinute: change,
  },
  {
    title: 'the consumer is given no concurrency',
    rings: ['throttles-tickets'],
    withinMinutes: 8,
    edit: functionEdit('-consume-tickets', (fn) => void (fn['ReservedConcurrentExecutions'] = 0)),
    everyMinute: change,
    isDone: isPolled,
  },
];

/** A record after the other, so that a batch of six can take most of its time. */
export const SLOW_CONSUMER = 'timeoutSec: 15, concurrency: 1';

/** What takes its time, of a pipeline with that consumer. */
export const SLOW_FAULTS: readonly Fault[] = [
  {
    title: 'the poll function hangs',
    rings: ['duration-poll', 'errors-poll'],
    withinMinutes: 2,
    edit: variablesEdit('-poll', HANG),
  },
  {
    title: 'the table answers late',
    rings: ['duration-tickets'],
    withinMinutes: 6,
    async open() {
      let isLate = false;
      let isCheckpointed = true;
      let untilMs = 0;
      const proxy = await faultProxy(async ({ operation, body }, forward) => {
        const isCheckpoint =
          operation === 'UpdateItem' && JSON.stringify(body).includes('"checkpoint#');
        if (isLate) {
          const isFirst = isCheckpointed && !isCheckpoint;
          // Over 80 % of SLOW_CONSUMER's time in all. A write is answered at its first try, a checkpoint at its third.
          if (isFirst) untilMs = Date.now() + 12_200;
          isCheckpointed = isCheckpoint;
          const leftMs = Math.max(0, untilMs - Date.now());
          await setTimeout(isCheckpoint ? leftMs : Math.min(leftMs, 1_400));
        }
        return forward(body);
      });
      return {
        edit: variablesEdit('-consume-tickets', { AWS_ENDPOINT_URL_DYNAMODB: proxy.url }),
        onStart: ({ cloud }) => proxy.pass(cloud.endpoint),
        everyMinute({ source }) {
          isLate = true;
          fill(source, 0, 6);
        },
      };
    },
  },
];
