import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { oauth2 } from '#adapters/http/auth/oauth2';
import type { OAuthClient } from '#adapters/http/auth/token-endpoint';
import { scriptedServer } from '#test/adapters/http/scripted-server';
import { testClock } from '#test/pipeline/poll-world';
import { askOnce } from './ask-once.ts';
import { answerJson, tokenServer } from './token-server.ts';

const SECRET = 's3cr+t/=';
const signal = new AbortController().signal;
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

interface Given {
  readonly client?: Partial<OAuthClient>;
  readonly secrets?: readonly string[];
  readonly timeoutMs?: number;
}

/** A client of a token endpoint; the n-th reading of the secret anew is the n-th text. */
async function clientOf(
  answer: (response: ServerResponse, at: number) => void,
  { client = {}, secrets = [SECRET], timeoutMs }: Given = {},
) {
  const server = await tokenServer(answer);
  open.push(server);
  const clock = testClock();
  let reading = 0;
  const authorize = oauth2(
    { tokenUrl: server.url, clientId: 'app', clientIn: 'body', ...client },
    {
      readSecret: async ({ fresh }) =>
        secrets[fresh && reading < secrets.length - 1 ? ++reading : reading]!,
      clock,
      timeoutMs,
    },
  );
  const tokenOf = async () => {
    const shown = await authorize({ signal });
    return shown.kind === 'credentials' ? shown.headers['authorization'] : shown;
  };
  return { server, clock, authorize, tokenOf };
}

const numbered =
  (more: object = { expires_in: 100 }) =>
  (response: ServerResponse, at: number) =>
    answerJson(response, 200, { access_token: `t${at}`, token_type: 'Bearer', ...more });

describe('a token is asked for', () => {
  test('with the id and the secret in the body, scope and audience where they are given', async () => {
    const client = { scope: 'read write', audience: 'https://api.example' };
    const { server, tokenOf } = await clientOf(numbered(), { client });
    expect(await tokenOf()).toBe('Bearer t0');
    expect(server.asked).toEqual([
      {
        authorization: undefined,
        form: {
          grant_type: 'client_credentials',
          client_id: 'app',
          client_secret: SECRET,
          ...client,
        },
      },
    ]);
  });

  test('with both form-encoded in a header where the file says so', async () => {
    const { server, tokenOf } = await clientOf(numbered(), {
      client: { clientIn: 'header', clientId: 'my app:1' },
    });
    await tokenOf();
    const pair = btoa('my+app%3A1:s3cr%2Bt%2F%3D');
    expect(server.asked).toEqual([
      { authorization: `Basic ${pair}`, form: { grant_type: 'client_credentials' } },
    ]);
  });

  test('once, by however many pages at once, and again when nine tenths of its life are over', async () => {
    const { server, clock, tokenOf } = await clientOf(numbered());
    expect(await Promise.all([tokenOf(), tokenOf(), tokenOf()])).toEqual(
      Array.from({ length: 3 }, () => 'Bearer t0'),
    );
    clock.advance(89_999);
    expect(await tokenOf()).toBe('Bearer t0');
    expect(server.asked).toHaveLength(1);
    clock.advance(1);
    expect(await tokenOf()).toBe('Bearer t1');
  });

  test('before the next page, where it ran out in a wait', async () => {
    const { clock, authorize, server } = await clientOf(numbered());
    const api = await scriptedServer((response, at) =>
      at === 0 ? response.writeHead(429, { 'retry-after': '120' }).end() : response.end('[]'),
    );
    open.push(api);
    expect(await askOnce(api.url, authorize, { clock })).toMatchObject({ waitMs: 120_000 });
    await clock.sleep(120_000);
    expect((await askOnce(api.url, authorize, { clock })).kind).toBe('page');
    expect(api.requests.map(({ authorization }) => authorization)).toEqual([
      'Bearer t0',
      'Bearer t1',
    ]);
    expect(server.asked).toHaveLength(2);
  });

  test('again once where the source refuses it, by however many pages at once', async () => {
    const { server, authorize } = await clientOf(numbered());
    const api = await scriptedServer((response, _at, request) => {
      response.statusCode = request.headers.authorization === 'Bearer t1' ? 200 : 401;
      response.end('[]');
    });
    open.push(api);
    await authorize({ signal });
    const pages = await Promise.all([0, 1, 2].map(() => askOnce(api.url, authorize)));
    expect(pages.map(({ kind }) => kind)).toEqual(['page', 'page', 'page']);
    expect(server.asked).toHaveLength(2);
  });

  test('twice and no more for a page whose every token is refused', async () => {
    const { server, authorize } = await clientOf(numbered());
    const api = await scriptedServer((response) => response.writeHead(401).end());
    open.push(api);
    expect(await askOnce(api.url, authorize)).toEqual({
      kind: 'refused',
      status: 401,
      detail: 'the source answered status 401: the credentials are missing, wrong or expired',
    });
    expect([server.asked.length, api.requests.length]).toEqual([2, 2]);
  });

  test('with a secret read anew where the endpoint refuses the one known', async () => {
    const { server, tokenOf } = await clientOf(
      (response, at) => (at === 0 ? answerJson(response, 401, {}) : numbered()(response, at)),
      { secrets: ['old', 'new'] },
    );
    expect(await tokenOf()).toBe('Bearer t1');
    expect(server.asked.map(({ form }) => form['client_secret'])).toEqual(['old', 'new']);
  });
});

