import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { httpPageSource } from '#adapters/http/page-source';
import type { HttpSourceOptions, RequestForm } from '#adapters/http/page-source';
import { bearer } from '#adapters/http/auth/bearer';
import { systemClock } from '#adapters/system/clock';
import { serve } from './scripted-server.ts';

const TEMPLATE = {
  query: 'query Q($after: String)',
  variables: { after: null, first: 0, filter: { since: '2000-01-01' } },
};
const POST: RequestForm = {
  method: 'POST',
  headers: { 'X-Team': 'blue', accept: 'application/graphql-response+json' },
  body: {
    template: TEMPLATE,
    params: ['variables.after', 'variables.first', 'variables.filter.since'],
  },
};

interface Heard {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

/** Answers an empty page, after as many redirects as are given. */
async function hearing(redirects: readonly [status: number, to: string][] = []) {
  const heard: Heard[] = [];
  const server = await serve((response, at, request) => {
    void text(request).then((body) => {
      const { method, url, headers } = request;
      heard.push({ method, url, headers, body });
      const [status, location] = redirects[at] ?? [200, undefined];
      if (location !== undefined) response.setHeader('location', location);
      response.writeHead(status).end(status === 200 ? '[]' : '');
    });
  });
  const ask = (query: Record<string, string>, over: Partial<HttpSourceOptions> = {}) =>
    httpPageSource({
      url: `${server.url}/graphql?v=2`,
      authorize: bearer(async () => 'tok-4e0'),
      clock: systemClock,
      request: POST,
      ...over,
    }).fetchPage({ query, timeoutMs: 5_000 });
  return { heard, ask };
}

describe('a request with a body', () => {
  test('carries what the template says, with its parameters put in and all others in the URL', async () => {
    const { heard, ask } = await hearing();
    const since = '2031-04-16T11:54:35Z';
    const query = { 'variables.first': '50', 'variables.filter.since': since, sort: 'asc' };
    expect(await ask({ ...query, 'variables.after': '17' })).toMatchObject({ kind: 'page' });
    expect(heard).toHaveLength(1);
    expect(heard[0]).toMatchObject({ method: 'POST', url: '/graphql?v=2&sort=asc' });
    expect(JSON.parse(heard[0]!.body)).toEqual({
      query: TEMPLATE.query,
      // Where the template holds a number, a number; a token stays a text.
      variables: { after: '17', first: 50, filter: { since } },
    });
  });

  test('leaves what it has no value for as the template has it', async () => {
    const { heard, ask } = await hearing();
    await ask({});
    expect(JSON.parse(heard[0]!.body)).toEqual(TEMPLATE);
  });

  test('carries the headers of the file, and its credentials before them', async () => {
    const { heard, ask } = await hearing();
    await ask({}, { request: { ...POST, headers: { ...POST.headers, AUTHORIZATION: 'none' } } });
    expect(heard[0]!.headers).toMatchObject({
      authorization: 'Bearer tok-4e0',
      'x-team': 'blue',
      accept: 'application/graphql-response+json',
      'content-type': 'application/json',
    });
  });

  test('holds every digit of a number', async () => {
    const { heard, ask } = await hearing();
    await ask({ 'variables.first': '9007199254740993' });
    expect(heard[0]!.body).toContain('"first":9007199254740993');
  });

  test('is refused where a number belongs, and there is none, without quoting it', async () => {
    const { heard, ask } = await hearing();
    expect(await ask({ 'variables.first': 'fifty-9d' })).toEqual({
      kind: 'refused',
      detail:
        'what belongs at `variables.first` of source.request.body is no whole number, as the template has it',
    });
    expect(heard).toEqual([]);
  });
});

describe('a redirect of a POST', () => {
  test.each([307, 308])('of status %i is followed with its body', async (status) => {
    const { heard, ask } = await hearing([[status, '/v3']]);
    expect(await ask({ 'variables.first': '7' })).toMatchObject({ kind: 'page' });
    expect(heard.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /graphql?v=2',
      'POST /v3',
    ]);
    expect(heard[1]!.body).toBe(heard[0]!.body);
    expect(heard[1]!.headers['authorization']).toBe('Bearer tok-4e0');
  });

  test.each([301, 302, 303])('of status %i is refused: it would be a GET', async (status) => {
    const { heard, ask } = await hearing([[status, '/v3']]);
    expect(await ask({})).toEqual({
      kind: 'refused',
      detail: `the source redirects a POST with status ${status}, which makes it a GET: set source.url to where it leads`,
    });
    expect(heard).toHaveLength(1);
  });
});

test('a GET may carry headers, too', async () => {
  const { heard, ask } = await hearing();
  await ask(
    { size: '3' },
    { request: { method: 'GET', headers: { 'X-V': '7' }, body: undefined } },
  );
  expect(heard[0]).toMatchObject({ method: 'GET', url: '/graphql?v=2&size=3', body: '' });
  expect(heard[0]!.headers['x-v']).toBe('7');
});
