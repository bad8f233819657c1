/** A shop's API for tests: orders that change while they are polled. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Order {
  readonly order_id: string;
  readonly revision: number;
  readonly updated_at: string;
  readonly address: string | null;
  readonly cancelled_at: string | null;
}

export interface Shop {
  readonly url: string;
  readonly orders: ReadonlyMap<string, Order>;
  /** Create or change an order. */
  put(id: string, members?: Partial<Order>): void;
  close(): Promise<void>;
}

export async function shop(): Promise<Shop> {
  const orders = new Map<string, Order>();
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://shop');
    const since = searchParams.get('since') ?? '';
    const skip = Number(searchParams.get('skip'));
    const found = [...orders.values()]
      .filter(({ updated_at }) => updated_at >= since)
      .toSorted((a, b) => (a.updated_at < b.updated_at ? -1 : 1))
      .slice(skip, skip + Number(searchParams.get('take')));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ orders: found }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`,
    orders,
    put(id, members = {}) {
      orders.set(id, {
        order_id: id,
        address: 'Long Lane 1',
        cancelled_at: null,
        ...members,
        revision: (orders.get(id)?.revision ?? 0) + 1,
        updated_at: new Date().toISOString(),
      });
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
