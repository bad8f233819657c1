/** Ports for servers that must be told their own, some time before they listen. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Find one that is free, where no system takes the ports that it gives away by itself: until its server listens,
 * nobody else comes by it.
 *
 * @source Linux, ip_local_port_range: 32768 to 60999; IANA and macOS: 49152 to 65535.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
