/**
 * What a table takes, in a process of its own: `node table-alone.ts <endpoint> <table> <first key>`
 * prints conditional updates a second.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientOptions } from '#adapters/aws/client-options';
import { dynamoRecordTable } from '#adapters/dynamodb/record-table';
import { systemClock as clock } from '#adapters/system/clock';
import type { StreamEvent } from '#core/record/stream-event';
import { orderEvents } from './batches.ts';
import { CONCURRENCY, WARM_UP } from './river.ts';

const UPDATES = 5_000;

const [endpoint = '', tableName = '', firstKey = '0'] = process.argv.slice(2);
const client = new DynamoDBClient({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
  ...clientOptions({ requestTimeoutMs: 10_000, concurrency: CONCURRENCY }),
});
const table = dynamoRecordTable(client, {
  tableName,
  clock,
  keyNames: ['order_id'],
  mode: 'replace',
  attributes: {},
  tombstoneDays: 30,
});
const records = WARM_UP + UPDATES;
const events = orderEvents({
  records,
  keys: records,
  numbers: 'exact',
  firstKey: Number(firstKey),
});

await write(events.slice(0, WARM_UP));
const startedMs = performance.now();
await write(events.slice(WARM_UP));
console.log((UPDATES * 1_000) / (performance.now() - startedMs));
client.destroy();

async function write(some: readonly StreamEvent[]): Promise<void> {
  let at = 0;
  const next = async (): Promise<void> => {
    while (at < some.length) {
      const { kind } = await table.upsert(some[at++] as StreamEvent);
      if (kind !== 'written') throw new Error(`an update of a new key is ${kind}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, next));
}
