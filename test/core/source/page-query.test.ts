import { describe, expect, test } from 'vitest';
import { nextPage, pageQuery, runQuery } from '#core/source/page-query';
import type { Incremental, SourceQuery } from '#core/source/page-query';
import { parseTimestamp } from '#core/record/timestamp';

const incremental: Incremental = {
  param: 'since',
  path: ['at'],
  paramFormat: 'iso',
  fieldFormat: undefined,
  horizonMs: 1,
  inclusive: true,
  ordered: true,
};
const source: SourceQuery = {
  fixed: { kind: 'all' },
  pagination: { kind: 'cursor', param: 'cursor', next: ['meta', 'next'] },
  pageSize: { param: 'limit', value: 3 },
  incremental,
};
const boundary = parseTimestamp('2031-06-12T16:31:30.5Z', 'iso')!;

describe('a run', () => {
  test('asks from the boundary, once there is one', () => {
    expect(runQuery(source, null)).toEqual({});
    expect(runQuery(source, boundary)).toEqual({ since: '2031-06-12T16:31:30.500Z' });
  });

  test.each([
    ['iso', true, '2031-06-12T16:31:30.500Z'],
    ['iso', false, '2031-06-12T16:31:30.499Z'],
    ['epoch-ms', true, '1939048290500'],
    ['epoch-ms', false, '1939048290499'],
    ['epoch-s', true, '1939048290'],
    ['epoch-s', false, '1939048289'],
  ] as const)('in %s, inclusive: %s, asks from %s', (paramFormat, inclusive, since) => {
    const told = { ...source, incremental: { ...incremental, paramFormat, inclusive } };
    expect(runQuery(told, boundary)['since']).toBe(since);
  });
});

describe('a page', () => {
  test('is asked for by its token, beside the run’s parameters and those of the file', () => {
    const run = { since: 'then' };
    const first = { kind: 'all', limit: '3', since: 'then' };
    expect(pageQuery(source, run, undefined)).toEqual(first);
    expect(pageQuery(source, run, 't2')).toEqual({ ...first, cursor: 't2' });
    const pagination = { kind: 'offset', param: 'skip', first: 0 } as const;
    expect(pageQuery({ ...source, pagination }, run, undefined)).toEqual({ ...first, skip: '0' });
  });
});

describe('the next page', () => {
  const next = (body: unknown) =>
    nextPage(source, { body: body as never, recordCount: 3, token: 't1' });

  test.each([
    [{ meta: { next: null } }],
    [{ meta: { next: '' } }],
    [{ meta: {} }],
    [{}],
    [{ meta: { next: false } }],
  ])('after %j is none', (body) => expect(next(body)).toEqual({ kind: 'end' }));

  test('is named by text or number', () => {
    expect(next({ meta: { next: 'k2' } })).toEqual({ kind: 'next', token: 'k2' });
    expect(next({ meta: { next: 17 } })).toEqual({ kind: 'next', token: '17' });
    expect(next({ meta: { next: {} } })).toEqual({
      kind: 'unreadable',
      detail: '`meta.next` holds an empty object, not a page token',
    });
  });

  test('of an offset source follows what was answered, until nothing is', () => {
    const told: SourceQuery = {
      ...source,
      pagination: { kind: 'offset', param: 'skip', first: 1 },
    };
    const after = (recordCount: number, token?: string) =>
      nextPage(told, { body: [], recordCount, token });
    expect(after(3)).toEqual({ kind: 'next', token: '4' });
    expect(after(2, '4')).toEqual({ kind: 'next', token: '6' });
    expect(after(0, '6')).toEqual({ kind: 'end' });
  });
});
