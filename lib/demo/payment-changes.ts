/** Payments for the orders of a shop: authorized, captured, refunded, voided. All from a seed. */
import type { OrderChange } from './order-changes.ts';
import { drawBelow, seeded } from './seeded.ts';
import type { Draw } from './seeded.ts';

export interface PaymentChange {
  /** Virtual moment; the row's `changed` is the whole second before it, counted from 1970. */
  readonly atMs: number;
  readonly paymentId: string;
  /** Empty for the malformed record. */
  readonly orderId: string;
  /** 1 for the creation, then counted up. */
  readonly version: number;
  readonly voided: boolean;
  /** The row as the API writes it. */
  readonly text: string;
}

interface Step {
  readonly atMs: number;
  readonly state: 'authorized' | 'captured' | 'refunded' | 'voided';
}

interface Payment {
  readonly orderId: string;
  /** The order's at its creation, in hundredths: sometimes more than a double holds. */
  readonly amountMinor: string;
  readonly method: string;
  readonly steps: readonly Step[];
}

/** Shares of orders, and of payments: enough of each kind to be seen. */
const PAID_SHARE = 0.15;
const TWICE_SHARE = 0.1;
const EARLY_SHARE = 0.1;
const LATE_SHARE = 0.2;
const VOIDED_SHARE = 0.15;
const REFUNDED_SHARE = 0.15;
/** How long before its order a payment is known, after it, and after it when late. */
const EARLY_MS = 30_000;
const SOON_MS = 60_000;
const LATE_MS = 600_000;
const STEP_MS = 120_000;
const METHODS = ['card', 'sepa', 'paypal', 'gift card 🎁'] as const;

export interface PaymentPlan {
  readonly seed: number;
  /** Of the same seed, by time. */
  readonly orders: readonly OrderChange[];
  /** Nothing changes after this moment. */
  readonly endMs: number;
}

/** Plan every change, in the order of time; payments are numbered in the order of creation. */
export function planPaymentChanges({ seed, orders, endMs }: PaymentPlan): readonly PaymentChange[] {
  const draw = seeded(seed ^ 0x9a1d);
  const payments = orders
    .filter(({ revision }) => revision === 1)
    .flatMap((order) => paymentsOf(order, draw));
  const unlinked = payments[Math.floor(payments.length / 2)];
  if (unlinked !== undefined) {
    payments.push({ ...unlinked, orderId: '', steps: unlinked.steps.slice(0, 1) });
  }
  return payments
    .sort((one, other) => createdMs(one) - createdMs(other))
    .flatMap((payment, index) => changesOf(payment, index + 1))
    .filter(({ atMs }) => atMs <= endMs)
    .sort((one, other) => one.atMs - other.atMs);
}

function paymentsOf(order: OrderChange, draw: Draw): Payment[] {
  if (draw() >= PAID_SHARE) return [];
  const times = draw() < TWICE_SHARE ? 2 : 1;
  return Array.from({ length: times }, () => ({
    orderId: order.orderId,
    amountMinor: minorUnits(order.text),
    method: METHODS[drawBelow(draw, METHODS.length)] ?? METHODS[0],
    steps: stepsFrom(order.atMs + delayMs(draw), draw),
  }));
}

/** Against the creation of the order. */
function delayMs(draw: Draw): number {
  const kind = draw();
  if (kind < EARLY_SHARE) return -1 - drawBelow(draw, EARLY_MS);
  if (kind < EARLY_SHARE + LATE_SHARE) return SOON_MS + drawBelow(draw, LATE_MS);
  return drawBelow(draw, SOON_MS);
}

function stepsFrom(atMs: number, draw: Draw): Step[] {
  const settledMs = atMs + 1 + drawBelow(draw, STEP_MS);
  const steps: Step[] = [{ atMs, state: 'authorized' }];
  if (draw() < VOIDED_SHARE) return [...steps, { atMs: settledMs, state: 'voided' }];
  steps.push({ atMs: settledMs, state: 'captured' });
  if (draw() >= REFUNDED_SHARE) return steps;
  return [...steps, { atMs: settledMs + 1 + drawBelow(draw, STEP_MS), state: 'refunded' }];
}

const createdMs = ({ steps }: Payment): number => steps[0]?.atMs ?? 0;

function changesOf(payment: Payment, number: number): PaymentChange[] {
  const { orderId, amountMinor, method, steps } = payment;
  const paymentId = `pay-${String(number).padStart(6, '0')}`;
  return steps.map(({ atMs, state }, index) => {
    const version = index + 1;
    const voided = state === 'voided';
    const head = { payment_id: paymentId, ...(orderId === '' ? {} : { order_id: orderId }), state };
    const [created, changed] = [createdMs(payment), atMs].map((ms) => Math.floor(ms / 1000));
    const tail = { method, version, created, changed, voided };
    const text =
      `${JSON.stringify(head).slice(0, -1)},"amount_minor":${amountMinor},` +
      JSON.stringify(tail).slice(1);
    return { atMs, paymentId, orderId, version, voided, text };
  });
}

function minorUnits(orderText: string): string {
  const [, whole = '0', hundredths = '00'] = /"amount":(\d+)\.(\d\d)/.exec(orderText) ?? [];
  return BigInt(whole + hundredths).toString();
}
