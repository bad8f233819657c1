/** A source that thinks before it answers. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/** Stands before the source at `url` until the test is over; answers its own address. */
export async function lateSource(url: string, lateMs: number): Promise<string> {
  const { origin, pathname } = new URL(url);
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await setTimeout(lateMs);
    const authorization = request.headers.authorization ?? '';
    const answer = await fetch(`${origin}${request.url}`, { headers: { authorization } });
    response.setHeader('date', answer.headers.get('date') ?? '');
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(await answer.text());
  };
  // A question that is left when the test is over gets no answer.
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`;
}
