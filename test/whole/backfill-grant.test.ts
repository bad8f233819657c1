/** History is read with the refresh token that the functions use, by turns: a second use of an old one revokes all. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { invokePoll } from '#cli/invoke-poll';
import { pollControl } from '#cli/poll-control';
import { strictServer } from '#test/adapters/http/auth/strict-server';
import { serve } from '#test/adapters/http/scripted-server';
import { cloudTest } from '#test/clouds/cloud-test';
import { runPenstock } from './run-penstock.ts';
import { deployTickets, namesOf, sourceRows, tableRows, WAIT } from './tickets-app.ts';
import { fill, TICKETS_FILE, TICKETS_TOKEN, ticketsSource } from './tickets-source.ts';

const FILE = TICKETS_FILE.replace('horizonSec: 2', "horizonSec: 2, until: { param: 'before' }")
  .replace(
    "{ kind: 'bearer', secret: 'tickets-api-token' }",
    "{ kind: 'oauth2', grant: 'refresh-token', tokenUrl: { env: 'TICKETS_TOKEN_URL' }, clientId: 'c1', secret: 'tickets-grant' }",
  )
  .replace('schedule:', 'poll: { timeoutSec: 60 },\n  schedule:');

cloudTest('history is read with the refresh token that functions share', async (cloud) => {
  const source = await ticketsSource();
  const login = strictServer({ nowMs: Date.now });
  const front = await loginFront(source.url, login);
  const deployment = await deployTickets(cloud, source, {
    pipeline: FILE,
    env: {
      TICKETS_API_URL: front.url,
      TICKETS_TOKEN_URL: front.tokenUrl,
      TICKETS_GRANT: JSON.stringify({ clientSecret: 's1', refreshToken: login.consent() }),
    },
  });
  const { stage, connection, endpoint } = deployment;
  const isThere = () =>
    vi.waitFor(async () => expect(await tableRows(deployment)).toEqual(sourceRows(source)), WAIT);
  fill(source, 0, 210);
  await isThere();
  const control = pollControl(connection, stage);
  const lambda = await connection.signed('lambda');
  await control.pause('tickets', { sinceMs: Date.now(), reason: 'a test' });
  await vi.waitFor(async () => {
    const { text } = await invokePoll(lambda, namesOf(deployment).pollFunction);
    expect(JSON.parse(text)).toMatchObject({ kind: 'paused' });
  }, WAIT);

  // The access token that functions left is refused, so that the command needs another.
  login.revoke(front.shown() ?? '');
  const before = { exchanges: login.count(), token: front.shown() };
  const directory = mkdtempSync(join(process.cwd(), 'test', 'whole', '.backfill-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, 'tickets.ts'), FILE);
  const history = [
    '--from',
    '2031-05-07T00:00:00Z',
    '--to',
    '2031-05-07T00:00:20Z',
    '--slice',
    '7s',
  ];
  const where = ['--directory', directory, '--stage', stage, '--cloud', endpoint];
  const { code, out, err } = await runPenstock(
    ['backfill', 'tickets', ...history, '--yes', ...where],
    { TICKETS_API_URL: front.url, TICKETS_TOKEN_URL: front.tokenUrl },
  ).ended;
  expect({ code, err }).toMatchObject({ code: 0 });
  expect(out).toMatch(/\nDone: 3 of 3 slices, /);
  expect(login.count()).toBe(before.exchanges + 1);
  expect(front.shown()).not.toBe(before.token);
  expect(out + err).not.toMatch(/access-1|refresh-1/);

  await control.resume('tickets');
  fill(source, 210, 30);
  await isThere();
  // Nobody has used an old one.
  expect(login.newest()).toMatch(/^refresh-1-/);
  expect(front.shown()).toBe(`access-1-${login.count()}`);
});

/** In front of a source: who logs in, and what is shown to it. */
async function loginFront(target: string, login: ReturnType<typeof strictServer>) {
  let shown: string | undefined;

  async function exchange(request: IncomingMessage, response: ServerResponse) {
    const form = new URLSearchParams(await text(request));
    const answer = login.exchange(form.get('refresh_token') ?? undefined);
    response.writeHead(answer === undefined ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { error: 'invalid_grant' }));
  }

  async function page({ url = '/', headers }: IncomingMessage, response: ServerResponse) {
    const token = headers.authorization?.slice('Bearer '.length) ?? '';
    if (!login.accepts(token)) return void response.writeHead(401).end();
    shown = token;
    const answer = await fetch(`${target}${new URL(url, target).search}`, {
      headers: { authorization: `Bearer ${TICKETS_TOKEN}` },
    });
    response.writeHead(answer.status, { date: answer.headers.get('date') ?? '' });
    response.end(await answer.text());
  }

  const { url } = await serve((response, _at, request) => {
    void (request.method === 'POST' ? exchange : page)(request, response);
  });
  return { url: `${url}/tickets`, tokenUrl: `${url}/token`, shown: () => shown };
}
