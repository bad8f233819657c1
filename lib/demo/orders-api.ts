/** The orders API of the demo, a process of its own: keyset pages, a token, honest faults. */
import type { IncomingMessage, Server } from 'node:http';
import { parseArgs } from 'node:util';
import { json } from './answer.ts';
import type { Answer } from './answer.ts';
import { planFaults } from './faults.ts';
import { orderBook } from './order-book.ts';
import type { OrderBook, PageAsk } from './order-book.ts';
import { planOrderChanges } from './order-changes.ts';
import { demoServer, runDemoProcess } from './serve.ts';
import type { RequestCounts } from './serve.ts';
import { virtualClock } from './virtual-clock.ts';

export interface OrdersApiOptions {
  readonly seed: number;
  readonly changes: number;
  /** Real seconds from the first request to the last change. */
  readonly seconds: number;
  /** Virtual seconds in a real one. */
  readonly speed: number;
  readonly token: string;
  readonly realMs: () => number;
}

const START_MS = Date.UTC(2026, 2, 1, 8);
const LIMIT_MAX = 1000;

/** Make the server; it does not listen yet. */
export function ordersApi(options: OrdersApiOptions): Server {
  const { seed, changes, seconds, speed, token, realMs } = options;
  const durationMs = seconds * speed * 1000;
  const planned = planOrderChanges({
    seed,
    changes,
    history: Math.ceil(changes / 20),
    startMs: START_MS,
    durationMs,
  });
  const book = orderBook(planned);
  return demoServer({
    clock: virtualClock({ startMs: START_MS, speed, realMs }),
    decideFault: planFaults(seed),
    realMs,
    source: {
      path: '/orders',
      admit: (request) =>
        isAllowed(request, token) ? undefined : json(error('unauthorized'), 401),
      answer(url, nowMs) {
        book.advance(nowMs);
        return answerPage(url, book);
      },
      truth(nowMs, counts, withRows) {
        book.advance(nowMs);
        return truthText({ book, total: planned.length, counts, withRows });
      },
    },
  });
}

function isAllowed(request: IncomingMessage, token: string): boolean {
  return request.headers.authorization === `Bearer ${token}`;
}

function answerPage(url: URL, book: OrderBook): Answer {
  const ask = parseAsk(url.searchParams);
  if (typeof ask === 'string') return json(error(ask), 400);
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

function truthText({
  book,
  total,
  counts,
  withRows,
}: {
  book: OrderBook;
  total: number;
  counts: RequestCounts;
  withRows: boolean;
}): string {
  const everything = book.rows();
  const living = everything.filter(({ orderId }) => orderId !== '');
  const malformed = everything.length - living.length;
  const head = JSON.stringify({
    quiet: book.changesDone === total,
    changes: book.changesDone,
    changesPlanned: total,
    rowCount: living.length,
    malformed,
    requests: counts,
  });
  const rows = withRows ? living.map(({ text }) => text) : [];
  return `${head.slice(0, -1)},"rows":[${rows.join(',')}]}`;
}

function error(message: string): string {
  return JSON.stringify({ error: message });
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      seed: { type: 'string', default: '7' },
      changes: { type: 'string', default: '20000' },
      seconds: { type: 'string', default: '13' },
      speed: { type: 'string', default: '60' },
      token: { type: 'string', default: 'demo-token' },
    },
  });
  const server = ordersApi({
    seed: Number(values.seed),
    changes: Number(values.changes),
    seconds: Number(values.seconds),
    speed: Number(values.speed),
    token: values.token,
    realMs: () => performance.now(),
  });
  runDemoProcess(server, Number(values.port));
}
