/** The orders as they stand at a virtual moment, and pages of them by (updated_at, order_id). */
import type { OrderChange } from './order-changes.ts';

export interface PageAsk {
  /** Rows of this second and later; all when undefined. */
  readonly sinceSec: number | undefined;
  /** The last row of the page before. */
  readonly after: { readonly second: number; readonly orderId: string } | undefined;
  readonly limit: number;
}

export interface OrderPage {
  readonly rows: readonly OrderChange[];
  /** Undefined when no row lies behind this page. */
  readonly next: { readonly second: number; readonly orderId: string } | undefined;
}

export interface OrderBook {
  /** Let every change up to this moment happen; time never goes back. */
  advance(nowMs: number): void;
  page(ask: PageAsk): OrderPage;
  /** The newest state of every order, deleted ones and malformed records included. */
  rows(): OrderChange[];
  readonly changesDone: number;
}

export const secondOf = (change: OrderChange): number => Math.floor(change.atMs / 1000);

/** Keep the changes as a log; a change is a row as long as it is its order's last. */
export function orderBook(changes: readonly OrderChange[]): OrderBook {
  const lastOf = new Map<string, OrderChange>();
  let done = 0;
  const stands = (change: OrderChange): boolean =>
    change.orderId === '' || lastOf.get(change.orderId) === change;

  return {
    get changesDone() {
      return done;
    },
    advance(nowMs) {
      for (
        let next = changes[done];
        next !== undefined && next.atMs <= nowMs;
        next = changes[done]
      ) {
        lastOf.set(next.orderId, next);
        done += 1;
      }
    },
    page({ sinceSec, after, limit }) {
      const from = after?.second ?? sinceSec ?? -Infinity;
      const rows: OrderChange[] = [];
      let at = firstOfSecond(changes, from, done);
      while (at < done && rows.length <= limit) {
        const { second, next } = standing(changes, { at, end: done, stands });
        rows.push(...second.filter((row) => after === undefined || isAfter(row, after)));
        at = next;
      }
      const last = rows[limit - 1];
      const more = rows.length > limit && last !== undefined;
      return {
        rows: rows.slice(0, limit),
        next: more ? { second: secondOf(last), orderId: last.orderId } : undefined,
      };
    },
    rows: () => changes.slice(0, done).filter(stands),
  };
}

function isAfter(row: OrderChange, after: { second: number; orderId: string }): boolean {
  const second = secondOf(row);
  return second > after.second || (second === after.second && row.orderId > after.orderId);
}

/** The rows of the second that begins at `at`, by order id. */
function standing(
  changes: readonly OrderChange[],
  { at, end, stands }: { at: number; end: number; stands: (row: OrderChange) => boolean },
): { second: OrderChange[]; next: number } {
  const first = changes[at];
  const next = first === undefined ? end : firstOfSecond(changes, secondOf(first) + 1, end);
  const second = changes.slice(at, next).filter(stands);
  second.sort((one, other) => (one.orderId < other.orderId ? -1 : 1));
  return { second, next };
}

/** Binary search for the first change at or after a second. */
function firstOfSecond(changes: readonly OrderChange[], second: number, end: number): number {
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const change = changes[middle];
    if (change !== undefined && secondOf(change) < second) low = middle + 1;
    else high = middle;
  }
  return low;
}
