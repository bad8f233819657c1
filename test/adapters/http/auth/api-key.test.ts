import { describe, expect, test } from 'vitest';
import { apiKey } from '#adapters/http/auth/api-key';
import { httpPageSource } from '#adapters/http/page-source';
import { systemClock } from '#adapters/system/clock';
import { serve } from '#test/adapters/http/scripted-server';
import { askOnce } from './ask-once.ts';

const KEY = 'k+3/9c=f&x';
const ENCODED = encodeURIComponent(KEY);
const SMALL = ENCODED.replaceAll(/%../g, (byte) => byte.toLowerCase());
const inHeader = (over: object = {}) =>
  apiKey({ header: 'X-Api-Key', prefix: '', ...over }, async () => KEY);
const inQuery = () => apiKey({ param: 'api_key', prefix: '' }, async () => KEY);

describe('a key in a header', () => {
  test.each([
    ['', KEY],
    ['Token token=', `Token token=${KEY}`],
  ])('stands there alone behind the prefix %j', async (prefix, sent) => {
    const headers: unknown[] = [];
    const server = await serve((response, _at, request) => {
      headers.push(request.headers['x-api-key']);
      response.end('[]');
    });
    expect((await askOnce(server.url, inHeader({ prefix }))).kind).toBe('page');
    expect(headers).toEqual([sent]);
    expect(server.requests[0]).toEqual({ url: '/', authorization: undefined });
  });

  test('POLL-26: never reaches another origin, which is not even asked', async () => {
    const other = await serve((response) => response.end('[]'));
    const server = await serve((response) =>
      response.writeHead(302, { location: `${other.url}/end` }).end(),
    );
    const answer = await askOnce(server.url, inHeader());
    expect(answer).toMatchObject({ kind: 'refused' });
    expect(other.requests).toEqual([]);
  });
});

describe('a key in the query', () => {
  test('joins the parameters when the request leaves', async () => {
    const server = await serve((response) => response.end('[]'));
    const query = Object.freeze({ limit: '3', cursor: 'c1' });
    await askOnce(`${server.url}/orders?fixed=yes`, inQuery(), { query });
    expect(server.requests[0]!.url).toBe(`/orders?fixed=yes&limit=3&cursor=c1&api_key=${ENCODED}`);
  });

  test('joins the address of a next page, which stays as it was written', async () => {
    const server = await serve((response) => response.end('[]'));
    const place = '/x?after=a%20b~c*(1)&flag&q=%E9&$skip=1,2:3/4';
    await httpPageSource({
      url: server.url,
      authorize: inQuery(),
      clock: systemClock,
    }).fetchPage({ query: {}, place, timeoutMs: 5_000 });
    expect(server.requests[0]!.url).toBe(`${place}&api_key=${ENCODED}`);
  });

  test('is kept by a redirect within its origin, even by one that leaves it out', async () => {
    const server = await serve((response, at) =>
      at === 0
        ? response.writeHead(307, { location: '/v2/orders?limit=3' }).end()
        : response.end('[]'),
    );
    expect((await askOnce(server.url, inQuery())).kind).toBe('page');
    expect(server.requests[1]!.url).toBe(`/v2/orders?limit=3&api_key=${ENCODED}`);
  });

  test('never reaches another origin, and no error repeats a redirect that quotes it', async () => {
    const other = await serve((response) => response.end('[]'));
    const server = await serve((response, _at, request) =>
      response.writeHead(302, { location: `${other.url}${request.url}` }).end(),
    );
    expect(await askOnce(server.url, inQuery())).toEqual({
      kind: 'refused',
      detail: `the source redirects to another origin (${other.url}): set source.url to it if it is right`,
    });
    expect(other.requests).toEqual([]);
  });
});

describe('an answer that quotes the key', () => {
  test.each([
    [
      'in the address of the next page',
      `"/o?api_key=${ENCODED}&page=2"`,
      '"/o?api_key=***&page=2"',
    ],
    [
      'with its characters escaped',
      `"/o?page=2\\u0026api_key\\u003d${ENCODED}"`,
      '"/o?page=2&api_key=***"',
    ],
    [
      'in an address within another',
      `"/login?to=%2Fo%3Fapi_key%3D${ENCODED}"`,
      '"/login?to=%2Fo%3Fapi_key%3D***"',
    ],
    ['in plain, twice', `"api_key=${KEY} api_key=${KEY}"`, '"api_key=*** api_key=***"'],
    ['in a member', `{"args":{"api_key":"${KEY}"}}`, '{"args":{"api_key":"***"}}'],
    ['without the parameter', `"${KEY}"`, '"***"'],
    ['as another parameter', `"/o?other_key=${ENCODED}"`, '"/o?other_key=***"'],
    ['in small percent', `"/o?api_key=${SMALL}"`, '"/o?api_key=***"'],
    ['with its slash escaped', `"${KEY.replace('/', String.raw`\/`)}"`, '"***"'],
  ])('%s is read without it', async (_where, quoted, read) => {
    const server = await serve((response) => response.end(`[${quoted},1.00]`));
    const answer = await askOnce(server.url, inQuery());
    expect(JSON.stringify(answer.kind === 'page' && answer.body)).toBe(`[${read},1.00]`);
  });
});

test('a key that is refused is read again once', async () => {
  const server = await serve((response, _at, request) => {
    response.statusCode = request.url?.endsWith('=new') ? 200 : 401;
    response.end('[]');
  });
  const reads: boolean[] = [];
  const key = apiKey({ param: 'k', prefix: '' }, async ({ fresh }) => {
    reads.push(fresh);
    return fresh ? 'new' : 'old';
  });
  expect((await askOnce(server.url, key)).kind).toBe('page');
  expect(reads).toEqual([false, true]);
  expect(server.requests.map(({ url }) => url)).toEqual(['/?k=old', '/?k=new']);
});
