/** The orders API of the demo, a process of its own: keyset pages, a token, honest faults. */
import type { Server } from 'node:http';
import { json } from './answer.ts';
import type { Answer } from './answer.ts';
import { orderBook } from './order-book.ts';
import type { OrderBook, PageAsk } from './order-book.ts';
import { planOrderChanges } from './order-changes.ts';
import { orderPlan, refusal, runShopProcess, shopServer } from './shop.ts';
import type { ShopOptions } from './shop.ts';

const LIMIT_MAX = 1000;

/** Make the server; it does not listen yet. */
export function ordersApi(options: ShopOptions): Server {
  const planned = planOrderChanges(orderPlan(options));
  const book = orderBook(planned);
  return shopServer(options, {
    path: '/orders',
    faultSeed: options.seed,
    answer(url, nowMs) {
      book.advance(nowMs);
      return answerPage(url, book);
    },
    truth(nowMs) {
      book.advance(nowMs);
      const everything = book.rows();
      const living = everything.filter(({ orderId }) => orderId !== '');
      return {
        quiet: book.changesDone === planned.length,
        changes: book.changesDone,
        changesPlanned: planned.length,
        malformed: everything.length - living.length,
        rows: living.map(({ text }) => text),
      };
    },
  });
}

function answerPage(url: URL, book: OrderBook): Answer {
  const ask = parseAsk(url.searchParams);
  if (typeof ask === 'string') return refusal(ask);
  const { rows, next } = book.page(ask);
  const cursor =
    next === undefined ? null : Buffer.from(JSON.stringify(next)).toString('base64url');
  const data = rows.map((row) => row.text).join(',');
  return json(`{"data":[${data}],"next_cursor":${JSON.stringify(cursor)}}`);
}

function parseAsk(query: URLSearchParams): PageAsk | string {
  const limit = Number(query.get('limit') ?? 100);
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    return `limit must be a whole number from 1 to ${LIMIT_MAX}`;
  }
  const since = query.get('updated_since');
  const sinceMs = since === null ? undefined : Date.parse(since);
  if (Number.isNaN(sinceMs)) return 'updated_since must be an ISO 8601 time';
  const after = parseCursor(query.get('cursor'));
  if (after === 'bad') return 'cursor is not one of ours';
  const sinceSec = sinceMs === undefined ? undefined : Math.ceil(sinceMs / 1000);
  return { sinceSec, after, limit };
}

function parseCursor(text: string | null): PageAsk['after'] | 'bad' {
  if (text === null) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    const { second, orderId } = value as { second?: unknown; orderId?: unknown };
    if (typeof second === 'number' && typeof orderId === 'string') return { second, orderId };
  } catch {
    // Falls through: whatever is not our JSON is not our cursor.
  }
  return 'bad';
}

if (import.meta.main) runShopProcess(ordersApi);
