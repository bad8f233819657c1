/** A source whose last page answers a link by which it tells what changes from then on. */
import { describe, expect, test } from 'vitest';
import { httpPageSource } from '#adapters/http/page-source';
import { decodeCursor, encodeCursor } from '#core/source/cursor-text';
import { FRESH_CURSOR } from '#core/source/cursor';
import type { Pagination } from '#core/source/pagination';
import { poll } from '#pipeline/poll';
import { serve } from '#test/adapters/http/scripted-server';
import { options as base, published, savedCursor, testClock, testWorld } from './poll-world.ts';

const LINK: Pagination = { kind: 'link', next: ['@odata', 'nextLink'] };
const withDelta = (pagination: Pagination) => ({
  ...base,
  source: {
    ...base.source,
    fixed: { team: 'a' },
    pagination,
    incremental: undefined,
    feed: {
      param: undefined,
      next: ['@odata', 'deltaLink'],
      expired: { status: [410] },
    },
  },
});

interface Answer {
  readonly ids?: readonly string[];
  readonly next?: string;
  readonly delta?: string;
  readonly status?: number;
}

/** Answers each path and query by its entry; the last of several stays. */
async function world(answers: Readonly<Record<string, Answer | readonly Answer[]>>) {
  const left = new Map(Object.entries(answers).map(([url, of]) => [url, [of].flat()]));
  const server = await serve((response, _at, { url = '' }) => {
    const entries = left.get(url) ?? [];
    const {
      ids = [],
      next,
      delta,
      status = 200,
    } = (entries.length > 1 ? entries.shift() : entries[0]) ?? { status: 404 };
    const items = ids.map((order_id) => ({ order_id, updated_at: '2031-06-12T15:00:00Z' }));
    response.writeHead(status);
    response.end(JSON.stringify({ items, '@odata.nextLink': next, '@odata.deltaLink': delta }));
  });
  const clock = testClock();
  const source = httpPageSource({ url: `${server.url}/v1/users`, authorize: undefined, clock });
  const it = testWorld([], { source, clock });
  return {
    ...it,
    urls: () => server.requests.map(({ url }) => url),
    async pollAgain(options = withDelta(LINK)) {
      clock.advance(600_000);
      return poll(options, it);
    },
    tokenOf: async () => decodeCursor((await savedCursor(it)).cursor).token,
  };
}

const FIRST = '/v1/users?team=a&limit=3';

describe('a delta link', () => {
  test('of the last page is where the next run begins, page by page, and what the file fixes is put to it', async () => {
    const { pollAgain, urls, tokenOf, ...it } = await world({
      [FIRST]: { ids: ['1'], next: '/v1/users?page=2&team=other' },
      '/v1/users?page=2&team=a': { ids: ['2'], delta: '/v1/delta?team=other&from=7' },
      '/v1/delta?from=7&team=a': { ids: ['3'], next: '?from=7&page=2' },
      '/v1/delta?from=7&page=2&team=a': { ids: ['4'], delta: '/v1/delta?from=9' },
    });
    expect(await pollAgain()).toMatchObject({ kind: 'caught-up', pages: 2, published: 2 });
    expect(await tokenOf()).toBe('/v1/delta?from=7');
    expect(await pollAgain()).toMatchObject({ kind: 'caught-up', pages: 2, published: 2 });
    expect(await tokenOf()).toBe('/v1/delta?from=9');
    expect(urls().slice(2)).toEqual(['/v1/delta?from=7&team=a', '/v1/delta?from=7&page=2&team=a']);
    expect(published(it).map(({ subject }) => subject)).toEqual(['1', '2', '3', '4']);
  });

  test('is read of one answer, too', async () => {
    const { pollAgain, ...it } = await world({
      [FIRST]: { ids: ['1'], delta: '?from=1' },
      '/v1/users?from=1&team=a': { ids: ['2'], delta: '?from=2' },
    });
    const alone = withDelta({ kind: 'none' });
    await pollAgain(alone);
    expect(await pollAgain(alone)).toMatchObject({ kind: 'caught-up', pages: 1 });
    expect(published(it).map(({ subject }) => subject)).toEqual(['1', '2']);
  });

  test('that is too old leads to a full read', async () => {
    const { pollAgain, urls, tokenOf, ...it } = await world({
      [FIRST]: [
        { ids: ['1'], delta: '?from=1' },
        { ids: ['1'], delta: '?from=5' },
      ],
      '/v1/users?from=1&team=a': { status: 410 },
    });
    await pollAgain();
    expect(await pollAgain()).toMatchObject({ kind: 'caught-up', published: 1 });
    expect(urls()).toEqual([FIRST, '/v1/users?from=1&team=a', FIRST]);
    expect(await tokenOf()).toBe('/v1/users?from=5');
    expect(it.events.filter(({ event }) => event === 'ResyncStarted')).toHaveLength(1);
  });

  test('to another origin fails the poll, and is not kept', async () => {
    const { pollAgain, tokenOf } = await world({
      [FIRST]: { ids: ['1'], delta: 'https://elsewhere.test/delta' },
    });
    expect(await pollAgain()).toMatchObject({
      kind: 'failed',
      published: 0,
      detail: expect.stringMatching(
        /^`@odata\.deltaLink`: .*another origin \(https:\/\/elsewhere\.test\)/,
      ),
    });
    expect(await tokenOf()).toBeUndefined();
  });

  test('that no answer holds is missed', async () => {
    const { pollAgain } = await world({ [FIRST]: { ids: ['1'] } });
    expect(await pollAgain()).toMatchObject({
      kind: 'failed',
      published: 1,
      detail:
        'the last answer held no link at `@odata.deltaLink`: every run reads everything again',
    });
  });

  test('is not taken from what stood there as a token', async () => {
    const { pollAgain, urls, ...it } = await world({ [FIRST]: { ids: ['1'], delta: '?from=1' } });
    const lease = await it.states.acquire({
      pipeline: 'orders',
      nowMs: it.clock.nowMs(),
      leaseMs: 9,
    });
    if (lease.kind !== 'acquired') throw new Error(lease.kind);
    const cursor = encodeCursor({ ...FRESH_CURSOR, token: 't41' });
    await it.states.save(lease.lease, { cursor, notBeforeMs: 0 }, 0);
    expect(await pollAgain()).toMatchObject({ kind: 'caught-up', published: 1 });
    expect(urls()).toEqual([FIRST]);
  });
});
