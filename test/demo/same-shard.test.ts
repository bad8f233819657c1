/** Why payments are partitioned by their order: who reads one shard number of both can join them. */
import { expect, test } from 'vitest';
import { loadAll, pick } from '#cli/load';
import { parseExact } from '#core/record/exact-json';
import { toEvent } from '#core/record/to-event';
import { planOrderChanges } from '#demo/order-changes';
import { planPaymentChanges } from '#demo/payment-changes';
import { toPollOptions } from '#functions/poll/poll-options';
import { shardCountOf } from '#config/shard-count';
import { findRange, hashKeyOf, uniformRanges } from '#local/emulators/kinesis/hash-ring';

const pipelines = await loadAll('dev');
const orders = pick(pipelines, 'orders');
const payments = pick(pipelines, 'payments');

const shop = { seed: 7, changes: 500, history: 25, startMs: Date.UTC(2026, 2, 1), durationMs: 1e6 };
const orderChanges = planOrderChanges(shop);
const paymentChanges = planPaymentChanges({ seed: 7, orders: orderChanges, endMs: Infinity });

/** The event that the pipeline's own rules make of a record. */
function eventOf(settings: typeof orders, text: string) {
  const env = { ORDERS_API_URL: 'http://a.test', PAYMENTS_API_URL: 'http://a.test' };
  const { rules } = toPollOptions(settings, undefined, env);
  return toEvent(parseExact(text), rules, {
    epoch: 1,
    counter: 1,
    sourceMs: 0,
    digest: () => 'digest',
  });
}

function shardOf(settings: typeof orders, partitionKey: string): number {
  const ranges = uniformRanges(shardCountOf(settings) ?? 0);
  const range = findRange(ranges, hashKeyOf(partitionKey));
  return range === undefined ? -1 : ranges.indexOf(range);
}

test('the streams of orders and payments are made with equally many shards, more than one', () => {
  expect(shardCountOf(payments)).toBe(shardCountOf(orders));
  expect(shardCountOf(payments)).toBeGreaterThan(1);
});

test('a payment is keyed by itself, and has the partition key and shard number of its order', () => {
  const orderKeys = new Map(
    orderChanges
      .filter(({ orderId }) => orderId !== '')
      .map(({ orderId, text }) => [orderId, eventOf(orders, text)]),
  );
  const shards = new Set<number>();
  for (const { paymentId, orderId, text } of paymentChanges) {
    if (orderId === '') continue;
    const payment = eventOf(payments, text);
    const order = orderKeys.get(orderId);
    if (payment.kind !== 'event' || order?.kind !== 'event') throw new Error(`${text} is refused`);
    expect(payment.key).toBe(paymentId);
    expect(payment.partitionKey).toBe(orderId);
    expect(payment.partitionKey).toBe(order.partitionKey);
    const shard = shardOf(payments, payment.partitionKey);
    expect(shard).toBe(shardOf(orders, order.partitionKey));
    shards.add(shard);
  }
  expect(shards.size).toBe(shardCountOf(payments));
});

test('a payment without an order is refused: no partition key is made up', () => {
  const unlinked = paymentChanges.find(({ orderId }) => orderId === '');
  expect(eventOf(payments, unlinked?.text ?? '')).toMatchObject({
    kind: 'refused',
    reason: 'no-partition-key',
  });
});
