/** penstock doctor against a real server: each mistake alone is found, and nothing else. */
import { describe, expect, test } from 'vitest';
import { whileListening } from '#test/demo/running-server';
import { briefly, everyRow, examine, incremental, ms, PIPELINE, SOURCE } from './examine.ts';
import type { Patient } from './examine.ts';
import { FAKE_TOKEN, fakeApi } from './fake-api.ts';

const MISTAKES: readonly (readonly [title: string, patient: Patient, found: string])[] = [
  ['a token that is not accepted', { env: { ROWS_TOKEN: 'another' } }, 'error auth source.auth'],
  [
    'a path that is not there',
    { api: { respond: (response) => (response.writeHead(404).end(), true) } },
    'error not-found source.url',
  ],
  [
    'a query that is refused',
    { api: { respond: (response) => (response.writeHead(400).end(), true) } },
    'error query source.query',
  ],
  [
    'a source that is down',
    { api: { respond: (response) => (response.writeHead(503).end(), true) } },
    'error unavailable null',
  ],
  ['a page of HTML', { api: { page: () => '<html>log in</html>' } }, 'error no-page source.url'],
  [
    'TLS where none is spoken',
    { urlOf: (url) => url.replace('http:', 'https:') },
    'error tls source.url',
  ],
  ['a clock that goes wrong', { aheadMs: -180_000 }, 'warning clock-skew null'],
  [
    'answers without a Date',
    { api: { respond: (response) => ((response.sendDate = false), false) } },
    'warning no-date source.incremental.horizonSec',
  ],
  [
    'records at another path',
    { file: { source: { ...SOURCE, records: 'result.items' } } },
    'error records-path source.records',
  ],
  [
    'an answer that says the token back',
    { api: { page: () => ({ [`Bearer ${FAKE_TOKEN}`]: 1, [FAKE_TOKEN]: 2 }) } },
    'error records-path source.records',
  ],
  [
    'an answer that says the query of the URL back',
    { api: { page: () => ({ '/rows?key=query-secret&limit=8': 1 }) } },
    'error records-path source.records',
  ],
  [
    'an object keyed by id where an array was',
    {
      api: {
        page: ({ data, ...more }) => ({
          ...more,
          data: Object.fromEntries(data.map((row) => [row.id, row])),
        }),
      },
    },
    'error records-path source.records',
  ],
  ['not one record', { api: { rows: () => [] } }, 'warning no-records source.query'],
  [
    'a key that some records lack',
    { api: everyRow((row, at) => ({ id: at % 5 === 3 ? null : row.id })) },
    'error no-key record.key',
  ],
  [
    'a key that two records of one page share',
    {
      api: everyRow((row, at) => ({ id: at === 4 ? 'row-twin' : at === 5 ? 'row-twin' : row.id })),
    },
    'warning key-repeats record.key',
  ],
  [
    'a key that two records share, pages apart, and of one version',
    {
      api: everyRow((row, at) => (at === 1 || at === 20 ? { id: 'row-twin', revision: 7 } : row)),
    },
    'error key-repeats record.key',
  ],
  [
    'a key that a record lacks, where a map names the others anew',
    {
      map: ({ revision = null, ...row }) => ({ ...row, issue: revision }),
      api: everyRow((row, at) => ({ id: at === 5 ? '' : row.id })),
      file: {
        record: { ...PIPELINE.record, version: { field: 'issue', format: 'integer' } },
      },
    },
    'error no-key record.key',
  ],
  [
    'a partition key that some records lack',
    {
      api: everyRow((_, at) => ({ owner: at % 3 === 0 ? '' : 'o' })),
      file: { record: { ...PIPELINE.record, partitionBy: 'owner' } },
    },
    'error no-partition-key record.partitionBy',
  ],
  [
    'a version that some records lack',
    { api: everyRow((row, at) => ({ revision: at === 9 ? null : row['revision'] })) },
    'error time-unreadable record.version',
  ],
  [
    'a version that is text without an offset',
    {
      api: everyRow((row) => ({ stamp: String(row.changed_at).slice(0, 19) })),
      file: { record: { ...PIPELINE.record, version: 'stamp' } },
    },
    'error time-format record.version.format',
  ],
  [
    'a version of which one, the first, has no offset',
    {
      api: everyRow((row, at) => ({ stamp: String(row.changed_at).slice(0, at === 0 ? 19 : 24) })),
      file: { record: { ...PIPELINE.record, version: 'stamp' } },
    },
    'error time-unreadable record.version',
  ],
  [
    'an event time in seconds where milliseconds are declared, and one that is null',
    {
      api: everyRow((row, at) => ({
        happened_ms: at === 0 ? null : Math.floor(ms(row.changed_at) / 1_000),
      })),
    },
    'error time-format record.eventTime.format',
  ],
  [
    'an event time in seconds where milliseconds are declared',
    { api: everyRow((row) => ({ happened_ms: Math.floor(ms(row.changed_at) / 1_000) })) },
    'error time-format record.eventTime.format',
  ],
  [
    'an event time in milliseconds where seconds are declared',
    {
      file: {
        record: { ...PIPELINE.record, eventTime: { field: 'happened_ms', format: 'epoch-s' } },
      },
    },
    'error time-format record.eventTime.format',
  ],
  [
    'times of the source that are epoch milliseconds where ISO is declared',
    {
      api: {
        ...everyRow((row) => ({ changed_at: ms(row.changed_at) })),
      },
    },
    'error time-format source.incremental.fieldFormat',
  ],
  [
    'POLL-23: a record whose cursor field is null',
    { api: everyRow((row, at) => ({ changed_at: at === 6 ? null : row.changed_at })) },
    'warning time-unreadable source.incremental.field',
  ],
  [
    'a cursor field that is not there',
    { file: incremental({ field: 'changed' }) },
    'error time-unreadable source.incremental.field',
  ],
  [
    'records of a time that is still to come',
    {
      api: {
        ...everyRow((row) => ({
          changed_at: new Date(ms(row.changed_at) + 11 * 86_400_000).toISOString(),
        })),
      },
    },
    'warning time-ahead source.incremental.field',
  ],
  [
    'answers that fall where they are declared to rise',
    { api: { rows: (rows) => rows.toReversed() } },
    'error not-in-order source.incremental.ordered',
  ],
  [
    'more records of one time than a page has',
    { api: everyRow((row, at) => (at < 20 ? { changed_at: '2001-02-03T04:05:06.007Z' } : row)) },
    'warning ties source.pageSize.value',
  ],
  [
    'a page size that the source does not know',
    { api: { ask: (ask) => ({ ...ask, limit: 10 }) } },
    'warning page-size-ignored source.pageSize.param',
  ],
  [
    'a page that is capped below what is asked for',
    { api: { ask: (ask) => ({ ...ask, limit: Math.min(5, ask.limit) }) } },
    'warning page-size-capped source.pageSize.value',
  ],
  [
    'POLL-02: a token that is answered again',
    { api: { page: ({ data }) => ({ data, next_cursor: '8' }) } },
    'error token-repeats source.pagination.next',
  ],
  [
    'POLL-02: tokens that go A, B, A',
    {
      api: {
        page: ({ data }, { cursor }) => ({ data, next_cursor: cursor === '8' ? '16' : '8' }),
      },
    },
    'error token-repeats source.pagination.next',
  ],
  [
    'a token that the source does not look at',
    { api: { ask: (ask) => ({ ...ask, cursor: null }) } },
    'error page-repeats source.pagination.param',
  ],
  [
    'a place that the source does not look at',
    { file: { source: { ...SOURCE, pagination: { kind: 'offset', param: 'skip' } } } },
    'error page-repeats source.pagination.param',
  ],
  [
    'a token that the source refuses',
    {
      api: {
        respond: (response, { cursor }) => cursor !== null && (response.writeHead(400).end(), true),
      },
    },
    'error token-refused source.pagination.param',
  ],
  [
    'a token that is an object',
    { api: { page: ({ data }) => ({ data, next_cursor: { at: 8 } }) } },
    'error token-unreadable source.pagination.next',
  ],
  [
    'a full page whose token stands elsewhere',
    {
      file: {
        source: { ...SOURCE, pagination: { kind: 'cursor', param: 'cursor', next: 'next' } },
      },
    },
    'error token-missing source.pagination.next',
  ],
  [
    'a total that is the number of records on a page',
    {
      api: { page: ({ data }) => ({ data, total: data.length }) },
      file: {
        source: { ...SOURCE, pagination: { kind: 'offset', param: 'cursor', total: 'total' } },
      },
    },
    'note token-missing source.pagination.total',
  ],
  [
    'a full page whose link stands elsewhere',
    { file: { source: { ...SOURCE, pagination: { kind: 'link', next: 'links.next' } } } },
    'error token-missing source.pagination.next',
  ],
  [
    'a full page without the header that leads on',
    { file: { source: { ...SOURCE, pagination: { kind: 'link' } } } },
    'error token-missing source.pagination.next',
  ],
  [
    'POLL-07: a token on the last page, where a flag says that there is no more',
    {
      api: {
        page: ({ data, next_cursor }, { cursor }) => ({
          data,
          next_cursor: next_cursor ?? `after-${cursor}`,
          has_more: next_cursor !== null,
        }),
      },
      file: { source: { ...SOURCE, pageSize: { param: 'limit', value: 20 } } },
    },
    'warning more-flag source.pagination',
  ],
  [
    'POLL-07: one token on every page, where a flag says that there is no more',
    {
      api: {
        page: ({ data, next_cursor }) => ({
          data,
          next_cursor: next_cursor ?? 'last',
          has_more: next_cursor !== null,
        }),
      },
      file: { source: { ...SOURCE, pageSize: { param: 'limit', value: 20 } } },
    },
    'warning more-flag source.pagination',
  ],
  [
    'a boundary that the source does not look at',
    { api: { filter: () => true } },
    'error boundary-ignored source.incremental.param',
  ],
  [
    'a boundary that the source cannot read',
    {
      api: {
        respond: (response, { since }) => since !== null && (response.writeHead(400).end(), true),
      },
    },
    'error boundary-refused source.incremental.format',
  ],
  [
    'a boundary of whole minutes',
    {
      api: {
        filter: (row, since) =>
          ms(row.changed_at) >= Math.floor(ms(since) / 60_000) * 60_000 - 60_000,
      },
    },
    'warning boundary-coarse source.incremental.format',
  ],
  [
    'POLL-13: a boundary that leaves out what stands at it',
    { api: { filter: (row, since) => ms(row.changed_at) > ms(since) } },
    'error boundary-exclusive source.incremental.inclusive',
  ],
  [
    'times that are compared as texts, written with more digits than the boundary',
    {
      api: {
        ...everyRow((_, at) => ({ changed_at: `2026-03-01T11:54:${10 + at}.000Z` })),
        filter: (row, since) => String(row.changed_at) >= since,
      },
    },
    'error boundary-as-text source.incremental.format',
  ],
  [
    'a boundary that is declared to leave out what stands at it, and does not',
    { file: incremental({ inclusive: false }) },
    'warning boundary-inclusive source.incremental.inclusive',
  ],
  [
    'a record that is larger than the stream takes',
    { api: everyRow((_, at) => (at === 2 ? { note: 'x'.repeat(1024 * 1024) } : {})) },
    'error record-too-large stream.recordBytesMax',
  ],
  [
    'an item that is larger than a table takes',
    {
      api: everyRow((_, at) => (at === 2 ? { removed: false, note: 'x'.repeat(410 * 1024) } : {})),
    },
    'error item-too-large consumers.0.attributes',
  ],
  [
    'a member that a table keeps for itself',
    { api: everyRow(() => ({ removed: false, _version: 1 })) },
    'error field-name-not-allowed consumers.0.attributes',
  ],
  [
    'a map that throws',
    {
      map: () => {
        throw new TypeError('no such thing');
      },
    },
    'error map-failed map',
  ],
];

describe('the doctor finds exactly', () => {
  test('a port at which nothing listens', async () => {
    let gone = '';
    await whileListening(fakeApi(1), async (url) => void (gone = url));
    expect(briefly(await examine({ urlOf: () => gone }))).toEqual(['error connection source.url']);
  });

  test.each(MISTAKES)('%s', async (title, patient, found) => {
    // Each on rows of its own.
    expect(briefly(await examine({ seed: title.length, ...patient }))).toEqual([found]);
  });
});

test('of records that are refused for one reason, the first says why', async () => {
  const api = everyRow((row, at) => (at === 4 ? { id: '' } : at === 7 ? { id: null } : row));
  const { findings } = await examine({ api });
  expect(findings.map(({ sentence }) => sentence)).toEqual([
    '2 of 24 records would be refused: `id` holds an empty text where a key was expected.',
  ]);
});

test('the worst that is found comes first', async () => {
  expect(briefly(await examine({ aheadMs: -180_000, api: { filter: () => true } }))).toEqual([
    'error boundary-ignored source.incremental.param',
    'warning clock-skew null',
  ]);
});
