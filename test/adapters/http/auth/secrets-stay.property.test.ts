/** Whatever a source and a token endpoint quote of what they were sent, nothing of ours repeats it. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiKey } from '#adapters/http/auth/api-key';
import type { Authorize } from '#adapters/http/auth/authorize';
import { basic } from '#adapters/http/auth/basic';
import { bearer } from '#adapters/http/auth/bearer';
import { oauth2 } from '#adapters/http/auth/oauth2';
import { refreshGrant } from '#adapters/http/auth/refresh-grant';
import { tokenEndpoint } from '#adapters/http/auth/token-endpoint';
import { httpPageSource } from '#adapters/http/page-source';
import { memoryPollStateStore } from '#adapters/memory/poll-state-store';
import { memoryTurns } from '#adapters/memory/turns';
import { memorySecret } from '#adapters/memory/versioned-secret';
import { secretForms } from '#functions/handle/secret-forms';
import { poll } from '#pipeline/poll';
import { scriptedServer } from '#test/adapters/http/scripted-server';
import type { ScriptedServer } from '#test/adapters/http/scripted-server';
import { options, START_MS, testClock, testWorld } from '#test/pipeline/poll-world';

const TOKEN = 'issued-7Q2x';
const NEXT = 'follows-9Zk4';

/** How a server answers: whatever is not a good answer holds all that it was sent. */
const REPLIES = {
  good: (response: ServerResponse, body: object) => response.end(JSON.stringify(body)),
  coded: (response: ServerResponse, _body: object, sent: string) =>
    response.writeHead(400).end(JSON.stringify({ error: sent, error_description: sent })),
  unauthorized: (response: ServerResponse, _body: object, sent: string) =>
    response
      .writeHead(401, { 'www-authenticate': `Bearer error="${encodeURIComponent(sent)}"` })
      .end(sent),
  down: (response: ServerResponse, _body: object, sent: string) =>
    response.writeHead(503, { 'x-sent': encodeURIComponent(sent) }).end(sent),
  moved: (response: ServerResponse, _body: object, sent: string) =>
    response
      .writeHead(307, { location: `http://127.0.0.1:9/${encodeURIComponent(sent)}` })
      .end(sent),
  html: (response: ServerResponse, _body: object, sent: string) =>
    response.end(`<html>${sent}</html>`),
  words: (response: ServerResponse, _body: object, sent: string) => response.end(`sent: ${sent}`),
  dropped: (response: ServerResponse) => response.destroy(),
} as const;
type Reply = keyof typeof REPLIES;

let ofEndpoint: readonly Reply[] = [];
let ofSource: readonly Reply[] = [];
let source: ScriptedServer;
let endpoint: ScriptedServer;
let asked = { source: 0, endpoint: 0 };

beforeAll(async () => {
  source = await scriptedServer(async (response, _at, request) => {
    const at = asked.source++;
    const { url = '' } = request;
    const sent = { url: request.url, headers: request.headers };
    const row = { order_id: `o${at}`, updated_at: '2031-06-12T15:00:00Z', self: url, sent };
    // The next page's address, or records of another shape, as a source would write its own links.
    const items = at === 1 && url.length % 2 === 0 ? { [url]: row } : [row, { self: url, sent }];
    // A token with the secret is the last that is read.
    const next = [`${at}`, `${at}`, `${url}#${at}`][at] ?? null;
    const body = { items, next };
    REPLIES[ofSource[at] ?? 'good'](response, body, await sentBy(request));
  });
  endpoint = await scriptedServer(async (response, _at, request) => {
    const body = { access_token: TOKEN, expires_in: 60, refresh_token: NEXT };
    REPLIES[ofEndpoint[asked.endpoint++] ?? 'good'](response, body, await sentBy(request));
  });
});
afterAll(() => Promise.all([source.close(), endpoint.close()]));

