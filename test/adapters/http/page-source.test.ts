import { gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { bearer } from '#adapters/http/auth/bearer';
import { httpPageSource } from '#adapters/http/page-source';
import type { HttpSourceOptions } from '#adapters/http/page-source';
import { systemClock } from '#adapters/system/clock';
import type { Clock } from '#ports/clock';
import { serve } from './scripted-server.ts';
import type { ScriptedServer } from './scripted-server.ts';

const TOKEN = 'tok-3f9c';
async function ask(
  server: ScriptedServer,
  {
    query = {},
    timeoutMs = 5_000,
    path = '/orders?fixed=yes',
    ...more
  }: Partial<HttpSourceOptions> & {
    query?: Record<string, string>;
    timeoutMs?: number;
    path?: string;
  } = {},
) {
  const source = httpPageSource({
    url: server.url + path,
    authorize: bearer(async () => TOKEN),
    clock: systemClock,
    ...more,
  });
  const answer = await source.fetchPage({ query, timeoutMs });
  // Whatever happens, no answer's words hold the token.
  if (answer.kind !== 'page') expect(JSON.stringify(answer)).not.toContain(TOKEN);
  return answer;
}

/** Headers and a body in one. */
function reply(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body = '',
) {
  response.writeHead(status, headers).end(body);
}

describe('a page', () => {
  test('is asked for with the token and the parameters, and keeps its digits', async () => {
    const server = await serve((response) =>
      reply(response, 200, { 'content-type': 'application/json' }, '{"data":[{"total":10.00}]}'),
    );
    const answer = await ask(server, { query: { cursor: 'a b&c', limit: '3' } });
    expect(JSON.stringify(answer.kind === 'page' && answer.body)).toBe(
      '{"data":[{"total":10.00}]}',
    );
    expect(server.requests).toEqual([
      { url: '/orders?fixed=yes&cursor=a+b%26c&limit=3', authorization: `Bearer ${TOKEN}` },
    ]);
  });

  test('may come compressed', async () => {
    const body = gzipSync('{"data":[]}');
    const server = await serve((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(body),
    );
    expect(await ask(server)).toMatchObject({ kind: 'page', body: { data: [] } });
  });

  test('started at the time of its Date header less the time it took', async () => {
    let nowMs = 5_000_000;
    const clock: Clock = { nowMs: () => nowMs, sleep: async () => undefined };
    const server = await serve((response) => {
      nowMs += 400;
      reply(response, 200, { date: 'Wed, 21 Oct 2037 07:28:00 GMT' }, '[]');
    });
    const startedAtMs = Date.parse('2037-10-21T07:27:59.600Z');
    expect(await ask(server, { clock })).toMatchObject({ startedAtMs });
  });

  test('without a Date started at our own time', async () => {
    const clock: Clock = { nowMs: () => 5_000_000, sleep: async () => undefined };
    const server = await serve((response) => {
      response.sendDate = false;
      reply(response, 200, {}, '[]');
    });
    expect(await ask(server, { clock })).toMatchObject({ startedAtMs: 5_000_000 });
  });

  test('may be a part, where the source says so', async () => {
    const server = await serve((response) => reply(response, 206, {}, '[]'));
    expect(await ask(server)).toMatchObject({ kind: 'page', isPart: true });
  });

  test('is none without content', async () => {
    const server = await serve((response) => response.writeHead(204).end());
    expect(await ask(server)).toEqual({
      kind: 'refused',
      status: 204,
      detail:
        'the source answered status 204, no content: a page without records holds an array without any',
    });
  });

  test('needs no token where none is asked for', async () => {
    const server = await serve((response) => reply(response, 200, {}, '[]'));
    await ask(server, { authorize: undefined });
    expect(server.requests[0]?.authorization).toBeUndefined();
  });
});

describe('a wait', () => {
  test('POLL-28: a date in Retry-After is five seconds from its own clock, and status 429 is kept', async () => {
    const server = await serve((response) =>
      reply(response, 429, {
        'retry-after': 'Wed, 21 Oct 2037 07:28:00 GMT',
        date: 'Wed, 21 Oct 2037 07:27:55 GMT',
      }),
    );
    expect(await ask(server)).toEqual({ kind: 'wait', status: 429, waitMs: 5_000 });
  });

  test.each([
    [429, { 'retry-after': '0.5' }, 500],
    [429, {}, undefined],
    [429, { 'x-ratelimit-reset': '17' }, 17_000],
    [429, { 'retry-after': 'soon', 'ratelimit-reset': '33' }, 33_000],
    // Of several the longest counts, unless it is of a limit with requests left.
    [429, { 'retry-after': '1', 'x-ratelimit-reset': '30', 'x-rate-limit-reset': '40' }, 40_000],
    [429, { 'ratelimit-reset': '1', 'x-ratelimit-reset': '30' }, 30_000],
    [429, { 'retry-after': '2', 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': '50' }, 2_000],
    [429, { 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': '50' }, 50_000],
    [503, { 'retry-after': '9' }, 9_000],
    [403, { 'retry-after': '60' }, 60_000],
    [502, { 'retry-after': '120' }, 120_000],
  ])('is what status %i with %j asks for', async (status, headers, waitMs) => {
    const server = await serve((response) => reply(response, status, headers));
    expect(await ask(server)).toEqual({ kind: 'wait', status, waitMs });
  });
});

describe('unavailable is', () => {
  test.each([500, 502, 503, 504, 408])('status %i', async (status) => {
    const server = await serve((response) => reply(response, status, {}));
    const detail = `the source answered status ${status}`;
    expect(await ask(server)).toEqual({ kind: 'unavailable', detail });
  });

  test('a connection that is dropped', async () => {
    const server = await serve((response) => response.destroy());
    expect(await ask(server)).toMatchObject({
      kind: 'unavailable',
      detail: expect.stringMatching(/connection .* broke/),
    });
  });

  test('a body cut in the middle', async () => {
    const server = await serve((response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"data":[');
      setImmediate(() => response.destroy());
    });
    expect((await ask(server)).kind).toBe('unavailable');
  });

  test('a body that ends too early without saying so', async () => {
    const server = await serve((response) => reply(response, 200, {}, '{"data":[{"a":"b'));
    expect(await ask(server)).toEqual({
      kind: 'unavailable',
      detail: 'the answer broke off after 16 characters',
    });
  });

  test('a body that ends in the middle of a character', async () => {
    const whole = Buffer.from('{"data":[{"a":"é');
    const server = await serve((response) => response.writeHead(200).end(whole.subarray(0, -1)));
    expect(await ask(server)).toEqual({
      kind: 'unavailable',
      detail: 'the answer broke off after 15 characters',
    });
  });

  test('an empty body', async () => {
    const server = await serve((response) => reply(response, 200, {}));
    expect(await ask(server)).toMatchObject({ kind: 'unavailable' });
  });

  test('silence, before the headers or after them', async () => {
    const silent = await serve(() => undefined);
    const detail = 'the source did not answer within 60 ms';
    expect(await ask(silent, { timeoutMs: 60 })).toEqual({ kind: 'unavailable', detail });
    const halting = await serve((response) => response.writeHead(200).write('['));
    expect(await ask(halting, { timeoutMs: 1_000 })).toEqual({
      kind: 'unavailable',
      detail: 'the answer was not whole after 1000 ms',
    });
  });

  test('silence that nobody waits for any more, which ends at once', async () => {
    const abort = new AbortController();
    const { url } = await serve(() => abort.abort());
    const source = httpPageSource({ url, authorize: undefined, clock: systemClock });
    const request = { query: {}, timeoutMs: 600_000, signal: abort.signal };
    expect(await source.fetchPage(request)).toMatchObject({ kind: 'unavailable' });
  });

  test('a host where nothing listens', async () => {
    const server = await serve(() => undefined);
    await server.close();
    expect(await ask(server)).toEqual({
      kind: 'unavailable',
      detail: `the connection to ${new URL(server.url).host} broke (ECONNREFUSED)`,
    });
  });
});

describe('refused is', () => {
  test.each([
    [403, 'the source answered status 403: the credentials do not allow this'],
    [404, 'the source answered status 404'],
    [410, 'the source answered status 410'],
    [418, 'the source answered status 418'],
  ])('status %i', async (status, detail) => {
    const server = await serve((response) => reply(response, status, {}, ''));
    expect(await ask(server)).toEqual({ kind: 'refused', detail, status });
  });

  test('HTML where JSON belongs', async () => {
    const server = await serve((response) =>
      reply(response, 200, { 'content-type': 'text/html' }, `<html>sign in, ${TOKEN}</html>`),
    );
    expect(await ask(server)).toEqual({
      kind: 'refused',
      detail: 'the source answered HTML or XML (text/html), not JSON',
    });
  });

  test('what is not JSON', async () => {
    const server = await serve((response) => reply(response, 200, {}, 'maintenance'));
    expect(await ask(server)).toMatchObject({
      kind: 'refused',
      detail: expect.stringMatching(/not JSON/),
    });
  });

  test('text that is not UTF-8, so that no two keys are taken for one', async () => {
    const server = await serve((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(Buffer.from('{"data":[{"id":"caf\xe9"},{"id":"caf\xe8"}]}', 'latin1'));
    });
    expect(await ask(server)).toEqual({
      kind: 'refused',
      detail: 'the source answered text that is not UTF-8',
    });
  });

  test('an answer that nests too deep to be read', async () => {
    const deep = `${'['.repeat(200_000)}1.0${']'.repeat(200_000)}`;
    const server = await serve((response) => reply(response, 200, {}, deep));
    const detail = 'the answer nests too deep to be read';
    expect(await ask(server)).toEqual({ kind: 'refused', detail });
  });

  test('a body larger than its limit', async () => {
    const server = await serve((response) => reply(response, 200, {}, `["${'x'.repeat(500)}"]`));
    expect(await ask(server, { bodyBytesMax: 100 })).toEqual({
      kind: 'refused',
      detail: 'the answer is larger than 100 bytes: ask for smaller pages (source.pageSize)',
    });
  });
});

describe('the token', () => {
  test('is read again once where it is refused, and the new one is used', async () => {
    const server = await serve((response, _at, { headers }) =>
      reply(response, headers.authorization === 'Bearer new' ? 200 : 401, {}, '[]'),
    );
    const authorize = bearer(async ({ fresh }) => (fresh ? 'new' : 'old'));
    expect((await ask(server, { authorize })).kind).toBe('page');
    expect(server.requests.map((r) => r.authorization)).toEqual(['Bearer old', 'Bearer new']);
  });

  test('that is refused twice is missing, wrong or expired', async () => {
    const server = await serve((response) => reply(response, 401, {}));
    expect(await ask(server)).toEqual({
      kind: 'refused',
      status: 401,
      detail: 'the source answered status 401: the credentials are missing, wrong or expired',
    });
    expect(server.requests).toHaveLength(2);
  });

  test('is read again at the statuses that the file names, once and no more', async () => {
    for (const [status, refetchOn, asked] of [
      [403, [401, 403], 2],
      [400, [400], 2],
      [401, [403], 1],
      [403, [401], 1],
    ] as const) {
      const server = await serve((response) => reply(response, status, {}));
      expect((await ask(server, { refetchOn })).kind).toBe('refused');
      expect(server.requests).toHaveLength(asked);
    }
  });

  test.each<[Record<string, string>, number | undefined]>([
    [{ 'retry-after': '30' }, 30_000],
    [{ 'x-ratelimit-remaining': '0' }, undefined],
  ])('is not to blame for a 403 with %j, which asks for a wait', async (headers, waitMs) => {
    const server = await serve((response) => reply(response, 403, headers));
    const answer = await ask(server, { refetchOn: [403] });
    expect(answer).toEqual({ kind: 'wait', status: 403, waitMs });
    expect(server.requests).toHaveLength(1);
  });

  test('that cannot be read fails with the reason of its reader', async () => {
    const server = await serve((response) => reply(response, 200, {}, '[]'));
    const authorize = () => Promise.reject(new Error('the secret is empty'));
    await expect(ask(server, { authorize })).rejects.toThrow('the secret is empty');
    expect(server.requests).toEqual([]);
  });

  test('with a line break in it is not quoted by the error it causes', async () => {
    const server = await serve((response) => reply(response, 200, {}, '[]'));
    const answer = await ask(server, { authorize: bearer(async () => `${TOKEN}\n${TOKEN}`) });
    expect(answer.kind).toBe('unavailable');
  });
});

test.each([
  ['orders', 'source.url is not a URL'],
  ['ftp://example.test/', 'source.url is neither http nor https'],
  ['http://u:hunter2@example.test/', 'source.url holds credentials; put them into a secret'],
])('%s is no source', (url, message) => {
  const open_ = (urlName?: string) => () =>
    httpPageSource({ url, urlName, authorize: undefined, clock: systemClock });
  expect(open_()).toThrow(message);
  expect(open_('TICKETS_API_URL')).toThrow(message.replace('source.url', 'TICKETS_API_URL'));
  expect(open_()).not.toThrow(/hunter2/);
});