describe('a token whose life is', () => {
  test.each([
    ['not named', {}],
    ['nothing', { expires_in: 0 }],
    ['no number', { expires_in: 'soon' }],
  ])('%s is kept for most of an hour', async (_what, more) => {
    const { server, clock, tokenOf } = await clientOf(numbered(more));
    await tokenOf();
    clock.advance(3_239_999);
    await tokenOf();
    expect(server.asked).toHaveLength(1);
    clock.advance(1);
    expect(await tokenOf()).toBe('Bearer t1');
  });

  test('over when it arrives is shown to nobody', async () => {
    const { clock, tokenOf } = await clientOf((response, at) => {
      clock.advance(300);
      numbered({ expires_in: 0.25 })(response, at);
    });
    const detail = 'the token endpoint gave a token already expired';
    expect(await tokenOf()).toEqual({ kind: 'unavailable', detail });
  });
});

describe('while a token is good, an endpoint that fails', () => {
  test.each([
    ['is down', 503, {}, 30_000],
    ['asks for a wait', 429, { 'retry-after': '40' }, 40_000],
  ])('and %s costs no page, and is left alone for a while', async (_what, status, headers, ms) => {
    const { server, clock, tokenOf } = await clientOf((response, at) =>
      at === 0
        ? numbered({ expires_in: 1_000 })(response, at)
        : response.writeHead(status, headers).end(),
    );
    await tokenOf();
    clock.advance(900_000);
    expect([await tokenOf(), await tokenOf()]).toEqual(['Bearer t0', 'Bearer t0']);
    clock.advance(ms - 1);
    await tokenOf();
    expect(server.asked).toHaveLength(2);
    clock.advance(1);
    expect(await tokenOf()).toBe('Bearer t0');
    expect(server.asked).toHaveLength(3);
    clock.advance(100_000);
    expect(await tokenOf()).toMatchObject({ kind: status === 429 ? 'wait' : 'unavailable' });
  });
});

test('a token that could not be replaced in time is shown to its end and no longer', async () => {
  const { clock, tokenOf } = await clientOf((response, at) =>
    at === 0 ? numbered()(response, at) : response.writeHead(500).end(),
  );
  await tokenOf();
  clock.advance(90_000);
  await tokenOf();
  clock.advance(9_999);
  expect(await tokenOf()).toBe('Bearer t0');
  clock.advance(1);
  expect(await tokenOf()).toMatchObject({ kind: 'unavailable' });
});

test('a wait that the endpoint named is kept by every page', async () => {
  const { server, clock, tokenOf } = await clientOf((response, at) =>
    at === 0 ? response.writeHead(503, { 'retry-after': '50' }).end() : numbered()(response, at),
  );
  expect(await tokenOf()).toEqual({ kind: 'wait', status: 503, waitMs: 50_000 });
  clock.advance(20_000);
  expect(await tokenOf()).toEqual({ kind: 'wait', status: 503, waitMs: 30_000 });
  expect(server.asked).toHaveLength(1);
  clock.advance(30_000);
  expect(await tokenOf()).toBe('Bearer t1');
});

test('a page that waits no longer ends, and the token comes to the next', async () => {
  let held: ServerResponse | undefined;
  const waiting = new AbortController();
  const { server, authorize, tokenOf } = await clientOf((response) => {
    held = response;
    waiting.abort();
  });
  expect(await authorize({ signal: waiting.signal })).toEqual({
    kind: 'unavailable',
    detail: 'the token endpoint did not answer in the time of one request',
  });
  const next = tokenOf();
  numbered()(held!, 0);
  expect(await next).toBe('Bearer t0');
  expect(server.asked).toHaveLength(1);
});

