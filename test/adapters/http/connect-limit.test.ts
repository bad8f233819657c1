/** Takes as long as built-in fetch waits for a connection: nothing can make it wait less. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { httpPageSource } from '#adapters/http/page-source';
import { systemClock } from '#adapters/system/clock';

test('a host that takes the call and says nothing is given up as one that cannot be reached', async () => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const source = httpPageSource({
    url: `https://${host}`,
    authorize: undefined,
    clock: systemClock,
  });
  try {
    expect(await source.fetchPage({ query: {}, timeoutMs: 60_000 })).toEqual({
      kind: 'unavailable',
      detail: `no connection to ${host} came about within 10000 ms`,
    });
  } finally {
    server.close();
  }
});
