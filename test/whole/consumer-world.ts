/** The product's consumer in a cloud of stepped time, fed by a test, and struck by what a test says. */
import { KinesisClient, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished } from 'vitest';
import { listQuarantine } from '#cli/quarantine-reader';
import { scanAll } from '#cli/table-reader';
import { parsePipeline } from '#config/parse-pipeline';
import type { BatchConsumed } from '#core/checkpoint/consume-event';
import type { StreamEvent } from '#core/record/stream-event';
import { consumeHandler } from '#functions/consume/handler';
import { startCloud } from '#local/cloud';
import type { Fault } from '#local/faults/fault';
import type { RequestHandler } from '#local/kit/request-handler';
import { steppedClock } from '#local/kit/stepped-clock';
import { consumerTemplate } from '#test/local/consumer-template';
import { eventOf } from '#test/pipeline/consume-world';

export const MINUTE_MS = 60_000;

const START_MS = Date.UTC(2031, 4, 6, 7, 30, 20);
const BUCKET = 'refused';

export interface ConsumerWorldAsk {
  readonly faults?: readonly Fault[];
  readonly seed?: number;
  readonly batchSize?: number;
  readonly timeoutSec?: number;
  /** What an invocation goes through before the handler gets it; throws where it would die. */
  readonly enter?: (at: number) => void;
  /** Stands between the function and the cloud. */
  readonly between?: (handler: RequestHandler) => RequestHandler;
}

export async function consumerWorld(ask: ConsumerWorldAsk = {}) {
  const settings = consumerSettings(ask);
  const summaries: BatchConsumed[] = [];
  let invocations = 0;
  let consume: ReturnType<typeof consumeHandler> | undefined;
  const between = ask.between ?? ((handler) => handler);
  const cloud = await startCloud({
    template: consumerTemplate({
      stream: 'orders',
      shards: 2,
      table: 'latest',
      keyName: 'id',
      stateTable: 'state',
      bucket: BUCKET,
      functionName: 'consume',
      batchSize: ask.batchSize,
      timeoutSec: ask.timeoutSec,
    }),
    clock: steppedClock(START_MS),
    seed: ask.seed ?? 5,
    faults: ask.faults ?? [],
    onEvent(event) {
      if (event.kind === 'log' && event.json?.['event'] === 'BatchConsumed') {
        summaries.push(event.json as unknown as BatchConsumed);
      }
    },
    handlers: {
      async consume(event, context) {
        ask.enter?.(invocations++);
        consume ??= newConsumer();
        return consume(event as never, context as never);
      },
    },
  });
  onTestFinished(() => cloud.stop());
  const newConsumer = () =>
    consumeHandler(settings, 'latest', { requestHandler: between(cloud.requestHandler) });
  const kinesis = new KinesisClient(cloud.client);
  const dynamodb = new DynamoDBClient(cloud.client);

  return {
    cloud,
    summaries,
    invocations: () => invocations,
    /** The next invocation meets a new instance of the function. */
    restart(): void {
      consume = undefined;
    },
    async put(events: readonly (StreamEvent | string)[]): Promise<void> {
      for (let at = 0; at < events.length; at += 500) {
        const answer = await kinesis.send(
          new PutRecordsCommand({
            StreamName: 'orders',
            Records: events.slice(at, at + 500).map((event) => ({
              PartitionKey: typeof event === 'string' ? 'lane' : event.subject,
              Data: Buffer.from(typeof event === 'string' ? event : JSON.stringify(event)),
            })),
          }),
        );
        expect(answer.FailedRecordCount).toBe(0);
      }
    },
    /** What stands of each key: its version, or that it is gone. */
    async rows(): Promise<ReadonlyMap<string, string>> {
      const items = await scanAll(dynamodb, 'latest');
      return new Map(
        items.map((item) => [
          item['id']?.S ?? '',
          item['_deleted'] === undefined ? `${Number(item['_version']?.S)}` : 'gone',
        ]),
      );
    },
    async bucketKeys(): Promise<readonly string[]> {
      const { signedFetch } = await import('#adapters/aws/signed-fetch');
      const send = signedFetch('s3', cloud.environment);
      return listQuarantine(send, BUCKET);
    },
  };
}

export type ConsumerWorld = Awaited<ReturnType<typeof consumerWorld>>;

/** Many versions of many keys, deletes among them, each key's in a rising order. */
export function changesOf(keys: number, versions: number): readonly StreamEvent[] {
  const events: StreamEvent[] = [];
  for (let version = 1; version <= versions; version++) {
    for (let key = 0; key < keys; key++) {
      const deleted = (key + version) % 5 === 0;
      events.push(
        eventOf({ key: `order-${key}`, version, deleted, data: { id: `order-${key}`, version } }),
      );
    }
  }
  return events;
}

/** What a table must hold of them: the last of each key, as a fold by hand. */
export function rowsOf(events: readonly StreamEvent[]): ReadonlyMap<string, string> {
  const last = new Map<string, StreamEvent>();
  for (const event of events) {
    const standing = last.get(event.subject);
    if (standing === undefined || Number(standing.version) < Number(event.version)) {
      last.set(event.subject, event);
    }
  }
  return new Map(
    [...last].map(([key, { type, version }]) => [
      key,
      type === 'orders.delete' ? 'gone' : `${Number(version)}`,
    ]),
  );
}

/** Each completed invocation accounts for every record that it received. */
export function expectConservation(summaries: readonly BatchConsumed[]): void {
  for (const one of summaries) {
    const { written, stale, folded, refused, returned } = one;
    expect(written + stale + folded + refused + returned).toBe(one.received);
  }
}

function consumerSettings({ batchSize = 100, timeoutSec = 30 }: ConsumerWorldAsk) {
  const parsed = parsePipeline({
    name: 'orders',
    source: {
      url: 'http://127.0.0.1:9/orders',
      records: 'data',
      pagination: { kind: 'cursor', param: 'cursor', next: 'next' },
      incremental: { param: 'since', field: 'updated_at' },
      pageSize: { param: 'limit', value: 50 },
    },
    schedule: { everyMinutes: 1 },
    record: { key: 'id', version: 'updated_at', eventTime: 'updated_at' },
    stream: { load: { onDemand: true } },
    consumers: [{ kind: 'table', name: 'latest', batchSize, timeoutSec, concurrency: 4 }],
  });
  if (parsed.kind === 'faulty') throw new Error(parsed.faults.join('\n'));
  return parsed.settings;
}
