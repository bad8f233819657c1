/** What a file may say of how one page leads to the next. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toPagination } from '#functions/poll/to-pagination';
import { faultsOf, settingsOf, ticketsInput } from '#test/config/pipeline-input';

const withPages = (pagination: object, incremental: object = {}) => {
  const { source, ...file } = ticketsInput();
  return {
    ...file,
    source: { ...source, pagination, incremental: { ...source.incremental, ...incremental } },
  };
};
const read = (pagination: object) => {
  const unordered = { ordered: false };
  const { source } = settingsOf(withPages(pagination, unordered));
  return toPagination(source.pagination, source.incremental);
};

describe('paging is read with its defaults, and its paths taken apart', () => {
  test.each([
    [
      { kind: 'cursor', param: 'c', next: 'meta.next', more: 'meta.more' },
      { kind: 'cursor', param: 'c', next: ['meta', 'next'], more: ['meta', 'more'] },
    ],
    [
      { kind: 'cursor', param: 'c', next: { header: 'X-Next' } },
      { kind: 'cursor', param: 'c', next: { header: 'X-Next' } },
    ],
    [{ kind: 'link' }, { kind: 'link', next: { header: 'Link' } }],
    [
      { kind: 'link', next: 'links.next' },
      { kind: 'link', next: ['links', 'next'] },
    ],
    [
      { kind: 'link', first: { _page: '1' } },
      { kind: 'link', next: { header: 'Link' }, first: { _page: '1' } },
    ],
    [
      { kind: 'page', param: 'p' },
      { kind: 'page', param: 'p', first: 1 },
    ],
    [
      { kind: 'page', param: 'p', first: 0, pages: 'meta.pages' },
      { kind: 'page', param: 'p', first: 0, pages: ['meta', 'pages'] },
    ],
    [
      { kind: 'offset', param: 'o' },
      { kind: 'offset', param: 'o', first: 0, overlap: 0 },
    ],
    [
      { kind: 'offset', param: 'o', first: 1, total: { header: 'X-Total-Count' }, overlap: 3 },
      { kind: 'offset', param: 'o', first: 1, total: { header: 'X-Total-Count' }, overlap: 3 },
    ],
    [
      { kind: 'keyset', param: 'after', field: 'meta.id' },
      { kind: 'keyset', param: 'after', field: ['meta', 'id'], mayTie: true },
    ],
  ])('%j', (pagination, told) => expect(read(pagination)).toEqual(told));
});

describe('paging is refused in a sentence', () => {
  test.each([
    [
      { kind: 'pages', param: 'p' },
      "kind: must be 'none', 'cursor', 'link', 'page', 'offset', 'feed' or 'keyset'",
    ],
    [{ kind: 'cursor', param: 'c' }, 'next: is missing'],
    [{ kind: 'cursor', param: 'c', next: 7 }, 'next: must be text or an object'],
    [
      { kind: 'cursor', param: 'c', next: 'a..b' },
      "next: must be a dot path such as 'properties.updated'",
    ],
    [
      { kind: 'cursor', param: 'c', next: { header: 'X Next' } },
      "next.header: must be a header's name such as 'X-Next-Page'",
    ],
    [
      { kind: 'cursor', param: 'c', next: { haeder: 'X-Next' } },
      "next.haeder: unknown key; did you mean 'header'?",
    ],
    [{ kind: 'link', next: { header: 'X-Next' } }, "next.header: must be 'Link'"],
    [{ kind: 'link', param: 'page' }, 'param: unknown key; valid here: kind, next, first'],
    [{ kind: 'link', first: { _page: 1 } }, 'first._page: must be text'],
    [{ kind: 'link', first: '_page=1' }, 'first: must be an object'],
    [{ kind: 'page', param: 'p', first: 2 }, 'first: must be 0 or 1'],
    [{ kind: 'page', param: '' }, 'param: must name a query parameter'],
    [{ kind: 'page', param: 'p', pages: true }, 'pages: must be text or an object'],
    [{ kind: 'offset', param: 'o', totl: 'n' }, "totl: unknown key; did you mean 'total'?"],
    [{ kind: 'keyset', param: 'after' }, 'field: is missing'],
  ])('%j', (pagination, sentence) =>
    expect(faultsOf(withPages(pagination, { ordered: false }))).toEqual([
      `source.pagination.${sentence}`,
    ]),
  );

  test('where anything stands in the place of any field', () => {
    const whole = [
      { kind: 'cursor', param: 'c', next: 'n', more: 'm' },
      { kind: 'link', next: 'n' },
      { kind: 'page', param: 'p', first: 0, pages: 'n' },
      { kind: 'offset', param: 'o', first: 0, total: 'n', overlap: 2 },
      { kind: 'keyset', param: 'after', field: 'id' },
    ];
    const place = fc.constantFrom(
      ...whole.flatMap((made) => Object.keys(made).map((name) => ({ made, name }))),
    );
    const wrong = fc.constantFrom<unknown>(7.5, null, true, [], {}, '', -1, { header: 5 });
    fc.assert(
      fc.property(place, wrong, ({ made, name }, value) => {
        const faults = faultsOf(withPages({ ...made, [name]: value }, { ordered: false }));
        expect(faults).toHaveLength(1);
        expect(faults[0]).toMatch(
          new RegExp(`^source\\.pagination\\.${name}(\\.header)?: (must|is) [^\\n]+$`),
        );
      }),
    );
  });
});

describe('paging that contradicts the rest of the source', () => {
  test.each([
    [{ kind: 'page', param: 'since' }, 'incremental.param'],
    [{ kind: 'page', param: 'size' }, 'pageSize.param'],
    [{ kind: 'keyset', param: 'size', field: 'changed_at' }, 'pageSize.param'],
  ])('%j is refused: the parameter is taken by %s', (pagination, taken) =>
    expect(faultsOf(withPages(pagination))).toEqual([
      `source.pagination.param: '${pagination.param}' is already source.${taken}`,
    ]),
  );

  test.each([
    ['size', 'pageSize.param'],
    ['since', 'incremental.param'],
    ['before', 'incremental.until.param'],
    ['kind', 'query'],
  ])('a first request’s own %s is refused: it stands in %s', (param, holder) => {
    const file = withPages({ kind: 'link', first: { [param]: '1', other: '2' } });
    const incremental = { ...file.source.incremental, until: { param: 'before' } };
    const source = { ...file.source, incremental, query: { kind: 'all' } };
    expect(faultsOf({ ...file, source })).toEqual([
      `source.pagination.first.${param}: is already in source.${holder}`,
    ]);
  });

  test('by a value that records may share has room for two', () => {
    const file = withPages({ kind: 'keyset', param: 'after', field: 'seq' }, { ordered: false });
    const one = { ...file, source: { ...file.source, pageSize: { param: 'size', value: 1 } } };
    expect(faultsOf(one)).toEqual([
      "source.pageSize.value: must be 2 at least: records may share their 'seq', which is not record.key",
    ]);
  });

  test('what a run asks for is not fixed, and a first token may be', () => {
    const { source, ...file } = ticketsInput();
    const query = { since: '2030-01-01T00:00:00Z', size: '9', before: '1', after: '*' };
    const incremental = { param: 'since', field: 'changed_at', until: { param: 'before' } };
    expect(faultsOf({ ...file, source: { ...source, query, incremental } })).toEqual([
      'source.query.before: is already source.incremental.until.param',
      'source.query.since: is already source.incremental.param',
      'source.query.size: is already source.pageSize.param',
    ]);
  });

  test('what a run asks for is not fixed in the URL either, where a first token may be', () => {
    const { source, ...file } = ticketsInput();
    const url =
      'https://api.test/tickets?size=9&since=2030-01-01T00:00:00Z&before=1&after=*&team=7';
    const incremental = { param: 'since', field: 'changed_at', until: { param: 'before' } };
    expect(faultsOf({ ...file, source: { ...source, url, incremental } })).toEqual([
      "source.url: holds 'since', which is already source.incremental.param",
      "source.url: holds 'before', which is already source.incremental.until.param",
      "source.url: holds 'size', which is already source.pageSize.param",
    ]);
  });

  test('what every record holds is no mark of a delete', () => {
    const withDeleted = (field: string) => {
      const { source, ...file } = ticketsInput();
      return faultsOf({ ...file, source: { ...source, deleted: { field } } });
    };
    const ending = 'every record that holds it would be a delete';
    expect(withDeleted('meta.ticket_id')).toEqual([
      `source.deleted.field: must not be record.key: ${ending}`,
    ]);
    expect(withDeleted('revision')).toEqual([
      `source.deleted.field: must not be record.version: ${ending}`,
    ]);
  });

  test('by offset is refused with an overlap of a whole page', () => {
    const file = withPages({ kind: 'offset', param: 'o', overlap: 20 });
    const small = { ...file, source: { ...file.source, pageSize: { param: 'size', value: 20 } } };
    expect(faultsOf(file)).toEqual([]);
    expect(faultsOf(small)).toEqual([
      'source.pagination.overlap: must be less than source.pageSize.value (20)',
    ]);
  });

  test('by key is ordered by its key, unless that is the time asked from', () => {
    const byId = { kind: 'keyset', param: 'after', field: 'id' };
    expect(faultsOf(withPages(byId))).toEqual([
      "source.incremental.ordered: must be false: pages follow 'id', so records rise by it and not by 'changed_at'",
    ]);
    expect(faultsOf(withPages(byId, { ordered: false }))).toEqual([]);
    const byTime = { kind: 'keyset', param: 'since', field: 'changed_at' };
    expect(faultsOf(withPages(byTime, { inclusive: false }))).toEqual([]);
  });

  test('by the parameter that takes the boundary follows the same time, as it stands, and leaves it out', () => {
    const byTime = { kind: 'keyset', param: 'since', field: 'changed_at' };
    expect(faultsOf(withPages(byTime, { format: 'epoch-s' }))).toEqual([
      'source.incremental.inclusive: must be false: pages follow by the same parameter, which leaves the last time out',
      "source.incremental.format: must be 'iso', as fieldFormat is: pages follow by the same parameter, which takes the last record's time as it stands",
    ]);
    expect(faultsOf(withPages(byTime, { inclusive: false, format: 'iso-s' }))).toEqual([]);
    const other = { ...byTime, field: 'made_at' };
    expect(faultsOf(withPages(other, { inclusive: false, ordered: false }))).toEqual([
      "source.pagination.param: 'since' is already source.incremental.param",
    ]);
  });
});
