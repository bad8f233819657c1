/** Ways to take a batch: ours, loops as people write them, Powertools, and floors. */
import { Logger } from '@aws-lambda-powertools/logger';
import middy from '@middy/core';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Context, KinesisStreamEvent } from 'aws-lambda';
import { dynamoRecordTable } from '#adapters/dynamodb/record-table';
import { fromKinesisEvent } from '#adapters/kinesis/from-event';
import { memoryBreakerStore } from '#adapters/memory/breaker-store';
import { memoryCheckpointStore } from '#adapters/memory/checkpoint-store';
import { memoryQuarantine } from '#adapters/memory/quarantine';
import { systemClock as clock } from '#adapters/system/clock';
import { decodeEvent } from '#core/record/decode-event';
import { compareVersions } from '#core/record/fold';
import type { StreamEvent } from '#core/record/stream-event';
import { batchHandler } from '#functions/consume/batch-handler';
import { batchConsumer } from '#pipeline/consume';
import { tablePace } from '#pipeline/table-pace';
import { tableSink } from '#pipeline/table-sink';
import type { RecordTable } from '#ports/record-table';
import type { Contestant } from '#test/bench/cpu-of';

/** Takes a batch as Lambda hands it over. */
export type BatchTaker = Contestant<KinesisStreamEvent>;

const CONTEXT = {
  awsRequestId: '6f1c9a52-0000-4000-8000-000000000007',
  functionName: 'bench',
  getRemainingTimeInMillis: () => 60_000,
} as Context;
const CONCURRENCY = 16;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const decodeText = (bytes: Uint8Array): string => decoder.decode(bytes);

/** The sink of them all: it says that everything is written. */
export function countingTable(): RecordTable & { readonly writes: () => number } {
  let writes = 0;
  return {
    writes: () => writes,
    async upsert() {
      writes++;
      return { kind: 'written' };
    },
  };
}

/** The table as it is on AWS, but that the requests it plans go nowhere. */
export function planningTable(): RecordTable {
  const client = { send: async () => ({}) } as unknown as DynamoDBClient;
  return dynamoRecordTable(client, {
    tableName: 'bench',
    clock,
    keyNames: ['order_id'],
    mode: 'replace',
    attributes: {},
    tombstoneDays: 30,
  });
}

export function ours(table: RecordTable): BatchTaker {
  const pace = tablePace(
    { pipeline: 'orders', consumer: 'orders', concurrency: CONCURRENCY },
    { clock, chance: Math.random, report: () => undefined },
  );
  const consume = batchConsumer(
    {
      pipeline: 'orders',
      consumer: 'orders',
      concurrency: CONCURRENCY,
      batchesPerShard: 1,
      breaker: { percent: 50, recordsMin: 50 },
      code: 'bench',
    },
    {
      sink: tableSink(table, clock, pace),
      quarantine: memoryQuarantine(),
      checkpoints: memoryCheckpointStore(),
      marks: memoryBreakerStore(),
      report: () => undefined,
      clock,
      decodeText,
    },
  );
  const handler = batchHandler({ consume, logger: new Logger({ serviceName: 'bench' }) }, 18_000);
  return { name: 'Penstock', take: (event) => handler(event, CONTEXT) };
}

/** The same work in a loop: decode, keep each key's newest, write those side by side. */
export function middyLoop(table: RecordTable): BatchTaker {
  const handler = middy<KinesisStreamEvent, object>().handler(async (event) => {
    const newest = new Map<string, StreamEvent>();
    for (const { data } of fromKinesisEvent(event)) {
      const decoded = decodeEvent(data, decodeText);
      if (decoded.kind === 'refused') throw new Error(decoded.detail);
      const known = newest.get(decoded.event.subject);
      if (known === undefined || compareVersions(known, decoded.event) < 0)
        newest.set(decoded.event.subject, decoded.event);
    }
    const waiting = [...newest.values()];
    let at = 0;
    const write = async (): Promise<void> => {
      while (at < waiting.length) await table.upsert(waiting[at++] as StreamEvent);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, write));
    return { batchItemFailures: [] };
  });
  return { name: 'middy and a loop', take: (event) => handler(event, CONTEXT) };
}

interface BatchModule {
  readonly EventType: { readonly KinesisDataStreams: string };
  readonly BatchProcessor: new (type: string) => object;
  processPartialResponse(
    event: KinesisStreamEvent,
    handler: (record: KinesisStreamEvent['Records'][number]) => Promise<void>,
    processor: object,
    options: object,
  ): Promise<object>;
}

/** @param path of the package's module, which is no dependency of this project. */
export async function powertools(path: string, table: RecordTable): Promise<BatchTaker> {
  const { BatchProcessor, EventType, processPartialResponse } = (await import(path)) as BatchModule;
  const processor = new BatchProcessor(EventType.KinesisDataStreams);
  return {
    name: "Powertools' batch processor",
    take: (event) =>
      processPartialResponse(
        event,
        async (record) => {
          const decoded = decodeEvent(Buffer.from(record.kinesis.data, 'base64'), decodeText);
          if (decoded.kind === 'refused') throw new Error(decoded.detail);
          await table.upsert(decoded.event);
        },
        processor,
        { context: CONTEXT },
      ),
  };
}

/** Nothing but the text as a value. */
export const plainFloor: BatchTaker = {
  name: 'base64 and JSON.parse',
  take(event) {
    for (const { kinesis } of event.Records)
      JSON.parse(Buffer.from(kinesis.data, 'base64').toString());
  },
};

interface SourceContext {
  readonly source?: string;
}

const exactParse = JSON.parse as unknown as (
  text: string,
  reviver: (key: string, value: unknown, context: SourceContext) => unknown,
) => unknown;

/** The least that keeps every digit: the language's own access to a number's text. */
export const exactFloor: BatchTaker = {
  name: 'base64 and JSON.parse that keeps digits',
  take(event) {
    for (const { kinesis } of event.Records) {
      const text = Buffer.from(kinesis.data, 'base64').toString();
      exactParse(text, (_key, value, { source }) =>
        typeof value === 'number' ? (JSON as unknown as Raw).rawJSON(source ?? '') : value,
      );
    }
  },
};

interface Raw {
  rawJSON(text: string): object;
}
