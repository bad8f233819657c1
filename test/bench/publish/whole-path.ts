/** The whole path from a paged API to the stream, in one process: our poller, and the bare loop. */
import { PutRecordsCommand } from '@aws-sdk/client-kinesis';
import type { PutRecordsRequestEntry } from '@aws-sdk/client-kinesis';
import { httpPageSource } from '#adapters/http/page-source';
import { kinesisStreamWriter } from '#adapters/kinesis/stream-writer';
import { systemClock as clock } from '#adapters/system/clock';
import { poll } from '#pipeline/poll';
import { ordersOptions } from '#test/bench/orders-options';
import { pollerMemory } from '#test/bench/poller-memory';
import { benchClient, REQUEST_RECORDS, STREAM } from './senders.ts';
import type { Sender } from './senders.ts';

interface Order {
  readonly order_id: string;
  readonly updated_at: string;
}

/** `pipelines/orders.ts` as it is shipped; the state, which DynamoDB holds, is in memory. */
export async function ourPoller(source: string, count: number): Promise<Sender> {
  const options = await ordersOptions();
  return {
    name: 'Penstock, as shipped',
    prepare(endpoint) {
      const kinesis = benchClient(endpoint, options.requestsInFlight);
      const world = {
        source: httpPageSource({
          url: source,
          authorize: undefined,
          clock,
          records: options.records.path,
        }),
        writer: kinesisStreamWriter(kinesis, STREAM),
        ...pollerMemory(),
      };
      return {
        async run() {
          const result = await poll(options, world);
          if (result.kind === 'caught-up' && result.published === count) return;
          throw new Error(`${result.kind} after ${result.published} records`);
        },
        close: () => kinesis.destroy(),
      };
    },
  };
}

/** Fetch, parse, put 500 at a time, go on; answers are not looked at, and nothing is remembered. */
export function bareLoop(
  source: string,
  { name, dataOf }: { readonly name: string; readonly dataOf: (order: Order) => string },
): Sender {
  const encoder = new TextEncoder();
  const entryOf = (order: Order): PutRecordsRequestEntry => ({
    PartitionKey: order.order_id,
    Data: encoder.encode(dataOf(order)),
  });
  return {
    name,
    prepare(endpoint) {
      const kinesis = benchClient(endpoint, 1);
      return {
        async run() {
          let cursor: string | null = '0';
          while (cursor !== null) {
            const response = await fetch(`${source}?cursor=${cursor}`);
            const page = JSON.parse(await response.text()) as {
              data: Order[];
              next_cursor: string | null;
            };
            for (let at = 0; at < page.data.length; at += REQUEST_RECORDS) {
              const Records = page.data.slice(at, at + REQUEST_RECORDS).map(entryOf);
              await kinesis.send(new PutRecordsCommand({ StreamName: STREAM, Records }));
            }
            cursor = page.next_cursor;
          }
        },
        close: () => kinesis.destroy(),
      };
    },
  };
}

export const PLAIN = { name: 'bare loop, records as they are', dataOf: JSON.stringify };

/** The same members and bytes as an event of ours, whatever stands in them. */
export const ENVELOPED = {
  name: 'bare loop, the same events',
  dataOf: (order: Order) =>
    JSON.stringify({
      specversion: '1.0',
      id: `${order.order_id}@${order.updated_at}#0123456789abcdef`,
      source: 'penstock/orders',
      type: 'orders.upsert',
      subject: order.order_id,
      time: order.updated_at,
      datacontenttype: 'application/json',
      version: order.updated_at.replace('Z', '000000Z'),
      observed: '0000000001-0000000001',
      data: order,
    }),
};
