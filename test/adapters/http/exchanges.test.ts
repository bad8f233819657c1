/** What a source over HTTP tells of each request, beside the answer it makes of it. */
import { expect, test } from 'vitest';
import { httpPageSource } from '#adapters/http/page-source';
import { bearer } from '#adapters/http/auth/bearer';
import type { Exchange } from '#adapters/http/page-source';
import { scriptedServer } from './scripted-server.ts';

test('each answer is told with its status and headers, a token that was refused included', async () => {
  const server = await scriptedServer((response, at) =>
    response.writeHead(at === 0 ? 401 : 200, { 'x-at': String(at) }).end('[]'),
  );
  const exchanges: Exchange[] = [];
  let nowMs = 1_000;
  const source = httpPageSource({
    url: server.url,
    authorize: bearer(async () => 't'),
    clock: { nowMs: () => (nowMs += 5), sleep: async () => undefined },
    onExchange: (exchange) => void exchanges.push(exchange),
  });
  expect((await source.fetchPage({ query: {}, timeoutMs: 5_000 })).kind).toBe('page');
  await server.close();
  expect(
    exchanges.map((one) =>
      one.kind === 'answered'
        ? [one.status, one.headers.get('x-at'), one.answeredAtMs - one.sentAtMs]
        : one,
    ),
  ).toEqual([
    [401, '0', 5],
    [200, '1', 5],
  ]);
});

test('a connection that breaks is told with its code, and one that is given up is not', async () => {
  const server = await scriptedServer((response) => response.destroy());
  const exchanges: Exchange[] = [];
  const source = httpPageSource({
    url: server.url,
    authorize: undefined,
    clock: { nowMs: () => 0, sleep: async () => undefined },
    onExchange: (exchange) => void exchanges.push(exchange),
  });
  const signal = AbortSignal.abort();
  await source.fetchPage({ query: {}, timeoutMs: 5_000, signal });
  await source.fetchPage({ query: {}, timeoutMs: 5_000 });
  await server.close();
  expect(exchanges).toEqual([{ kind: 'broken', code: 'UND_ERR_SOCKET' }]);
});
