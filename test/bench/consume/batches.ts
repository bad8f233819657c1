/** Batches as a mapping hands them over, made before the clock runs. */
import type { KinesisStreamEvent, KinesisStreamRecord } from 'aws-lambda';
import type { StreamEvent } from '#core/record/stream-event';

export interface BatchAsk {
  readonly records: number;
  readonly keys: number;
  /** As a source writes amounts: `12.50`; plain is `12.5`, which a double writes as it came. */
  readonly numbers: 'plain' | 'exact';
  /** Half of the records are of the first key. */
  readonly isHalfOnOneKey?: boolean;
  /** Where keys are counted from; 0 unless given. */
  readonly firstKey?: number;
}

const ARN = 'arn:aws:kinesis:us-east-1:000000000000:stream/penstock-bench-orders';
const ROLE = 'arn:aws:iam::000000000000:role/penstock-bench-orders-consume-orders';
const FIRST_SEQUENCE = 49590338271490256608559692538361571095921575989136588898n;

/** Each of a key is newer than the one before. */
export function orderEvents(ask: BatchAsk): readonly StreamEvent[] {
  const { firstKey = 0 } = ask;
  return Array.from({ length: ask.records }, (_, at) => {
    const isOfFirst = ask.isHalfOnOneKey === true && at % 2 === 0;
    const number = firstKey + (isOfFirst ? 0 : at % ask.keys);
    return orderEvent(`order-${String(number).padStart(7, '0')}`, at, ask.numbers);
  });
}

function orderEvent(key: string, at: number, numbers: BatchAsk['numbers']): StreamEvent {
  const amount = (value: number) =>
    numbers === 'plain' ? value : (JSON as unknown as Exact).rawJSON(value.toFixed(2));
  const data = {
    order_id: key,
    customer_id: `customer-${at % 400}`,
    status: 'shipped',
    currency: 'EUR',
    total: amount((at % 900) + 12.5),
    items: [
      { sku: `A-${at % 77}`, quantity: 2, price: amount(4.5) },
      { sku: `B-${at % 33}`, quantity: 1, price: amount((at % 900) + 3.5) },
    ],
    note: 'leave at the door',
    updated_at: '2031-06-12T16:00:00Z',
    deleted_at: null,
  };
  return {
    specversion: '1.0',
    id: `${key}@2031-06-12T16:00:00Z#0f4c5a6b7c8d9e0f${at}`,
    source: 'penstock/orders',
    type: 'orders.upsert',
    subject: key,
    time: '2031-06-12T16:00:00.000Z',
    datacontenttype: 'application/json',
    version: '2031-06-12T16:00:00.000000000Z',
    observed: `0000000001-${String(at).padStart(10, '0')}`,
    data: data as unknown as StreamEvent['data'],
  };
}

interface Exact {
  rawJSON(text: string): number;
}

export function kinesisEvent(contents: readonly string[]): KinesisStreamEvent {
  return { Records: contents.map(kinesisRecord) };
}

function kinesisRecord(content: string, at: number): KinesisStreamRecord {
  const sequenceNumber = String(FIRST_SEQUENCE + BigInt(at));
  return {
    kinesis: {
      kinesisSchemaVersion: '1.0',
      partitionKey: `p${at}`,
      sequenceNumber,
      data: Buffer.from(content).toString('base64'),
      approximateArrivalTimestamp: 1_938_000_000.123,
    },
    eventSource: 'aws:kinesis',
    eventVersion: '1.0',
    eventID: `shardId-000000000000:${sequenceNumber}`,
    eventName: 'aws:kinesis:record',
    invokeIdentityArn: ROLE,
    awsRegion: 'us-east-1',
    eventSourceARN: ARN,
  };
}

export function orderBatch(ask: BatchAsk): KinesisStreamEvent {
  return kinesisEvent(orderEvents(ask).map((event) => JSON.stringify(event)));
}
