/** Requests for what has changed since an answer, and what servers make of them. */
import { expect, test } from 'vitest';
import { bearer } from '#adapters/http/auth/bearer';
import { httpPageSource } from '#adapters/http/page-source';
import { systemClock } from '#adapters/system/clock';
import { serve } from './scripted-server.ts';

const UNLESS = { etag: 'W/"v 7"', lastModified: 'Wed, 21 Oct 2037 07:28:00 GMT' };

/** Answers 304 to whoever names what it has; tells what it was named. */
async function conditional(status = 304) {
  const named: unknown[] = [];
  const server = await serve((response, _at, request) => {
    const { 'if-none-match': tag, 'if-modified-since': since, authorization } = request.headers;
    named.push({ tag, since, cache: request.headers['cache-control'], authorization });
    if (authorization !== 'Bearer new') response.writeHead(401).end();
    else response.writeHead(status, { etag: UNLESS.etag }).end(status === 304 ? undefined : '[]');
  });
  const tokens = ['old', 'new'];
  const source = httpPageSource({
    url: server.url,
    authorize: bearer(async () => tokens.shift() ?? 'new'),
    clock: systemClock,
  });
  const ask = (unless?: typeof UNLESS) => source.fetchPage({ query: {}, timeoutMs: 5_000, unless });
  return { ask, named };
}

test('a source that has not changed says so, and is told the condition with the new token too', async () => {
  const { ask, named } = await conditional();
  expect(await ask(UNLESS)).toEqual({ kind: 'unchanged' });
  // A server of Express, for one, never answers 304 to `no-cache`, which a condition brings by itself.
  const condition = {
    tag: 'W/"v 7"',
    since: 'Wed, 21 Oct 2037 07:28:00 GMT',
    cache: 'max-age=0',
  };
  expect(named).toEqual([
    { ...condition, authorization: 'Bearer old' },
    { ...condition, authorization: 'Bearer new' },
  ]);
});

test('one that has changed answers a page, with what it is to be asked by next', async () => {
  const { ask } = await conditional(200);
  const answer = await ask(UNLESS);
  expect(answer.kind === 'page' && answer.head?.header('ETag')).toBe('W/"v 7"');
});

test('an answer that nothing has changed, where nobody asked, is an error', async () => {
  const { ask, named } = await conditional();
  expect(await ask()).toEqual({
    kind: 'refused',
    status: 304,
    detail: 'the source answered status 304, though it was not asked whether anything has changed',
  });
  expect(named[1]).toEqual({ authorization: 'Bearer new' });
});