/** As it came, and with the parameters in plain. */
async function sentBy(request: IncomingMessage): Promise<string> {
  const url = new URL(request.url ?? '', 'http://a.example');
  const headers = Object.values(request.headers).join(' ');
  return [request.url, ...url.searchParams.values(), headers, await text(request)].join(' ');
}

const KINDS: Readonly<Record<string, (secret: string) => Authorize>> = {
  bearer: (secret) => bearer(async () => secret),
  'a key in a header': (secret) => apiKey({ header: 'x-key', prefix: 'Key ' }, async () => secret),
  'a key in the query': (secret) => apiKey({ param: 'key', prefix: '' }, async () => secret),
  basic: (secret) => basic(async () => JSON.stringify({ username: 'ada', password: secret })),
  'no login where one belongs': (secret) => basic(async () => `ada:${secret}`),
  'oauth2 in the body': (secret) => oauth(secret, 'body'),
  'oauth2 in a header': (secret) => oauth(secret, 'header'),
  'a refresh token': (secret) =>
    refresh(JSON.stringify({ clientSecret: `${secret}2`, refreshToken: secret })),
  'no refresh token where one belongs': (secret) => refresh(JSON.stringify({ token: secret })),
};
const oauth = (secret: string, clientIn: 'body' | 'header') =>
  oauth2(
    { tokenUrl: `${endpoint.url}/token`, clientId: 'app', clientIn },
    { readSecret: async () => secret, clock: testClock() },
  );

const refresh = (text: string) => {
  const clock = testClock();
  const client = { tokenUrl: `${endpoint.url}/token`, clientId: 'app', clientIn: 'body' } as const;
  return refreshGrant(tokenEndpoint(client, { clock }), {
    secret: memorySecret(text),
    secretName: 'penstock/dev/orders-grant',
    turns: memoryTurns(),
    clock,
    newId: randomUUID,
    remainingMs: () => 60_000,
    onBegun: () => undefined,
  });
};

const reply = fc.constantFrom(...(Object.keys(REPLIES) as Reply[]));
const aSecret = fc.string({
  unit: fc.constantFrom(...'abcXYZ059+/=&%_-.:'),
  minLength: 9,
  maxLength: 20,
});

test.each(Object.keys(KINDS))(
  'a secret shown as %s is in no outcome, no event, no stored state, no quarantine and no stream',
  async (kind) => {
    let polls = 0;
    await fc.assert(
      fc.asyncProperty(
        aSecret,
        fc.array(reply, { maxLength: 4 }),
        fc.array(reply, { maxLength: 4 }),
        async (secret, source_, endpoint_) => {
          [ofSource, ofEndpoint, asked] = [source_, endpoint_, { source: 0, endpoint: 0 }];
          const states = memoryPollStateStore();
          const clock = testClock();
          const world = testWorld([], {
            clock,
            states,
            source: httpPageSource({
              url: `${source.url}/orders`,
              clock,
              authorize: KINDS[kind]!(secret),
            }),
          });
          const outcome = await poll(options, world);
          const state = await states.acquire({
            pipeline: options.pipeline,
            nowMs: START_MS + 3_600_000,
            leaseMs: 1,
          });
          const { events, quarantined } = world;
          const kept = quarantined.map(({ payload }) => payload);
          const texts = [...kept, ...world.writer.written.map(({ data }) => data)].map((bytes) =>
            Buffer.from(bytes).toString(),
          );
          const said = inspect(
            { outcome, events, quarantined, texts, state },
            { depth: 20, maxStringLength: null, breakLength: Infinity },
          );
          expect(said).toContain('PollEnded');
          const told = [...secretForms(secret), TOKEN, NEXT].filter((form) => said.includes(form));
          expect(told).toEqual([]);
          polls += outcome.pages;
        },
      ),
      { numRuns: 15, examples: [['s3cr+t/=x', [], []]] },
    );
    // The example at least got through, or nothing was shown to anybody.
    expect(polls > 0).toBe(!kind.startsWith('no '));
  },
);
