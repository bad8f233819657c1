import { describe, expect, test } from 'vitest';
import { FRESH_CURSOR } from '#core/source/cursor';
import { pageRequest, runQuery } from '#core/source/page-query';
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
    expect(runQuery(source, FRESH_CURSOR)).toEqual({});
    expect(runQuery(source, { boundary })).toEqual({ since: '2031-06-12T16:31:30.500Z' });
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
    expect(runQuery(told, { boundary })['since']).toBe(since);
  });
});

describe('a page', () => {
  test('is asked for by its token, beside the run’s parameters and those of the file', () => {
    const run = { since: 'then' };
    const first = { kind: 'all', limit: '3', since: 'then' };
    expect(pageRequest(source, run, undefined)).toEqual({ query: first });
    expect(pageRequest(source, run, 't2')).toEqual({ query: { ...first, cursor: 't2' } });
    for (const kind of ['offset', 'page'] as const) {
      const told = { ...source, pagination: { kind, param: 'at', first: 0 } };
      expect(pageRequest(told, run, undefined)).toEqual({ query: { ...first, at: '0' } });
      expect(pageRequest(told, run, '7')).toEqual({ query: { ...first, at: '7' } });
    }
  });

  test('by the last record’s time may be asked for by the parameter that takes the boundary', () => {
    const pagination = { kind: 'keyset', param: 'since', field: ['at'] } as const;
    const asked = (token?: string) =>
      pageRequest({ ...source, pagination }, { since: 'then' }, token);
    expect(asked()).toEqual({ query: { kind: 'all', limit: '3', since: 'then' } });
    expect(asked('later')).toEqual({ query: { kind: 'all', limit: '3', since: 'later' } });
  });

  test('that a link leads to is asked for by its place, beside the file’s parameters alone', () => {
    const told = { ...source, pagination: { kind: 'link', next: ['next'] } } as const;
    const run = { since: 'then' };
    expect(pageRequest(told, run, undefined)).toEqual({
      query: { kind: 'all', limit: '3', since: 'then' },
    });
    expect(pageRequest(told, run, '/a?p=2')).toEqual({ query: { kind: 'all' }, place: '/a?p=2' });
  });
});
