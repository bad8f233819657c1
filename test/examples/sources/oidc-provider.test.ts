/** A json-server behind oidc-provider, polled while access tokens run out and are forgotten. */
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { loopbackAws } from './loopback-aws.ts';
import { refreshTokenOf } from './ask-consent.ts';
import { tableRows } from './plain-rows.ts';
import { polledPipeline } from './polled-pipeline.ts';
import { realServer } from './real-server.ts';
import { stockServer } from './stock-server.ts';
import type { StockServer } from './stock-server.ts';

const FOLDER = 'examples/sources/oidc-provider';
const SECRET = 'a-secret-of-penstock';
const TICK_MS = 50;
/** Longer than the way from a token to its use takes on a busy machine. */
const TOKEN_SEC = 6;
const GRANT_SECRET = 'a-secret-of-both';

const provider = (tokenSec: number, port?: number) =>
  realServer({
    command: (at) => [
      process.execPath,
      resolve(FOLDER, 'provider.mjs'),
      String(at),
      String(tokenSec),
    ],
    path: '/.well-known/openid-configuration',
    port,
  });

async function accessToken(url: string): Promise<string> {
  const answer = await fetch(`${url}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`penstock:${SECRET}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'stock.read' }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Its own requests bring a new token each. */
const guardedStock = (url: string) =>
  stockServer({
    guard: `${FOLDER}/guard.cjs`,
    env: { PROVIDER_URL: url },
    headers: async () => bearer(await accessToken(url)),
  });

/** Changes until the provider no longer knows a token of now, and a little more. */
async function changeForALife(stock: StockServer, url: string): Promise<void> {
  const headers = bearer(await accessToken(url));
  for (;;) {
    await stock.change(4);
    await pause(TICK_MS);
    const answer = await fetch(`${stock.url}/item-000`, { headers });
    await answer.arrayBuffer();
    if (answer.status === 401) break;
    expect(answer.status).toBe(200);
  }
  await stock.change(8);
}

test('tokens that run out while they are shown, or that their provider forgot, cost no row', async () => {
  let running = await provider(TOKEN_SEC);
  const { url, port } = running;
  const again = async () => {
    await running.end();
    running = await provider(60, port);
  };
  const stock = await guardedStock(url);

  const aws = await loopbackAws();
  aws.createSecret('guarded-stock', SECRET);
  const pipeline = await polledPipeline(aws, {
    directory: `${FOLDER}/pipelines`,
    name: 'guarded-stock',
    env: {
      STOCK_API_URL: stock.url,
      STOCK_TOKEN_URL: `${url}/token`,
      PENSTOCK_SECRET: 'guarded-stock',
    },
  });
  const polls = await pipeline.through(changeForALife(stock, url));
  expect(new Set(polls.map(({ kind }) => kind))).toEqual(new Set(['caught-up']));

  await again();
  expect(await pipeline.poll()).toMatchObject({ kind: 'caught-up' });
  // The token that the poller holds has most of its minute before it, and nobody knows it.
  await again();
  await stock.change(8);
  await pipeline.through(Promise.resolve());
  expect(tableRows(await pipeline.items(), 'id')).toEqual(await stock.truth());
  expect(pipeline.refused()).toEqual([]);
});

test('two pollers at once do not lock each other out of a grant whose refresh tokens work once', async () => {
  const { url } = await provider(TOKEN_SEC);
  const stock = await guardedStock(url);
  const first = await refreshTokenOf(url);
  const aws = await loopbackAws();
  aws.createSecret('grant', JSON.stringify({ clientSecret: GRANT_SECRET, refreshToken: first }));
  const pollers = await Promise.all(
    ['granted-stock', 'granted-stock-too'].map((as) =>
      polledPipeline(aws, {
        directory: `${FOLDER}/pipelines`,
        name: 'granted-stock',
        as,
        env: {
          STOCK_API_URL: stock.url,
          STOCK_TOKEN_URL: `${url}/token`,
          PENSTOCK_SECRET: 'grant',
        },
      }),
    ),
  );
  const work = changeForALife(stock, url);
  const polls = await Promise.all(pollers.map(({ through }) => through(work)));
  expect(new Set(polls.flat().map(({ kind }) => kind))).toEqual(new Set(['caught-up']));
  const truth = await stock.truth();
  for (const { items } of pollers) expect(tableRows(await items(), 'id')).toEqual(truth);

  // The provider is strict: who shows the first refresh token again ends the grant for all.
  const again = await fetch(`${url}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`penstock-for-ada:${GRANT_SECRET}`)}` },
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: first }),
  });
  expect(await again.json()).toMatchObject({ error: 'invalid_grant' });
  // Another access token may still be in the secret: each poll shows one.
  await pollers[0]?.poll();
  expect(await pollers[0]?.poll()).toMatchObject({
    kind: 'failed',
    detail: expect.stringMatching(/^the refresh token was refused \(invalid_grant\)/),
  });
});
