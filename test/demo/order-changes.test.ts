import { expect, test } from 'vitest';
import { planOrderChanges } from '#demo/order-changes';
import type { ChangePlan, OrderChange } from '#demo/order-changes';

const START_MS = Date.UTC(2026, 2, 1, 8);
const PLAN: ChangePlan = {
  seed: 7,
  changes: 20_000,
  history: 1_000,
  startMs: START_MS,
  durationMs: 780_000,
};
const changes = planOrderChanges(PLAN);
const orders = changes.filter(({ orderId }) => orderId !== '');
const fieldsOf = ({ text }: OrderChange) => JSON.parse(text) as Record<string, unknown>;

test('one seed plans one life, another seed another', () => {
  expect(planOrderChanges(PLAN)).toEqual(changes);
  expect(planOrderChanges({ ...PLAN, seed: 8 })).not.toEqual(changes);
});

test('at least 20,000 changes happen while the clock runs, and all before it ends', () => {
  const live = changes.filter(({ atMs }) => atMs >= START_MS);
  expect(live.length).toBeGreaterThanOrEqual(20_000);
  expect(Math.max(...changes.map(({ atMs }) => atMs))).toBeLessThan(START_MS + 780_000 + 1_000);
});

test('changes come in the order of time', () => {
  const moments = changes.map(({ atMs }) => atMs);
  expect(moments).toEqual(moments.toSorted((one, other) => one - other));
});

test('revisions of an order count up from one, in the order of time', () => {
  const last = new Map<string, number>();
  for (const { orderId, revision } of orders) {
    expect(revision).toBe((last.get(orderId) ?? 0) + 1);
    last.set(orderId, revision);
  }
  expect(Math.max(...last.values())).toBeGreaterThan(5);
});

test('a row says its own key, revision, second and deletion', () => {
  for (const change of orders.slice(0, 3_000)) {
    const second = `${new Date(Math.floor(change.atMs / 1000) * 1000).toISOString().slice(0, 19)}Z`;
    expect(fieldsOf(change)).toMatchObject({
      order_id: change.orderId,
      revision: change.revision,
      updated_at: second,
      deleted_at: change.deleted ? second : null,
    });
  }
});

test('rows share their second with other rows', () => {
  const seconds = new Set(changes.map(({ atMs }) => Math.floor(atMs / 1000)));
  expect(seconds.size).toBeLessThan(changes.length / 5);
});

test('some row changes twice within one second', () => {
  const places = orders.map(({ orderId, atMs }) => `${orderId} ${Math.floor(atMs / 1000)}`);
  expect(places.length - new Set(places).size).toBeGreaterThan(20);
});

test('exactly one record has no order_id', () => {
  const malformed = changes.filter(({ orderId }) => orderId === '');
  expect(malformed).toHaveLength(1);
  expect(malformed.map(fieldsOf)[0]).not.toHaveProperty('order_id');
  expect(malformed.map(fieldsOf)[0]).toHaveProperty('updated_at');
});

test('one customer places about a third of the orders, no other more than a fiftieth', () => {
  const counts = new Map<string, number>();
  for (const change of orders.filter(({ revision }) => revision === 1)) {
    const customer = String(fieldsOf(change)['customer_id']);
    counts.set(customer, (counts.get(customer) ?? 0) + 1);
  }
  const created = [...counts.values()].reduce((sum, some) => sum + some, 0);
  const [hot = 0, next = 0] = [...counts.values()].toSorted((one, other) => other - one);
  expect(hot / created).toBeGreaterThan(0.25);
  expect(next / created).toBeLessThan(0.02);
  expect(counts.get('cust-hot')).toBe(hot);
});

test('amounts carry more digits than a double, in the text of the row', () => {
  expect(
    changes.filter(({ text }) => text.includes('"amount":9007199254740993.10,')).length,
  ).toBeGreaterThan(50);
});

test('orders are deleted, and some come back', () => {
  const deleted = new Set<string>();
  let back = 0;
  for (const { orderId, deleted: isDeleted } of orders) {
    if (isDeleted) deleted.add(orderId);
    else if (deleted.delete(orderId)) back += 1;
  }
  expect(deleted.size).toBeGreaterThan(100);
  expect(back).toBeGreaterThan(20);
});
