/** The life of a shop's orders: created, changed, deleted, revived. All from a seed. */
import { drawBelow, seeded } from './seeded.ts';
import type { Draw } from './seeded.ts';

export interface OrderChange {
  /** Virtual moment; the row's `updated_at` is the whole second before it. */
  readonly atMs: number;
  /** Place among the rows of one second; empty for the malformed record. */
  readonly orderId: string;
  /** 1 for the creation, then counted up: tells apart changes within one second. */
  readonly revision: number;
  readonly deleted: boolean;
  /** The row as the API writes it, numbers digit by digit. */
  readonly text: string;
}

export interface ChangePlan {
  readonly seed: number;
  /** Changes while the clock runs. */
  readonly changes: number;
  /** Orders that exist before it starts. */
  readonly history: number;
  readonly startMs: number;
  readonly durationMs: number;
}

interface Order {
  readonly id: string;
  readonly customer: string;
  readonly createdAt: string;
  revision: number;
  status: number;
  deleted: boolean;
  lastMs: number;
}

const STATUSES = ['placed', 'paid', 'packed', 'shipped', 'delivered', 'returned'] as const;
const NOTES = ['', 'leave at the door', 'Grüße aus Köln 🚲', 'say "hello"', '礼物包装'] as const;
const CUSTOMERS = 400;
/** One customer places this share of all orders. */
const HOT_SHARE = 0.3;
const HISTORY_MS = 86_400_000;
/** Every so many changes the next one follows within the same virtual second. */
const TWIN_EVERY = 400;
const TWIN_GAP_MS = 400;

/** Plan every change, in the order of time. */
export function planOrderChanges(plan: ChangePlan): readonly OrderChange[] {
  const draw = seeded(plan.seed);
  const orders: Order[] = [];
  const made: OrderChange[] = [];
  const malformedAt = Math.floor(plan.changes * (0.2 + draw() * 0.5));

  for (const atMs of moments(draw, plan.history, plan.startMs - HISTORY_MS, HISTORY_MS - 60_000)) {
    made.push(create(orders, atMs, draw));
  }
  moments(draw, plan.changes, plan.startMs, plan.durationMs).forEach((atMs, index) => {
    if (index === malformedAt) made.push(malformed(atMs, draw));
    const last = orders.at(-1);
    if (index % TWIN_EVERY === TWIN_EVERY - 1 && last !== undefined) made.push(twin(last, draw));
    else if (orders.length === 0 || draw() < 0.3) made.push(create(orders, atMs, draw));
    else made.push(change(pick(orders, draw), atMs, draw));
  });
  return made.sort((one, other) => one.atMs - other.atMs);
}

function moments(draw: Draw, count: number, fromMs: number, lengthMs: number): number[] {
  const drawn = Array.from({ length: count }, () => fromMs + Math.floor(draw() * lengthMs));
  return drawn.sort((one, other) => one - other);
}

function create(orders: Order[], atMs: number, draw: Draw): OrderChange {
  const hot = draw() < HOT_SHARE;
  const order: Order = {
    id: `ord-${String(orders.length + 1).padStart(6, '0')}`,
    customer: hot ? 'cust-hot' : `cust-${String(drawBelow(draw, CUSTOMERS)).padStart(4, '0')}`,
    createdAt: isoSecond(atMs),
    revision: 1,
    status: 0,
    deleted: false,
    lastMs: atMs,
  };
  orders.push(order);
  return written(order, atMs, draw);
}

/** Mostly a young order, sometimes any. */
function pick(orders: readonly Order[], draw: Draw): Order {
  const among = draw() < 0.7 ? Math.min(orders.length, 300) : orders.length;
  const order = orders[orders.length - 1 - drawBelow(draw, among)];
  if (order === undefined) throw new Error('an order is picked from at least one');
  return order;
}

function change(order: Order, atMs: number, draw: Draw): OrderChange {
  order.revision += 1;
  order.status = Math.min(order.status + 1, STATUSES.length - 1);
  order.deleted = order.deleted ? draw() < 0.5 : draw() < 0.08;
  order.lastMs = Math.max(atMs, order.lastMs);
  return written(order, order.lastMs, draw);
}

/** A second change of a row within the second of its last one: `updated_at` stays as it was. */
function twin(order: Order, draw: Draw): OrderChange {
  const secondEndMs = Math.floor(order.lastMs / 1000) * 1000 + 999;
  return change(order, Math.min(order.lastMs + TWIN_GAP_MS, secondEndMs), draw);
}

function malformed(atMs: number, draw: Draw): OrderChange {
  const tail = `"amount":${amount(draw)},"updated_at":"${isoSecond(atMs)}"`;
  const text = `{"customer_id":"cust-hot",${tail}}`;
  return { atMs, orderId: '', revision: 0, deleted: false, text };
}

function written(order: Order, atMs: number, draw: Draw): OrderChange {
  const { id, customer, createdAt, revision, status, deleted } = order;
  const updatedAt = isoSecond(atMs);
  const head = JSON.stringify({ order_id: id, customer_id: customer, status: STATUSES[status] });
  const tail = JSON.stringify({
    currency: 'EUR',
    quantity: 1 + drawBelow(draw, 9),
    note: NOTES[drawBelow(draw, NOTES.length)],
    revision,
    created_at: createdAt,
    updated_at: updatedAt,
    deleted_at: deleted ? updatedAt : null,
  });
  const text = `${head.slice(0, -1)},"amount":${amount(draw)},${tail.slice(1)}`;
  return { atMs, orderId: id, revision, deleted, text };
}

/** Digits as a database prints them: two decimals, sometimes more than a double holds. */
function amount(draw: Draw): string {
  if (draw() < 0.01) return '9007199254740993.10';
  return `${drawBelow(draw, 2_000)}.${String(drawBelow(draw, 100)).padStart(2, '0')}`;
}

function isoSecond(ms: number): string {
  return `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}
