/** Pages that are asked for by the URL which an answer named. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linkedPlace } from '#adapters/http/linked-place';
import { pageHead } from '#adapters/http/page-head';
import { httpPageSource } from '#adapters/http/page-source';
import { bearer } from '#adapters/http/auth/bearer';
import { strikeCredentials } from '#adapters/http/auth/strike-secrets';
import { pageUrl } from '#adapters/http/page-url';
import { systemClock } from '#adapters/system/clock';
import { poll } from '#pipeline/poll';
import type { PageAnswer, PageRequest } from '#ports/page-source';
import { options, row, savedCursor, testWorld } from '#test/pipeline/poll-world';
import { serve } from './scripted-server.ts';
import type { ScriptedServer } from './scripted-server.ts';

const TOKEN = 'tok-3f9c';
/** Asks for pages of the server at `path`, with the token. */
function sourceAt(server: ScriptedServer, path: string) {
  const source = httpPageSource({
    url: server.url + path,
    authorize: bearer(async () => TOKEN),
    clock: systemClock,
  });
  return async (request: Pick<PageRequest, 'query' | 'place'>) => {
    const answer = await source.fetchPage({ ...request, timeoutMs: 5_000 });
    if (answer.kind !== 'page' || answer.head === undefined) throw new Error(answer.kind);
    return answer as PageAnswer & { readonly head: NonNullable<typeof answer.head> };
  };
}

describe('a link', () => {
  test.each([
    ['a path', () => '/api/orders?page=2'],
    ['a whole URL', (url: string) => `${url}/api/orders?page=2`],
    ['a query alone', () => '?page=2'],
    ['a name beside', () => 'orders?page=2#top'],
  ])('POLL-27: that is %s of the same origin is asked with the token', async (_what, write) => {
    const server = await serve((response) => response.end('[]'));
    const ask = sourceAt(server, '/api/orders');
    const { head } = await ask({ query: {} });
    const next = head.place(write(server.url), []);
    expect(next).toEqual({ kind: 'next', token: '/api/orders?page=2' });
    await ask({ query: {}, place: next.kind === 'next' ? next.token : '' });
    expect(server.requests[1]).toEqual({
      url: '/api/orders?page=2',
      authorization: `Bearer ${TOKEN}`,
    });
  });

  test.each([
    'https://elsewhere.test/api/orders?page=2',
    '//elsewhere.test/api/orders',
    '\\\\elsewhere.test\\api',
    'ftp://127.0.0.1/orders',
    'data:application/json,[]',
  ])('to %s leads to another origin, which is said and named', async (reference) => {
    const server = await serve((response) => response.end('[]'));
    const { head } = await sourceAt(server, '/api/orders')({ query: {} });
    expect(head.place(reference, [])).toEqual({
      kind: 'unreadable',
      detail: expect.stringMatching(
        /^the link to the next page leads to another origin \(.+\), where nothing is sent: set source\.url/,
      ),
    });
    expect(server.requests).toHaveLength(1);
  });

  test('that is no URL is said', async () => {
    const server = await serve((response) => response.end('[]'));
    const { head } = await sourceAt(server, '/')({ query: {} });
    expect(head.place('http://[', [])).toEqual({
      kind: 'unreadable',
      detail: 'the link to the next page is no URL',
    });
  });

  test('is relative to where a redirect within the origin has led', async () => {
    const server = await serve((response, at) =>
      at === 0 ? response.writeHead(307, { location: '/v2/orders' }).end() : response.end('[]'),
    );
    const { head } = await sourceAt(server, '/v1/orders')({ query: {} });
    expect(head.place('?page=2', [])).toEqual({ kind: 'next', token: '/v2/orders?page=2' });
  });

  test('may stand in a header, which is found in any case', async () => {
    const server = await serve((response) =>
      response
        .writeHead(
          200,
          [
            ['Link', '</a>; rel="prev"'],
            ['LINK', '</b>; rel="next"'],
          ].flat(),
        )
        .end('[]'),
    );
    const { head } = await sourceAt(server, '/')({ query: {} });
    expect(head.header('link')).toBe('</a>; rel="prev", </b>; rel="next"');
    expect(head.header('x-next')).toBeUndefined();
  });
});

