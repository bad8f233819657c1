/**
 * A paged API of orders in a process of its own: `node pages-server.ts <records> <keys> <page size>`
 * prints its URL. Pages are made once, when they are first asked for.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [records = 0, keys = 1, pageSize = 500] = process.argv.slice(2).map(Number);
const BYTES = 499;
const FIRST_MS = Date.UTC(2025, 0, 1);
const pages = new Map<number, Buffer>();

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '', 'http://pages');
  const from = Number(searchParams.get('cursor') ?? '0');
  const page = pages.get(from) ?? pageAt(from);
  pages.set(from, page);
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': page.byteLength,
  });
  response.end(page);
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`);
});

function pageAt(from: number): Buffer {
  const to = Math.min(records, from + pageSize);
  const data = Array.from({ length: to - from }, (_, at) => orderAt(from + at));
  const next = to < records ? String(to) : null;
  return Buffer.from(JSON.stringify({ data, next_cursor: next }));
}

function orderAt(at: number) {
  const order = {
    order_id: `order-${String((at * 7_919) % keys).padStart(7, '0')}`,
    updated_at: new Date(FIRST_MS + at).toISOString(),
    version: at,
    customer: { id: at % 977, email: `customer-${at % 977}@example.com`, tier: 'gold' },
    lines: [
      { sku: `sku-${at % 311}`, quantity: 1 + (at % 5), cents: 1_999 },
      { sku: `sku-${at % 211}`, quantity: 2, cents: 450 + (at % 100) },
    ],
    shipped: at % 2 === 0,
    note: '',
  };
  const left = BYTES - JSON.stringify(order).length;
  return { ...order, note: 'lorem ipsum dolor sit amet '.repeat(20).slice(0, Math.max(0, left)) };
}
