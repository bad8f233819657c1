/** When the next request may leave: what every answer is asked for, whatever else it is. */
import { describe, expect, test } from 'vitest';
import { bearer } from '#adapters/http/auth/bearer';
import { httpPageSource } from '#adapters/http/page-source';
import type { RequestGate } from '#ports/page-source';
import { START_MS, testClock } from '#test/pipeline/poll-world';
import { serve } from './scripted-server.ts';

const SPENT = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '31' };
const NAMED = { 'retry-after': '31' };

/** A source by a clock that stands still, and a gate that notes who passes and what it is told. */
async function world(script: Parameters<typeof serve>[0]) {
  const clock = testClock();
  const server = await serve((response, ...more) => {
    response.sendDate = false;
    script(response, ...more);
  });
  const steps: string[] = [];
  const gate: RequestGate = {
    approach: async () => undefined,
    async enter() {
      steps.push('enter');
      return { kind: 'granted', timeoutMs: 5_000 };
    },
    hold: async (untilMs) => void steps.push(`hold ${untilMs - START_MS}`),
  };
  const authorize = bearer(async () => 'tok-2e7');
  const errors = { path: ['error'], waitIf: undefined };
  const source = httpPageSource({ url: server.url, authorize, clock, errors });
  const unless = { etag: '"v7"' };
  const ask = () => source.fetchPage({ query: {}, timeoutMs: 5_000, unless, gate });
  return { ask, steps };
}

describe('an answer says when the next request may leave', () => {
  test.each<[string, number, Record<string, string>, string, string]>([
    ['a page, beside what remains', 200, SPENT, '[]', 'page'],
    ['a page, in Retry-After', 200, { ...NAMED, 'x-ratelimit-remaining': '0' }, '[]', 'page'],
    [
      'a page, with fewer left than none',
      200,
      { ...SPENT, 'x-ratelimit-remaining': '-1' },
      '[]',
      'page',
    ],
    ['one without a body', 202, NAMED, '', 'unavailable'],
    ['one that breaks off', 200, SPENT, '{"items":[', 'unavailable'],
    ['one that says it is an error', 200, SPENT, '{"error":"no"}', 'refused'],
    ['one that nothing has changed', 304, SPENT, '', 'unchanged'],
    ['one without content', 204, SPENT, '', 'refused'],
    ['a refusal of what was asked for', 400, SPENT, '{}', 'refused'],
    ['a token that is too old', 410, SPENT, '{}', 'refused'],
    ['a redirect elsewhere', 302, { ...NAMED, location: 'http://else.test/' }, '', 'refused'],
  ])('%s', async (_, status, headers, body, kind) => {
    const { ask, steps } = await world((response) => response.writeHead(status, headers).end(body));
    expect(await ask()).toMatchObject({ kind, notBeforeMs: START_MS + 31_000 });
    expect(steps).toEqual(['enter', 'hold 31000']);
  });

  test('and where it says nothing, nothing is made up', async () => {
    const { ask, steps } = await world((response) =>
      response
        .writeHead(200, { 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': '31' })
        .end('[]'),
    );
    expect(await ask()).not.toHaveProperty('notBeforeMs');
    expect(steps).toEqual(['enter']);
  });
});

describe('the gate hears of it before it is asked for the next permit', () => {
  test('of a redirect', async () => {
    const { ask, steps } = await world((response, at) => {
      if (at === 0) response.writeHead(302, { ...NAMED, location: '/b' }).end();
      else response.end('[]');
    });
    expect(await ask()).toMatchObject({ kind: 'page' });
    expect(steps).toEqual(['enter', 'hold 31000', 'enter']);
  });

  test('of a 401, before other credentials are shown', async () => {
    const { ask, steps } = await world((response, at) =>
      response.writeHead(at === 0 ? 401 : 200, at === 0 ? SPENT : {}).end('[]'),
    );
    expect(await ask()).toMatchObject({ kind: 'page' });
    expect(steps).toEqual(['enter', 'hold 31000', 'enter']);
  });

  test('once of one pause, whatever names it', async () => {
    const { ask, steps } = await world((response) =>
      response.writeHead(429, { ...SPENT, 'retry-after': '4' }).end(),
    );
    expect(await ask()).toEqual({ kind: 'wait', status: 429, waitMs: 31_000 });
    expect(steps).toEqual(['enter', 'hold 31000']);
  });
});
