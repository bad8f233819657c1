import { describe, expect, test } from 'vitest';
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
    expect(runQuery(source, { from: null })).toEqual({});
    expect(runQuery(source, { from: boundary })).toEqual({ since: '2031-06-12T16:31:30.500Z' });
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
    expect(runQuery(told, { from: boundary })['since']).toBe(since);
  });
});

describe('the end of a span', () => {
  const told = { ...incremental, until: { param: 'before' } };
  const asked = (over: Partial<Incremental>, text: string) => {
    const to = parseTimestamp(text, 'iso')!;
    return runQuery({ ...source, incremental: { ...told, ...over } }, { from: boundary, to });
  };

  test.each([
    ['epoch-s', '2031-06-12T16:40:00Z', '1939048800'],
    ['epoch-s', '2031-06-12T16:40:00.000000001Z', '1939048801'],
    ['epoch-ms', '2031-06-12T16:40:00.0000000Z', '1939048800000'],
    ['epoch-ms', '2031-06-12T16:40:00.0000001Z', '1939048800001'],
    ['iso', '2031-06-12T16:40:00.0000001Z', '2031-06-12T16:40:00.000000100Z'],
  ] as const)('in %s is the first tick at or after %s: %s', (paramFormat, to, before) => {
    expect(asked({ paramFormat }, to)['before']).toBe(before);
  });

  test('is not asked of a source that takes none', () => {
    expect(asked({ until: undefined }, '2031-06-12T16:40:00Z')).toEqual({
      since: '2031-06-12T16:31:30.500Z',
    });
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

    const begun = { ...source, pagination: { ...told.pagination, first: { _page: '1' } } };
    expect(pageRequest(begun, run, undefined)).toEqual({
      query: { kind: 'all', limit: '3', since: 'then', _page: '1' },
    });
    expect(pageRequest(begun, run, '/a?p=2')).toEqual({ query: { kind: 'all' }, place: '/a?p=2' });
  });
});

test('a source that has no parameter for a page’s size is not asked for one', () => {
  const sized = { ...source, pageSize: { value: 3 } };
  expect(pageRequest(sized, {}, undefined).query).not.toHaveProperty('limit');
});