describe('an endpoint that', () => {
  const HELP = ': the client id or secret is wrong, or belongs elsewhere (source.auth.clientIn)';
  const MOVED = ': it redirects, which is not followed; set source.auth.tokenUrl to where it leads';
  test.each([
    [400, { error: 'invalid_scope', error_description: SECRET }, 'refused', ' (invalid_scope)'],
    [401, { error: 'invalid_client' }, 'refused', ` (invalid_client)${HELP}`],
    [400, { error: 'invalid_client' }, 'refused', ` (invalid_client)${HELP}`],
    [401, 'no', 'refused', HELP],
    [403, { error: `bad ${SECRET}` }, 'refused', ''],
    [404, {}, 'refused', ''],
    [302, {}, 'refused', MOVED],
    [500, { error: 'server_error' }, 'unavailable', ' (server_error)'],
    [503, 'x'.repeat(300_000), 'unavailable', ''],
    [408, {}, 'unavailable', ''],
  ])('answers status %i with %j is %s', async (status, body, kind, rest) => {
    const { tokenOf } = await clientOf((response) => {
      response.setHeader('location', '/elsewhere');
      answerJson(response, status, body);
    });
    const detail = `the token endpoint answered status ${status}${rest}`;
    expect(await tokenOf()).toEqual({ kind, detail });
  });

  const NO_TOKEN = 'the token endpoint answered without a usable access_token';
  const NO_OBJECT = 'the token endpoint answered what is not a JSON object';
  test.each([
    ['<html>sign in</html>', NO_OBJECT],
    ['', NO_OBJECT],
    ['"t0"', NO_OBJECT],
    ['{}', NO_TOKEN],
    ['{"access_token":7}', NO_TOKEN],
    ['{"access_token":"two words"}', NO_TOKEN],
    ['{"error":"access_denied"}', `${NO_TOKEN} (access_denied)`],
    [
      '{"access_token":"t","token_type":"mac"}',
      'the token endpoint gave a token that is no bearer token',
    ],
    [`{"access_token":"${'t'.repeat(300_000)}"}`, NO_OBJECT],
  ])('answers status 200 with %s is refused', async (body, detail) => {
    const { tokenOf } = await clientOf((response) => response.end(body));
    expect(await tokenOf()).toEqual({ kind: 'refused', detail });
  });

  test('drops the connection is unavailable', async () => {
    const { server, tokenOf } = await clientOf((response) => response.destroy());
    expect(await tokenOf()).toMatchObject({
      kind: 'unavailable',
      detail: expect.stringContaining(`the connection to ${new URL(server.url).host} broke`),
    });
  });

  test('breaks off in its token is unavailable', async () => {
    const { tokenOf } = await clientOf((response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"access_');
      setImmediate(() => response.destroy());
    });
    expect(await tokenOf()).toMatchObject({ kind: 'unavailable' });
  });

  test('says nothing is unavailable', async () => {
    const { tokenOf } = await clientOf(() => undefined, { timeoutMs: 60 });
    const detail = 'the token endpoint did not answer within 60 ms';
    expect(await tokenOf()).toEqual({ kind: 'unavailable', detail });
  });

  test('redirects is not followed, to its own origin or to another', async () => {
    const other = await scriptedServer((response) => response.end('{"access_token":"t"}'));
    open.push(other);
    for (const location of ['/oauth/token', `${other.url}/token`]) {
      const { server, tokenOf } = await clientOf((response) =>
        response.writeHead(307, { location }).end(),
      );
      expect(await tokenOf()).toMatchObject({ kind: 'refused' });
      expect(server.asked).toHaveLength(1);
    }
    expect(other.requests).toEqual([]);
  });

  test.each(['oauth/token', 'ftp://a.example/', 'https://me:hunter2@a.example/'])(
    'would be %s is none, and is named by its variable',
    (tokenUrl) => {
      const make = (tokenUrlName?: string) => () =>
        oauth2(
          { tokenUrl, tokenUrlName, clientId: 'app', clientIn: 'body' },
          { readSecret: async () => SECRET, clock: testClock() },
        );
      expect(make()).toThrow(/^source\.auth\.tokenUrl (is|holds) /);
      expect(make('APP_TOKEN_URL')).toThrow(/^APP_TOKEN_URL (is|holds) /);
      expect(make()).not.toThrow(/hunter2/);
    },
  );
});
