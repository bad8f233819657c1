/** The payments API of the demo, a process of its own: a bare array, by place, of the same shop. */
import type { Server } from 'node:http';
import { json } from './answer.ts';
import type { Answer } from './answer.ts';
import { planOrderChanges } from './order-changes.ts';
import { planPaymentChanges } from './payment-changes.ts';
import type { PaymentChange } from './payment-changes.ts';
import { orderPlan, refusal, runShopProcess, shopServer } from './shop.ts';
import type { ShopOptions } from './shop.ts';

const TAKE_MAX = 500;

/** Make the server; it does not listen yet. */
export function paymentsApi(options: ShopOptions): Server {
  const { seed } = options;
  const plan = orderPlan(options);
  const endMs = plan.startMs + plan.durationMs;
  const planned = planPaymentChanges({ seed, orders: planOrderChanges(plan), endMs });
  /** The newest state of each payment, in the order of creation. */
  const newest = new Map<string, PaymentChange>();
  let done = 0;
  const at = (nowMs: number): PaymentChange[] => {
    for (let next = planned[done]; next !== undefined && next.atMs <= nowMs; next = planned[done]) {
      newest.set(next.paymentId, next);
      done += 1;
    }
    return [...newest.values()];
  };
  return shopServer(options, {
    path: '/v2/payments',
    faultSeed: seed + 2,
    answer: (url, nowMs) => answerPage(url.searchParams, at(nowMs)),
    truth(nowMs) {
      const payments = at(nowMs);
      const linked = payments.filter(({ orderId }) => orderId !== '');
      return {
        quiet: done === planned.length,
        changes: done,
        changesPlanned: planned.length,
        malformed: payments.length - linked.length,
        rows: linked.map(({ text }) => text),
      };
    },
  });
}

function answerPage(query: URLSearchParams, payments: readonly PaymentChange[]): Answer {
  const sinceSec = Number(query.get('changed_since') ?? 0);
  const skip = Number(query.get('skip') ?? 0);
  const take = Number(query.get('take') ?? 100);
  if (![sinceSec, skip].every((value) => Number.isInteger(value) && value >= 0)) {
    return refusal('changed_since and skip must be whole numbers from 0');
  }
  if (!Number.isInteger(take) || take < 1 || take > TAKE_MAX) {
    return refusal(`take must be a whole number from 1 to ${TAKE_MAX}`);
  }
  const changed = payments.filter(({ atMs }) => Math.floor(atMs / 1000) >= sinceSec);
  const texts = changed.slice(skip, skip + take).map(({ text }) => text);
  return json(`[${texts.join(',')}]`);
}

if (import.meta.main) runShopProcess(paymentsApi);
