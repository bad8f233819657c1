/**
 * A paged API of orders in a process of its own: `node pages-server.ts <records> <keys> <page size>`
 * prints its URL. Pages are made once, when they are first asked for.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { orderRow } from '#test/bench/order-row';

const [records = 0, keys = 1, pageSize = 500] = process.argv.slice(2).map(Number);
/** Of one page: larger ones are asked for once. */
const KEPT_BYTES_MAX = 1024 * 1024;
const pages = new Map<number, Buffer>();

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '', 'http://pages');
  const from = Number(searchParams.get('cursor') ?? '0');
  const page = pages.get(from) ?? pageAt(from);
  if (page.byteLength <= KEPT_BYTES_MAX) pages.set(from, page);
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
  const data = Array.from({ length: to - from }, (_, at) => orderRow(from + at, keys));
  const next = to < records ? String(to) : null;
  return Buffer.from(JSON.stringify({ data, next_cursor: next }));
}
