import { describe, expect, test } from 'vitest';
import { timestampOfMs } from '#core/record/timestamp';
import { decodeCursor } from '#core/source/cursor-text';
import type { JsonValue } from '#core/record/json';
import type { Pagination } from '#core/source/pagination';
import { poll } from '#pipeline/poll';
import type { PageAnswer, PageRequest } from '#ports/page-source';
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
import type { TestWorld } from './poll-world.ts';

const paged = (pagination: Pagination, ordered = true) => ({
  ...options,
  source: { ...options.source, pagination, incremental: { ...incremental, ordered } },
});
const rows = (...ids: number[]) => ids.map((id) => row(String(id), '2031-06-12T15:00:00Z'));
const body = (members: Record<string, JsonValue>): PageAnswer => ({
  kind: 'page',
  body: members,
  startedAtMs: START_MS,
});
const subjects = (world: TestWorld) => published(world).map(({ subject }) => subject);

const BY_COUNT: readonly Pagination[] = [
  { kind: 'offset', param: 'at', first: 0 },
  { kind: 'page', param: 'at', first: 1 },
  { kind: 'keyset', param: 'at', field: ['order_id'] },
];

test.each(BY_COUNT)('POLL-09: a short page does not end paging by $kind', async (pagination) => {
  const world = testWorld([page(rows(1, 2, 3)), page(rows(4, 5)), page(rows(6, 7, 8)), page([])]);
  expect(await poll(paged(pagination), world)).toMatchObject({ kind: 'caught-up', pages: 4 });
  expect(subjects(world)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
});

test.each([
  [BY_COUNT[0]!, ['0', '3', '4']],
  [BY_COUNT[1]!, ['1', '2', '3']],
])(
  'POLL-11: a record that the pipeline leaves out shortens no page by $kind',
  async (pagination, places) => {
    const filtering = paged(pagination);
    const rules = {
      ...filtering.rules,
      map: (record: { readonly [name: string]: JsonValue }) =>
        String(record['updated_at']) > '2031-03-01' ? record : null,
    };
    const world = testWorld([
      page([
        row('1', '2031-02-01T00:00:00Z'),
        row('2', '2031-03-02T00:00:00Z'),
        row('3', '2031-03-02T00:00:00Z'),
      ]),
      page([row('4', '2031-03-03T00:00:00Z')]),
      page([]),
    ]);
    expect(await poll({ ...filtering, rules }, world)).toMatchObject({ filtered: 1, published: 3 });
    expect(world.asked.map(({ at }) => at)).toEqual(places);
    expect(subjects(world)).toEqual(['2', '3', '4']);
  },
);

test('POLL-07: a has-more flag ends the run after exactly two requests, though a token is answered', async () => {
  const world = testWorld([
    body({ items: rows(1), cursor: 'z1', has_more: true }),
    body({ items: rows(2), cursor: 'z2', has_more: false }),
  ]);
  const flagged = paged({ kind: 'cursor', param: 'cursor', next: ['cursor'], more: ['has_more'] });
  expect(await poll(flagged, world)).toMatchObject({ kind: 'caught-up', pages: 2 });
  expect(world.asked.map(({ cursor }) => cursor)).toEqual([undefined, 'z1']);
  expect(subjects(world)).toEqual(['1', '2']);
});

describe('paging by key', () => {
  const byKey = paged({ kind: 'keyset', param: 'since_id', field: ['id'] }, false);
  const at = (id: number, updated_at: string) => row(String(id), updated_at, { id });

  test('POLL-18: each run begins at the lowest key, though the last ended at a higher one', async () => {
    const world = testWorld([
      page([at(900, '2031-06-12T15:00:00Z')]),
      page([]),
      page([at(12, '2031-06-12T15:30:00Z')]),
      page([at(950, '2031-06-12T15:20:00Z')]),
      page([]),
    ]);
    await poll(byKey, world);
    await poll(byKey, world);
    expect(world.asked.map(({ since_id }) => since_id)).toEqual([
      undefined,
      '900',
      undefined,
      '12',
      '950',
    ]);
    expect(subjects(world)).toEqual(['900', '12', '950']);
  });

  test('a page that ends at the key it was asked to go on after fails, and nothing of it is published', async () => {
    const world = testWorld([page([at(7, '2031-06-12T15:00:00Z')])]);
    expect(await poll(byKey, world)).toMatchObject({
      kind: 'failed',
      pages: 1,
      detail: expect.stringMatching(
        /^the source answered 1 record up to the `id` that it was asked/,
      ),
    });
    expect(decodeCursor((await savedCursor(world)).cursor).run?.token).toBe('7');
  });
});

describe('a source that leads nowhere', () => {
  const byLink = paged({ kind: 'link', next: ['next'] });
  const linked = (items: readonly JsonValue[], next: string): PageAnswer => ({
    ...(page(items, next) as Extract<PageAnswer, { kind: 'page' }>),
    head: {
      header: () => undefined,
      place: (reference) =>
        reference.startsWith('/')
          ? { kind: 'next', token: reference }
          : { kind: 'unreadable', detail: 'another origin' },
    },
  });

  test.each([
    ['itself', ['/b', '/b'], 2],
    ['a circle', ['/b', '/c', '/b'], 3],
  ])('but to %s fails as soon as that is seen', async (_what, links, asked) => {
    const world = testWorld(links.map((link, at) => linked(rows(at), link)));
    expect(await poll(byLink, world)).toMatchObject({
      kind: 'failed',
      detail: 'the source answered a page token it had answered before: it would never end',
    });
    expect(world.asked).toHaveLength(asked);
  });

  test('but to another origin fails before anything of the page is published, and stays where it is', async () => {
    const world = testWorld([linked(rows(1), '/b'), linked(rows(2), 'https://other.test/')]);
    expect(await poll(byLink, world)).toMatchObject({ kind: 'failed', detail: 'another origin' });
    expect(world.asked).toHaveLength(2);
    expect(subjects(world)).toEqual(['1']);
    expect(decodeCursor((await savedCursor(world)).cursor).run?.token).toBe('/b');
  });
});

describe('pages without a record', () => {
  /** Pages that hold a record where `holds` says so, and lead from one to the next up to `last`. */
  const leading = (last: number, holds: (at: number) => boolean) =>
    testWorld([], {
      source: {
        async fetchPage({ query }) {
          const at = Number(query['cursor'] ?? '0');
          return page(holds(at) ? rows(at) : [], at < last ? String(at + 1) : null);
        },
      },
    });

  test('fail a poll after every thousand in a row, and the next goes on behind them', async () => {
    const world = leading(2_500, (at) => at === 2_500);
    expect(await poll(options, world)).toMatchObject({
      kind: 'failed',
      pages: 1_000,
      detail: expect.stringMatching(
        /^1000 pages in a row held no record, and the last led to another/,
      ),
    });
    expect(await poll(options, world)).toMatchObject({
      kind: 'failed',
      pages: 1_000,
      detail: expect.stringMatching(/^2000 pages/),
    });
    expect(await poll(options, world)).toMatchObject({
      kind: 'caught-up',
      pages: 501,
      published: 1,
    });
  });

  test('are counted from the last record on', async () => {
    const world = leading(1_801, (at) => at % 600 === 0);
    expect(await poll(options, world)).toMatchObject({ kind: 'caught-up', pages: 1_802 });
  });
});

test('a token that no state item has room for fails the poll before its page is published', async () => {
  const world = testWorld([page(rows(1), 'é'.repeat(15_001))]);
  expect(await poll(options, world)).toMatchObject({
    kind: 'failed',
    published: 0,
    detail: expect.stringMatching(
      /^the source answered a token of 30002 bytes, and no more than 30000/,
    ),
  });
});

describe('a page that comes again and again', () => {
  const detail =
    'the source answered the same page (records: 2) at one place after another: ' +
    'it is paged in another way than source.pagination says';

  test.each([
    ...BY_COUNT.slice(0, 2),
    { kind: 'cursor', param: 'cursor', next: ['next'] } as const,
  ])('by $kind fails at its third time, and is published once', async (pagination) => {
    let at = 0;
    const source = { fetchPage: async () => page(rows(1, 2), `t${at++}`) };
    const world = testWorld([], { source });
    expect(await poll(paged(pagination), world)).toMatchObject({ kind: 'failed', detail });
    expect(subjects(world)).toEqual(['1', '2']);
  });

  test('only twice, or with anything else between, is rows that moved', async () => {
    const [one, two] = [page(rows(1, 2)), page(rows(3, 4))];
    const world = testWorld([one, one, two, one, two, page([])]);
    expect(await poll(paged(BY_COUNT[0]!), world)).toMatchObject({ kind: 'caught-up', pages: 6 });
  });

  const leavingOut = { ...options, rules: { ...options.rules, map: () => null } };

  test('with nothing on it that is published is seen too', async () => {
    let at = 0;
    const source = { fetchPage: async () => page(rows(1, 2), `t${at++}`) };
    const world = testWorld([], { source });
    expect(await poll(leavingOut, world)).toMatchObject({ kind: 'failed', filtered: 4, detail });
  });

  test('is not one of as many other records', async () => {
    const pages = [1, 2, 3, 4, 5].map((id) => page(rows(id), `t${id}`));
    const world = testWorld([...pages, page([])]);
    expect(await poll(leavingOut, world)).toMatchObject({ kind: 'caught-up', filtered: 5 });
  });

  test('is seen in whatever order, and whatever each answer writes anew into its records', async () => {
    const shuffled = (at: number) => [1, 2, 3].map((id) => ((id + at) % 3) + 1);
    const signed = (at: number) =>
      rows(1, 2).map((one) => ({ ...(one as object), url: `https://a.test/?sig=${at}` }));
    for (const [pageOf, published] of [
      [(at: number) => rows(...shuffled(at)), 3],
      [signed, 20],
      [(at: number) => [...signed(at), ...signed(at + 1)], 22],
    ] as const) {
      let at = 0;
      const source = { fetchPage: async () => page(pageOf(at), `t${at++}`) };
      const world = testWorld([], { source });
      expect(await poll(options, world)).toMatchObject({ kind: 'failed', published });
    }
  });

  test('is not a record that changes, each time at a later time', async () => {
    const pages = Array.from({ length: 30 }, (_, at) =>
      page([row('1', new Date(Date.UTC(2031, 5, 12, 10, 0, at)).toISOString())], `t${at}`),
    );
    const world = testWorld([...pages, page([])]);
    expect(await poll(options, world)).toMatchObject({ kind: 'caught-up', published: 30 });
  });
});

test('a run that an earlier Penstock left in the middle goes on', async () => {
  const old =
    '{"v":1,"boundary":null,"seen":[],"run":{"token":"k2","watch":{"anchor":"k2","steps":0,"stride":1},' +
    '"query":{},"startedAtMs":1938960000000,"rows":{"count":3,"maxSeen":null,"sorted":true,"ties":[],"window":[]}}}';
  const world = testWorld([page(rows(4))]);
  const taken = await world.states.acquire({ pipeline: 'orders', nowMs: 0, leaseMs: 1 });
  if (taken.kind === 'acquired')
    await world.states.save(taken.lease, { cursor: old, notBeforeMs: 0 }, 1);
  expect(await poll(options, world)).toMatchObject({ kind: 'caught-up', published: 1 });
  expect(world.asked).toMatchObject([{ cursor: 'k2' }]);
});

describe('a run that is in the middle when the file changes', () => {
  const byNumber = paged({ kind: 'page', param: 'page', first: 1 }, false);
  const halves = () => {
    const all = rows(1, 2, 3, 4, 5, 6);
    const source = {
      async fetchPage({ query }: PageRequest) {
        asked.push(query);
        if (asked.length === 2) throw new Error('dead');
        const size = Number(query['limit']);
        const from = (Number(query['page']) - 1) * size;
        return page(all.slice(from, from + size));
      },
    };
    const asked: Readonly<Record<string, string>>[] = [];
    return { world: testWorld([], { source }), asked };
  };

  test('begins again at its boundary, so that no page of another size is passed over', async () => {
    const { world, asked } = halves();
    expect(await poll(byNumber, world)).toMatchObject({ kind: 'failed', published: 3 });
    const larger = {
      ...byNumber,
      source: { ...byNumber.source, pageSize: { param: 'limit', value: 6 } },
    };
    expect(await poll(larger, world)).toMatchObject({ kind: 'caught-up' });
    expect(asked[2]).toMatchObject({ limit: '6', page: '1' });
    expect(new Set(subjects(world))).toEqual(new Set(['1', '2', '3', '4', '5', '6']));
    expect(world.events).toContainEqual({
      event: 'RunRestarted',
      pipeline: 'orders',
      detail: 'what source asks for, or how it is paged, has changed since the run began',
    });
  });

  test.each([
    ['the order that it asks for', { fixed: { sort: 'rank' } }],
    ['the URL or body that it asks with', { asks: 'https://api.test/ranked' }],
  ])('begins again where %s is another', async (_what, change) => {
    const { world, asked } = halves();
    await poll(byNumber, world);
    const source = { ...byNumber.source, ...change };
    expect(await poll({ ...byNumber, source }, world)).toMatchObject({ kind: 'caught-up' });
    expect(asked[2]).toMatchObject({ page: '1' });
  });

  test('goes on where the change does not concern its pages', async () => {
    const { world, asked } = halves();
    await poll(byNumber, world);
    expect(await poll({ ...byNumber, recordBytesMax: 1_024 }, world)).toMatchObject({
      published: 3,
    });
    expect(asked[2]).toMatchObject({ page: '2' });
  });
});

test('a row without a time, shown in every span, is no page that repeats', async () => {
  const undated = {
    kind: 'page',
    body: { items: [row('a', '')], next: null },
    startedAtMs: START_MS,
  } as const;
  const until = { param: 'until', windowMs: 3_600_000 };
  const start = timestampOfMs(START_MS - 5 * 3_600_000);
  const source = {
    ...options.source,
    pagination: { kind: 'offset', param: 'offset', first: 0 } as const,
    incremental: { ...incremental, start, until },
  };
  const world = testWorld([], {
    source: {
      fetchPage: async ({ query }) =>
        query['offset'] === '0' ? undated : { ...undated, body: { items: [], next: null } },
    },
  });
  const result = await poll({ ...options, source }, world);
  expect(result).toMatchObject({ kind: 'caught-up', pages: 10 });
});

test('a part of what one answer should hold fails the poll, and nothing of it is published', async () => {
  const part = { ...page([row('1', '2031-06-12T14:00:00Z')]), isPart: true } as PageAnswer;
  const alone = {
    ...options,
    source: { ...options.source, pagination: { kind: 'none' } as const },
  };
  const world = testWorld([part]);
  expect(await poll(alone, world)).toMatchObject({
    kind: 'failed',
    published: 0,
    detail:
      "the source answered a part of its records (status 206), and source.pagination 'none' asks for no other",
  });
  expect(await poll(options, testWorld([part]))).toMatchObject({ kind: 'caught-up', published: 1 });
});