test('a token that a link carries, as it came or encoded, is not part of the place', async () => {
  const server = await serve((response) => response.end('[]'));
  const { head } = await sourceAt(server, '/')({ query: {} });
  for (const written of [TOKEN, `Bearer+${TOKEN}`, TOKEN.replace('-', '%2D')]) {
    expect(head.place(`/o?page=2&access_token=${written}`, [])).toEqual({
      kind: 'next',
      token: '/o?page=2',
    });
  }
});

/** Where a link leads that is answered to a request with this header. */
function placeOf(authorization: string, link: string, answered = 'https://api.test/orders') {
  const credentials = { kind: 'credentials', headers: { authorization }, params: {} } as const;
  const response = new Response('[]');
  Object.defineProperty(response, 'url', { value: answered });
  const strike = strikeCredentials(credentials);
  const head = pageHead(response, new URL('https://api.test/orders'), { credentials, strike });
  const place = head.place(link, []);
  return { place, isStruck: place.kind === 'next' && head.isStruck(place.token) };
}

test.each([
  ['Bearer ab+cd/ef==', 'access_token=ab+cd/ef==&page=2'],
  ['Bearer ab+cd/ef==', 'access_token=ab%2bcd%2fef%3d%3d&page=2'],
  ['Token token=s3cret-1', 'page=2&token=s3cret-1'],
  ['Token token="s3cret-1"', 'page=2&token=s3cret-1'],
  [`Basic ${btoa('sk_live_1:')}`, 'page=2&api_key=sk_live_1'],
  [`Basic ${btoa('sk_live_1:X')}`, 'page=2&api_key=sk_live_1'],
  [`Basic ${btoa('bob:s3cret:x')}`, 'page=2&password=s3cret%3Ax'],
])('what %s shows is not part of %s', (authorization, search) => {
  expect(placeOf(authorization, `/o?${search}`)).toEqual({
    place: { kind: 'next', token: '/o?page=2' },
    isStruck: false,
  });
});

test.each([
  ['a name beside a password', 'roberta-b:s3cret-99', '/o?user=roberta-b'],
  ['a password of few characters', 'bob:3', '/o?page=3'],
  ['a password of seven', 'bob:sevenet', '/o?by=sevenet'],
])('%s may stand in a link', (_what, login, link) => {
  expect(placeOf(`Basic ${btoa(login)}`, link)).toEqual({
    place: { kind: 'next', token: link },
    isStruck: false,
  });
});

test.each([
  ['in its path', '/v1/tok-3f9c/orders?page=2', undefined],
  ['within a value', '/orders?sig=k-tok-3f9c', undefined],
  ['in the address that it is relative to', '?page=2', 'https://api.test/v1/tok-3f9c/orders'],
])('a link with the token %s is no place any more', (_where, link, answered) => {
  const { place, isStruck } = placeOf(`Bearer ${TOKEN}`, link, answered);
  expect(JSON.stringify(place)).not.toContain(TOKEN);
  expect(isStruck).toBe(true);
});

test('a link to another host whose name holds the token is said without it', () => {
  const { place } = placeOf(`Bearer ${TOKEN}`, `https://${TOKEN}.elsewhere.test/o`);
  expect(place).toMatchObject({ detail: expect.stringContaining('(https://***.elsewhere.test)') });
});

test('three stars that a source writes itself are a value like any other', () => {
  expect(placeOf(`Bearer ${TOKEN}`, '/o?glob=***&page=2')).toEqual({
    place: { kind: 'next', token: '/o?glob=***&page=2' },
    isStruck: false,
  });
});

describe('what the pipeline file fixes', () => {
  test('is not part of the place, however it is spelt, and is put back when that is asked', async () => {
    const server = await serve((response) => response.end('[]'));
    const ask = sourceAt(server, '/orders?api_key=hunter2');
    const { head } = await ask({ query: { signature: 's3cret', limit: '3' } });
    const next = head.place('/orders?limit=3&ap%69_key=hunter2&cursor=a%2Fb+c/d&signature=s3cret', [
      'signature',
    ]);
    expect(next).toEqual({ kind: 'next', token: '/orders?limit=3&cursor=a%2Fb+c/d' });
    await ask({ query: { signature: 's3cret' }, place: '/orders?limit=3&cursor=a%2Fb+c/d' });
    expect(server.requests[1]?.url).toBe(
      '/orders?limit=3&cursor=a%2Fb+c/d&api_key=hunter2&signature=s3cret',
    );
  });

  test('stands in the place of what the link said instead', () => {
    const base = new URL('https://api.test/orders?region=eu');
    const rules = { base, answered: base.href, leftOut: ['kind'] };
    expect(linkedPlace('/o?region=us&kind=none', rules)).toEqual({ kind: 'next', token: '/o' });
    expect(pageUrl(base, { place: '/o', query: { kind: 'all' } }).href).toBe(
      'https://api.test/o?region=eu&kind=all',
    );
  });
});

