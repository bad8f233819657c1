/** penstock doctor against sources whose pages lead elsewhere than the file says: each loses records. */
import { describe, expect, test } from 'vitest';
import { briefly, everyRow, examine, incremental, SOURCE } from './examine.ts';
import type { Patient } from './examine.ts';
import {
  asTexts,
  byFlag,
  counting,
  falling,
  flagged,
  keyset,
  paged,
  sourceOf,
  whole,
} from './paged-sources.ts';

const MISTAKES: readonly (readonly [title: string, patient: Patient, found: string])[] = [
  [
    'records that fall by what is asked to rise',
    keyset(falling, (id, after) => id > after),
    'error keyset-order source.pagination.field',
  ],
  [
    'numbers that are sorted as texts, and asked for as numbers',
    {
      ...keyset(asTexts, (id, after) => id > after),
      file: sourceOf({
        pagination: { kind: 'keyset', param: 'cursor', field: 'id' },
        incremental: { ...SOURCE.incremental, ordered: false },
        pageSize: { param: 'limit', value: 17 },
      }),
    },
    'error keyset-order source.pagination.field',
  ],
  [
    'a flag that is false where there is more',
    { api: flagged('is_last'), file: byFlag('is_last') },
    'error more-flag source.pagination.more',
  ],
  [
    'a flag that is not there',
    { file: byFlag('has_more') },
    'error token-unreadable source.pagination.more',
  ],
  [
    'one answer that holds a token',
    whole({ paging: { next_page_token: 'p2' } }),
    'error pages-left source.pagination.kind',
  ],
  [
    'one answer whose flag says that there is more',
    whole({ pageInfo: { hasNextPage: true } }),
    'error pages-left source.pagination.kind',
  ],
  [
    'one answer whose header leads on',
    {
      ...whole({}),
      api: {
        ask: (ask) => ({ ...ask, limit: 10 }),
        respond: (response) => (response.setHeader('link', '</rows?p=2>; rel="next"'), false),
        page: ({ data }) => ({ data }),
      },
    },
    'error pages-left source.pagination.kind',
  ],
  [
    'one answer that says it is a part',
    {
      ...whole({}),
      api: {
        ask: (ask) => ({ ...ask, limit: 10 }),
        respond: (response) => ((response.statusCode = 206), false),
        page: ({ data }) => ({ data }),
      },
    },
    'error pages-left source.pagination.kind',
  ],
  [
    'an address where a token is read',
    {
      api: {
        page: (page) => ({
          ...page,
          next_cursor: page.next_cursor && `http://rows.test/rows?cursor=${page.next_cursor}`,
        }),
      },
    },
    'error token-is-url source.pagination.kind',
  ],
  [
    'an address where a token is read, which the source refuses',
    {
      api: {
        page: (page) => ({ ...page, next_cursor: '/rows?cursor=8' }),
        respond: (response, { cursor }) => cursor !== null && (response.writeHead(400).end(), true),
      },
    },
    'error token-is-url source.pagination.kind',
  ],
  [
    'a page shorter than asked for whose token stands elsewhere',
    {
      api: { ask: (ask) => ({ ...ask, limit: Math.min(5, ask.limit) }) },
      file: paged({ kind: 'cursor', param: 'cursor', next: 'meta.next' }),
    },
    'error token-missing source.pagination.next',
  ],
  [
    'a full page, and not a word of another',
    {
      api: { page: ({ data }) => ({ data }) },
      file: paged({ kind: 'cursor', param: 'cursor', next: 'next' }),
    },
    'warning token-missing source.pagination.next',
  ],
  [
    'pages that are counted from 0',
    { api: counting(0), file: paged({ kind: 'page', param: 'cursor' }) },
    'error first-page-missed source.pagination.first',
  ],
  [
    'pages that are counted from 1',
    { api: counting(1), file: paged({ kind: 'page', param: 'cursor', first: 0 }) },
    'error page-repeats source.pagination.first',
  ],
  [
    'places that are counted from 0',
    {
      api: { page: ({ data }) => ({ data }) },
      file: paged({ kind: 'offset', param: 'cursor', first: 1 }),
    },
    'error first-page-missed source.pagination.first',
  ],
  [
    'places where numbers of pages are sent',
    {
      api: { page: ({ data }) => ({ data }) },
      file: paged({ kind: 'page', param: 'cursor' }),
    },
    'error page-is-offset source.pagination.kind',
  ],
  [
    'numbers of pages where places are sent',
    { api: counting(1), file: paged({ kind: 'offset', param: 'cursor' }) },
    'error offset-is-page source.pagination.kind',
  ],
  [
    'numbers of pages, from 0, where places are sent',
    { api: counting(0), file: paged({ kind: 'offset', param: 'cursor' }) },
    'error offset-is-page source.pagination.kind',
  ],
  [
    'milliseconds where the boundary is read as seconds',
    {
      api: { filter: (row, since) => Date.parse(String(row.changed_at)) / 1_000 >= Number(since) },
      file: incremental({ format: 'epoch-ms' }),
    },
    'error boundary-unread source.incremental.format',
  ],
  [
    'seconds where the boundary is read as milliseconds',
    {
      api: { filter: (row, since) => Date.parse(String(row.changed_at)) >= Number(since) },
      file: incremental({ format: 'epoch-s' }),
    },
    'error boundary-ignored source.incremental.param',
  ],
  [
    'any boundary at which nothing is answered',
    { api: { filter: () => false } },
    'error boundary-unread source.incremental.format',
  ],
  [
    'a boundary that leaves out what stands at it, of times with zeros to the millisecond',
    {
      api: {
        ...everyRow((_, at) => ({ changed_at: `2026-03-01T11:54:${10 + at}.000Z` })),
        filter: ({ changed_at: time }, since) => Date.parse(String(time)) > Date.parse(since),
      },
    },
    'error boundary-exclusive source.incremental.inclusive',
  ],
];

describe('the doctor finds exactly', () => {
  test.each(MISTAKES)('%s', async (title, patient, found) => {
    const wrong = briefly(await examine({ seed: title.length, ...patient }));
    expect(wrong.filter((one) => !one.startsWith('note'))).toEqual([found]);
  });
});
