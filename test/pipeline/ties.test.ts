/** More rows of one time than a page holds, rows without a time, and rows dated in the future. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeCursor } from '#core/source/cursor-text';
import type { Pagination } from '#core/source/pagination';
import { poll } from '#pipeline/poll';
import type { PageSource } from '#ports/page-source';
import { KEY, pagingServer, WAYS } from './paging-server.ts';
import {
  incremental,
  options,
  page,
  published,
  row,
  savedCursor,
  START_MS,
  testWorld,
} from './poll-world.ts';

const AT = '2031-06-12T14:00:00Z';
const rows = Array.from({ length: 9 }, (_, at) => ({ order_id: `k${at}`, updated_at: AT }));
const paging = (pagination: Pagination) => ({
  ...options,
  source: {
    fixed: { key: KEY },
    pagination,
    pageSize: { param: 'limit', value: 2 },
    incremental: { ...incremental, ordered: false },
  },
});

test.each(Object.entries(WAYS))(
  'nine rows of one time pass through pages of two by %s, and a second run publishes none again',
  async (_way, [pagination, server]) => {
    const world = testWorld([], { source: pagingServer(server, rows, [2]) });
    for (const count of [9, 0]) {
      const outcome = await poll(paging(pagination), world);
      expect(outcome).toMatchObject({ kind: 'caught-up', published: count });
      world.clock.advance(60_000);
    }
    expect(published(world).map(({ subject }) => subject)).toEqual(rows.map((r) => r.order_id));
  },
);

test('asked for by their time alone, they end the run with an error that names their count', async () => {
  const keyset = { kind: 'keyset', param: 'updated_since', field: ['updated_at'] } as const;
  const world = testWorld([page([row('k0', AT), row('k1', AT)])]);
  expect(await poll(paging(keyset), world)).toMatchObject({
    kind: 'failed',
    detail: expect.stringMatching(/^the source answered 2 records up to the `updated_at`/),
  });
  expect(decodeCursor((await savedCursor(world)).cursor).boundary).toBeNull();
});

test('pages that follow by the time alone pass nothing over: all is published, or the run says what is in its way', () => {
  const PAGE = 4;
  const keyset = { kind: 'keyset', param: 'after', field: ['updated_at'], mayTie: true } as const;
  const ways = { caught: 0, failed: 0 };
  return fc
    .assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 8 }), async (ties) => {
        const all = ties.flatMap((count, at) =>
          Array.from({ length: count }, (_, of) => row(`k${at}-${of}`, `2031-06-12T14:00:0${at}Z`)),
        );
        const source: PageSource = {
          async fetchPage({ query }) {
            const after = query['after'] ?? '';
            return page(all.filter(({ updated_at }) => updated_at > after).slice(0, PAGE));
          },
        };
        const world = testWorld([], { source });
        const way = paging(keyset);
        const outcome = await poll(
          { ...way, source: { ...way.source, pageSize: { param: 'limit', value: PAGE } } },
          world,
        );
        const names = published(world).map(({ subject }) => subject);
        if (outcome.kind === 'failed') {
          ways.failed++;
          expect(Math.max(...ties)).toBeGreaterThanOrEqual(PAGE);
          expect(outcome.detail).toMatch(
            /^a page holds no more than 4 of the records that share the `updated_at` of its last/,
          );
        } else {
          ways.caught++;
          expect(names).toEqual(all.map(({ order_id }) => order_id));
        }
      }),
    )
    .then(() => expect(Math.min(...Object.values(ways))).toBeGreaterThan(5));
});

describe('POLL-23: a row without a time', () => {
  const boundaryAfter = async (items: Parameters<typeof page>[0]) => {
    const world = testWorld([page(items)]);
    const outcome = await poll(options, world);
    const { boundary } = decodeCursor((await savedCursor(world)).cursor);
    return { outcome, boundary };
  };
  const timeless = { order_id: '2', updated_at: null };

  test('does not keep the others from moving the boundary', async () => {
    const { outcome, boundary } = await boundaryAfter([row('1', AT), timeless, null]);
    expect(outcome).toMatchObject({ kind: 'caught-up', published: 1, refused: 2 });
    expect(boundary).toBe('2031-06-12T14:00:00.000000000Z');
  });

  test('moves no boundary where there is no other, and the poll says so', async () => {
    const { outcome, boundary } = await boundaryAfter([timeless]);
    expect(outcome).toMatchObject({
      kind: 'failed',
      detail: 'no record holds a readable time at `updated_at`: every run reads them all again',
    });
    expect(boundary).toBeNull();
  });

  test('and one of the far future do not drag it past the horizon', async () => {
    const far = row('9', '9999-12-31T23:59:59Z');
    const { boundary } = await boundaryAfter([row('1', AT), far]);
    expect(boundary).toBe(new Date(START_MS - 90_000).toISOString().replace('Z', '000000Z'));
  });
});

test('a descending feed whose poller dies in the middle loses nothing, and moves its boundary at the end alone', async () => {
  const [newest, middle, oldest] = [0, 1, 2].map((at) =>
    row(`k${at}`, `2031-06-12T1${5 - at}:00:00Z`),
  );
  const told = {
    ...options,
    source: { ...options.source, incremental: { ...incremental, ordered: false } },
  };
  const world = testWorld([
    page([newest!], 't1'),
    { kind: 'refused', detail: 'the token is gone' },
    page([newest!], 't1'),
    page([middle!], 't2'),
    page([oldest!]),
  ]);
  const first = await poll(told, {
    ...world,
    source: {
      async fetchPage(request) {
        if (world.asked.length === 1) throw new Error('dead');
        return world.source.fetchPage(request);
      },
    },
  });
  expect(first.kind).toBe('failed');
  expect(decodeCursor((await savedCursor(world)).cursor).boundary).toBeNull();
  world.clock.advance(60_000);
  expect(await poll(told, world)).toMatchObject({ kind: 'caught-up' });
  expect(new Set(published(world).map(({ subject }) => subject))).toEqual(
    new Set(['k0', 'k1', 'k2']),
  );
});
