/** A source that thinks before it answers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { serve } from '#test/adapters/http/scripted-server';

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
  const served = await serve((response, _at, request) => {
    pass(request, response).catch(() => response.destroy());
  });
  return served.url + pathname;
}
