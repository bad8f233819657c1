import { expect, test } from 'vitest';
import { planOrderChanges } from '#demo/order-changes';
import { planPaymentChanges } from '#demo/payment-changes';
import type { PaymentChange } from '#demo/payment-changes';

const START_MS = Date.UTC(2026, 2, 1, 8);
const END_MS = START_MS + 780_000;
const SHOP = { changes: 20_000, history: 1_000, startMs: START_MS, durationMs: 780_000 };
const orders = planOrderChanges({ ...SHOP, seed: 7 });
const changes = planPaymentChanges({ seed: 7, orders, endMs: END_MS });
const linked = changes.filter(({ orderId }) => orderId !== '');
const created = linked.filter(({ version }) => version === 1);
const creations = new Map(
  orders.filter(({ revision }) => revision === 1).map((order) => [order.orderId, order]),
);
const fieldsOf = ({ text }: PaymentChange) => JSON.parse(text) as Record<string, unknown>;

test('one seed plans one set of payments, another seed another', () => {
  expect(planPaymentChanges({ seed: 7, orders, endMs: END_MS })).toEqual(changes);
  expect(planPaymentChanges({ seed: 8, orders, endMs: END_MS })).not.toEqual(changes);
});

test('every payment is for an order of the same seed, of the same amount', () => {
  for (const { orderId, text } of linked) {
    const amount = /"amount":([\d.]+)/.exec(creations.get(orderId)?.text ?? '')?.[1];
    expect(text).toContain(`"amount_minor":${BigInt(amount?.replace('.', '') ?? -1)},`);
  }
});

test('some payments come before their order, some late, and some orders are paid twice', () => {
  const delays = created.map(({ orderId, atMs }) => atMs - creations.get(orderId)!.atMs);
  expect(delays.filter((ms) => ms < 0).length).toBeGreaterThan(50);
  expect(delays.filter((ms) => ms > 60_000).length).toBeGreaterThan(50);
  const paid = new Set(created.map(({ orderId }) => orderId));
  expect(created.length - paid.size).toBeGreaterThan(50);
  expect(paid.size).toBeLessThan(creations.size / 2);
});

test('versions count up from one, and no two of a payment share a moment', () => {
  const last = new Map<string, PaymentChange>();
  for (const change of linked) {
    const before = last.get(change.paymentId);
    expect(change.version).toBe((before?.version ?? 0) + 1);
    expect(change.atMs).toBeGreaterThan(before?.atMs ?? 0);
    last.set(change.paymentId, change);
  }
});

test('payments are numbered as they are created', () => {
  const ids = changes.filter(({ version }) => version === 1).map(({ paymentId }) => paymentId);
  expect(ids).toEqual(ids.toSorted());
});

test('a row says its own key, version, moment and state; what is voided stays so', () => {
  for (const change of linked) {
    const { paymentId, orderId, version, atMs, voided } = change;
    const fields = fieldsOf(change);
    expect(fields).toMatchObject({
      payment_id: paymentId,
      order_id: orderId,
      version,
      changed: Math.floor(atMs / 1_000),
      voided,
    });
    expect(fields['state'] === 'voided').toBe(voided);
  }
  const states = linked.map((change) => fieldsOf(change)['state']);
  for (const state of ['voided', 'refunded', 'captured']) {
    expect(states.filter((some) => some === state).length).toBeGreaterThan(50);
  }
});

test('exactly one record has no order', () => {
  const unlinked = changes.filter(({ orderId }) => orderId === '').map(fieldsOf);
  expect(unlinked).toHaveLength(1);
  expect(unlinked[0]).not.toHaveProperty('order_id');
  expect(unlinked[0]).toHaveProperty('payment_id');
});

test('changes come in the order of time, and none after the end', () => {
  const moments = changes.map(({ atMs }) => atMs);
  expect(moments).toEqual(moments.toSorted((one, other) => one - other));
  expect(moments.at(-1)).toBeLessThanOrEqual(END_MS);
});
