/** What penstock doctor says of a source that is asked by a token, or by a link, which its last page holds. */
import { describe, expect, test } from 'vitest';
import type { PipelineInput } from '#config/pipeline-input';
import { briefly, examine, SOURCE } from './examine.ts';
import type { FakeApi, FakePage } from './fake-api.ts';

type Source = PipelineInput['source'];

const NOTE = 'note asked-by-token source.incremental.kind';
const TOKEN = { kind: 'token', param: 'since_token', next: 'sync' } as const;

/** Ten records on two pages; the last page holds `more`. */
const foundIn = async (
  source: Partial<Source>,
  more: (page: FakePage) => object,
  api: Partial<FakeApi> = {},
) => {
  const page: FakeApi['page'] = (it) => (it.next_cursor === null ? { ...it, ...more(it) } : it);
  const rows: FakeApi['rows'] = (all) => all.slice(0, 10);
  const file = { source: { ...SOURCE, incremental: TOKEN, ...source } };
  return examine({ api: { rows, page, ...api }, file });
};

test('a last page that holds the token is well', async () =>
  expect(briefly(await foundIn({}, () => ({ sync: 's1' })))).toEqual([NOTE]));

test('a last page that holds none is an error, which says what it holds', async () => {
  const report = await foundIn({}, () => ({ cursors: { sync: 's1' } }));
  expect(briefly(report)).toEqual(['error token-missing source.incremental.next', NOTE]);
  expect(report.findings[0]?.sentence).toBe(
    'The last page holds nothing at `sync`: every run would read everything again; ' +
      'the answer is an object with `data`, `next_cursor`, `cursors`.',
  );
});

describe('a delta link', () => {
  const delta = {
    incremental: { kind: 'delta-link', next: '@odata.deltaLink' },
    pagination: { kind: 'none' },
    pageSize: undefined,
  } as const;

  test.each([
    ['that leads to the same origin is well', '?since_token=1', []],
    ['that is missing is an error', null, ['error token-missing source.incremental.next']],
    [
      'to another origin is an error',
      'https://elsewhere.test/',
      ['error token-unreadable source.incremental.next'],
    ],
  ])('%s', async (_, link, found) =>
    expect(briefly(await foundIn(delta, () => ({ '@odata.deltaLink': link })))).toEqual([
      ...found,
      NOTE,
    ]),
  );
});

test('a page that is full, and holds the token, is well', async () =>
  expect(
    briefly(await foundIn({ pageSize: { param: 'limit', value: 10 } }, () => ({ sync: 's1' }))),
  ).toEqual([NOTE]));

test('a feed whose last answer holds no token keeps the one before', async () => {
  const pages: FakeApi = {
    ask: (ask) => ({ ...ask, cursor: ask.at > 0 ? '8' : null }),
    page: ({ data, next_cursor }) => ({
      data,
      left: next_cursor === null ? 0 : 2,
      sync: next_cursor,
    }),
  };
  const feed = { pagination: { kind: 'feed', pending: 'left' } } as const;
  expect(briefly(await foundIn(feed, () => ({}), pages))).toEqual([NOTE]);
});

test('a source without a record says nothing of its token', async () =>
  expect(briefly(await foundIn({}, () => ({}), { rows: () => [] }))).not.toContain(
    'error token-missing source.incremental.next',
  ));
