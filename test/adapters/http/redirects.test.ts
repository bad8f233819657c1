import { afterEach, describe, expect, test, vi } from 'vitest';
import { httpPageSource } from '#adapters/http/page-source';
import { bearer } from '#adapters/http/auth/bearer';
import { systemClock } from '#adapters/system/clock';
import { scriptedServer } from './scripted-server.ts';
import type { ScriptedServer } from './scripted-server.ts';

const open: ScriptedServer[] = [];
afterEach(async () => {
  vi.unstubAllGlobals();
  await Promise.all(open.splice(0).map((server) => server.close()));
});

/** Redirects what `location` says, and answers an empty page to the rest. */
async function redirecting(
  status: number,
  location: (at: number, own: string) => string | undefined,
): Promise<ScriptedServer & { readonly methods: readonly string[] }> {
  const methods: string[] = [];
  const server = await scriptedServer((response, at, request) => {
    methods.push(request.method ?? '');
    const to = location(at, server.url);
    if (to === undefined) response.end('[]');
    else response.writeHead(status, { location: to }).end('a body that nobody reads');
  });
  open.push(server);
  return { ...server, methods };
}

function ask(url: string, token = 'tok-8d1x') {
  const source = httpPageSource({
    url,
    authorize: bearer(async () => token),
    clock: systemClock,
  });
  return source.fetchPage({ query: { limit: '3' }, timeoutMs: 5_000 });
}

describe('a redirect within the origin', () => {
  test.each([301, 302, 303, 307, 308])('of status %i is followed with GET', async (status) => {
    const server = await redirecting(status, (at) => (at === 0 ? '/v2/orders?p=1' : undefined));
    expect(await ask(`${server.url}/orders`)).toMatchObject({ kind: 'page' });
    expect(server.methods).toEqual(['GET', 'GET']);
    expect(server.requests[1]?.url).toBe('/v2/orders?p=1');
  });

  test.each([
    ['relative', () => 'orders?page=2'],
    ['absolute', (own: string) => `${own}/api/orders?page=2`],
    ['without its scheme', (own: string) => `${own.slice('http:'.length)}/api/orders?page=2`],
  ])('POLL-27: keeps the credentials where it is %s', async (_name, location) => {
    const server = await redirecting(302, (at, own) => (at === 0 ? location(own) : undefined));
    expect(await ask(`${server.url}/api/`)).toMatchObject({ kind: 'page' });
    expect(server.requests[1]).toEqual({
      url: '/api/orders?page=2',
      authorization: 'Bearer tok-8d1x',
    });
  });

  test.each([300, 305, 399])('of status %i is none', async (status) => {
    const server = await redirecting(status, (at) => (at === 0 ? '/v2' : undefined));
    const detail = `the source answered status ${status}`;
    expect(await ask(server.url)).toEqual({ kind: 'refused', detail, status });
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['in a circle', (at: number) => (at % 2 === 0 ? '/a' : '/b')],
    ['ever further', (at: number) => `/${at}`],
  ])('that leads %s is given up', async (_name, location) => {
    const server = await redirecting(307, location);
    const detail = 'the source redirects more than 5 times';
    expect(await ask(server.url)).toEqual({ kind: 'refused', detail });
    expect(server.requests).toHaveLength(6);
  });

  test('that brings a user name along is refused, and quotes none of it', async () => {
    const server = await redirecting(302, (_at, own) => own.replace('//', '//u:hunter2@'));
    const detail = 'the source redirects to a URL with a user name or password';
    expect(await ask(server.url)).toEqual({ kind: 'refused', detail });
  });
});

describe('a redirect to another origin', () => {
  test('POLL-26: is not followed: nobody there sees a header', async () => {
    const other = await redirecting(200, () => undefined);
    const server = await redirecting(302, () => `${other.url}/end`);
    expect(await ask(server.url)).toMatchObject({ kind: 'refused' });
    expect(other.requests).toEqual([]);
  });

  test.each([
    ['https://tok-8d1x.example.com/', 'https://***.example.com'],
    ['https://TOK-8D1-X9.example.com/', 'https://***.example.com', 'TOK-8D1-X9'],
    ['http://%74ok-8d1x.example.com/', 'http://***.example.com'],
    ['https://example.com/tok-8d1x/', 'https://example.com'],
    ['https://[2001:db8::1]/', '***', '2001:db8'],
  ])(
    'whose address holds the secret, %s, is named without it',
    async (location, origin, ...key) => {
      redirectAll(location);
      const answer = await ask('https://api.example.com/orders', ...key);
      expect(answer).toMatchObject({ detail: expect.stringContaining(`(${origin})`) });
    },
  );

  test.each([
    ['https://api.example.com:8443/', 'https://api.example.com:8443'],
    ['https://example.com/', 'https://example.com'],
    ['https://169.254.169.254/latest/meta-data/', 'https://169.254.169.254'],
    ['https://127.0.0.1/', 'https://127.0.0.1'],
    ['https://[::1]/', 'https://[::1]'],
    ['//localhost/', 'https://localhost'],
    ['file:///etc/passwd', 'null'],
  ])('such as %s is refused, and only its origin is named', async (location, origin) => {
    const asked = redirectAll(location);
    expect(await ask('https://api.example.com/orders')).toEqual({
      kind: 'refused',
      detail: `the source redirects to another origin (${origin}): set source.url to it if it is right`,
    });
    expect(asked).toEqual(['https://api.example.com/orders?limit=3']);
  });

  test('from https to http is refused without the advice to go there', async () => {
    const asked = redirectAll('http://api.example.com/orders');
    expect(await ask('https://api.example.com/orders')).toEqual({
      kind: 'refused',
      detail:
        'the source redirects from https to http (http://api.example.com), where credentials can be read',
    });
    expect(asked).toHaveLength(1);
  });

  test('that is no URL is refused', async () => {
    redirectAll('https://[');
    const detail = 'the source redirects to no URL';
    expect(await ask('https://api.example.com/')).toEqual({ kind: 'refused', detail });
  });
});

/** Stands in for a server that needs a certificate. */
function redirectAll(location: string): readonly string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: URL) => {
    asked.push(url.href);
    return new Response(null, { status: 302, headers: { location } });
  });
  return asked;
}
