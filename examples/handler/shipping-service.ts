/** A shipping service for tests: it does each key's work once, and has its bad moments. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface Arrival {
  readonly orderId: string;
  readonly revision: number;
  readonly key: string;
  readonly isReplay: boolean;
}

export interface ShippingService {
  readonly url: string;
  /** Every request that was heard, in order. */
  readonly arrivals: readonly Arrival[];
  /** What was done, by idempotency key. */
  readonly done: ReadonlyMap<string, Arrival>;
  close(): Promise<void>;
}

interface Shipment {
  readonly order: { order_id: string; revision: number; address: string | null };
}

/** Every so many requests one is throttled, and another is done but never answered. */
const THROTTLED = 7;
const UNANSWERED = 11;

export async function shippingService(token: string): Promise<ShippingService> {
  const arrivals: Arrival[] = [];
  const done = new Map<string, Arrival>();
  const server = createServer(async (request, response) => {
    const say = (status: number, text: string, headers = {}) =>
      response.writeHead(status, headers).end(text);
    const { order } = (await json(request)) as Shipment;
    const { authorization, 'idempotency-key': key = '' } = request.headers;
    if (authorization !== `Bearer ${token}`) return say(401, 'who are you?');
    const isReplay = request.headers['x-replay'] === 'true';
    const arrival = {
      orderId: order.order_id,
      revision: order.revision,
      key: String(key),
      isReplay,
    };
    arrivals.push(arrival);
    if (arrivals.length % THROTTLED === 0) return say(429, 'slowly', { 'retry-after': '0' });
    if (done.has(arrival.key)) return say(409, 'done already');
    if (order.address === null) return say(422, 'an address is missing');
    done.set(arrival.key, arrival);
    if (arrivals.length % UNANSWERED === 0) return response.destroy();
    return say(201, 'on its way');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    done,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