test('no place leads away from the origin of the source', () => {
  const base = new URL('https://api.test/orders');
  const place = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '//elsewhere.test/x',
      '/\\elsewhere.test',
      'https://elsewhere.test',
      '@elsewhere.test',
    ),
    fc.webUrl().map((url) => url.slice('https:'.length)),
  );
  fc.assert(
    fc.property(place, (text) => {
      expect(pageUrl(base, { place: text, query: { k: '1' } }).origin).toBe(base.origin);
    }),
  );
});

test('what is asked is what the link said, beside what the file fixes', () => {
  const name = fc.constantFrom('cursor', 'page', 'kind', 'key', 'a b', 'é');
  const params = fc.array(fc.tuple(name, fc.string({ unit: 'grapheme', maxLength: 5 })), {
    maxLength: 5,
  });
  const path = fc.constantFrom('/orders', '/v2/a%2Fb/', '//double', '/');
  fc.assert(
    fc.property(path, params, (pathname, said) => {
      const base = new URL('https://api.test/orders?key=k1');
      const link = `https://api.test${pathname}?${new URLSearchParams(said).toString()}`;
      const next = linkedPlace(link, { base, answered: base.href, leftOut: ['kind'] });
      if (next.kind !== 'next') throw new Error(next.detail);
      const asked = pageUrl(base, { place: next.token, query: { kind: 'all' } });
      expect(asked.pathname).toBe(pathname);
      const others = said.filter(([param]) => param !== 'kind' && param !== 'key');
      expect([...asked.searchParams]).toEqual([...others, ['key', 'k1'], ['kind', 'all']]);
    }),
  );
});

describe('a run over links', () => {
  const told = {
    ...options,
    source: {
      ...options.source,
      fixed: { kind: 'all' },
      pagination: { kind: 'link', next: ['next'] } as const,
    },
  };
  const items = (id: number) => [row(String(id), '2031-06-12T15:00:00Z')];

  /** Three pages, each with a link to the next that repeats whatever it was asked with. */
  async function linking(lastLink: (asked: URL) => string | null) {
    const server = await serve((response, at, { url, headers }) => {
      const asked = new URL(url ?? '', `http://${headers.host}`);
      asked.searchParams.set('page', String(at + 2));
      response.end(
        JSON.stringify({ items: items(at), next: at < 2 ? asked.href : lastLink(asked) }),
      );
    });
    const source = httpPageSource({
      url: `${server.url}/orders?api_key=hunter2`,
      authorize: bearer(async () => TOKEN),
      clock: systemClock,
    });
    return { server, world: testWorld([], { source }) };
  }

  test('asks each with the token and what the file fixes, and stores neither', async () => {
    const { server, world } = await linking(() => null);
    expect(await poll(told, world)).toMatchObject({ kind: 'caught-up', pages: 3, published: 3 });
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/orders?api_key=hunter2&kind=all&limit=3',
      '/orders?limit=3&page=2&api_key=hunter2&kind=all',
      '/orders?limit=3&page=3&api_key=hunter2&kind=all',
    ]);
    expect(new Set(server.requests.map(({ authorization }) => authorization))).toEqual(
      new Set([`Bearer ${TOKEN}`]),
    );
  });

  test('that leads elsewhere ends in one sentence, with nothing sent and no secret stored', async () => {
    const other = await serve((response) => response.end('{"items":[]}'));
    const { world } = await linking(({ search }) => `${other.url}/orders${search}`);
    const outcome = await poll(told, world);
    expect(outcome).toMatchObject({
      kind: 'failed',
      pages: 2,
      detail:
        `the link to the next page leads to another origin (${other.url}), where nothing is sent: ` +
        'set source.url to it if it is right',
    });
    expect(other.requests).toEqual([]);
    const { cursor } = await savedCursor(world);
    expect(cursor).toContain('"token":"/orders?limit=3&page=3"');
    expect(cursor).not.toContain('hunter2');
  });
});
