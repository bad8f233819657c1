import { describe, expect, test } from 'vitest';
import { Defect } from '#core/assert';
import type { JsonValue } from '#core/record/json';
import { nextPage } from '#core/source/next-page';
import type { PageHead, TakenPage } from '#core/source/next-page';
import type { Pagination } from '#core/source/pagination';

const END = { kind: 'end' };
const to = (token: string) => ({ kind: 'next', token });
const unreadable = (detail: unknown) => ({ kind: 'unreadable', detail });

const head = (headers: Record<string, string>): PageHead => ({
  header: (name) => headers[name],
  place: (reference, leftOut) => ({ kind: 'next', token: `${reference} less ${leftOut.join()}` }),
});

const after =
  (pagination: Pagination) =>
  (page: Partial<TakenPage> & { count?: number }): unknown =>
    nextPage(
      {
        fixed: { kind: 'all' },
        pagination,
        pageSize: { param: 'limit', value: 3 },
        incremental: undefined,
      },
      {
        body: {},
        records: Array.from({ length: page.count ?? 3 }, (_, at) => ({ id: at })),
        token: undefined,
        head: undefined,
        ...page,
      },
    );

describe('after a page with a token', () => {
  const next = after({ kind: 'cursor', param: 'cursor', next: ['meta', 'next'] });

  test.each<[JsonValue]>([
    [{ meta: { next: null } }],
    [{ meta: { next: '' } }],
    [{ meta: {} }],
    [{}],
    [{ meta: { next: false } }],
  ])('%j is the end', (body) => expect(next({ body })).toEqual(END));

  test('the token leads on, a text or a number, from an empty page, too', () => {
    expect(next({ body: { meta: { next: 'k2' } } })).toEqual(to('k2'));
    expect(next({ body: { meta: { next: 17 } }, count: 0 })).toEqual(to('17'));
    expect(next({ body: { meta: { next: {} } } })).toEqual(
      unreadable('`meta.next` holds an empty object, not a page token'),
    );
  });

  test('it may stand in a header', () => {
    const byHeader = after({ kind: 'cursor', param: 'cursor', next: { header: 'X-Next' } });
    expect(byHeader({ head: head({ 'X-Next': 'k2' }) })).toEqual(to('k2'));
    expect(byHeader({ head: head({ 'X-Next': '' }) })).toEqual(END);
    expect(byHeader({ head: head({}) })).toEqual(END);
    expect(() => byHeader({})).toThrow(Defect);
  });

  describe('and a has-more flag', () => {
    const flagged = after({ kind: 'cursor', param: 'c', next: ['next'], more: ['has_more'] });

    test('false ends, whatever the token says', () => {
      expect(flagged({ body: { next: 'k2', has_more: false } })).toEqual(END);
      expect(flagged({ body: { next: {}, has_more: false } })).toEqual(END);
    });

    test('true needs a token', () => {
      expect(flagged({ body: { next: 'k2', has_more: true } })).toEqual(to('k2'));
      expect(flagged({ body: { next: null, has_more: true } })).toEqual(
        unreadable('`has_more` is true, but `next` holds no page token'),
      );
    });

    test.each<[JsonValue, string]>([
      [{ next: null }, 'nothing'],
      [{ next: 'k2', has_more: null }, 'null'],
      [{ next: 'k2', has_more: 'false' }, 'a text'],
      [{ next: 'k2', has_more: 0 }, 'a number'],
    ])('%j has none, which is said', (body, found) =>
      expect(flagged({ body })).toEqual(
        unreadable(`\`has_more\` holds ${found}, not true or false`),
      ),
    );
  });
});

describe('after a page with a link', () => {
  const byPath = after({ kind: 'link', next: ['links', 'next'] });
  const byHeader = after({ kind: 'link', next: { header: 'Link' } });
  const links = (link: string) => byHeader({ head: head({ Link: link }) });

  test('the place that it leads to leads on, without what the file fixes', () => {
    const body = { links: { next: '/a?page=2' } };
    expect(byPath({ body, head: head({}), count: 0 })).toEqual(to('/a?page=2 less kind'));
    expect(links('</a>; rel="prev", </b>; rel="next"')).toEqual(to('/b less kind'));
  });

  test('no link is the end', () => {
    for (const body of [{}, { links: null }, { links: { next: null } }, { links: { next: '' } }]) {
      expect(byPath({ body })).toEqual(END);
    }
    expect(byHeader({ head: head({}) })).toEqual(END);
    expect(links('</a>; rel="prev"')).toEqual(END);
  });

  test('what is no link is said', () => {
    expect(byPath({ body: { links: { next: { href: '/a' } } } })).toEqual(
      unreadable('`links.next` holds an object with `href`, not a link'),
    );
    expect(links('/a')).toEqual(unreadable('the header `Link` holds no list of links'));
  });
});

describe('after a numbered page', () => {
  test('the next number follows, until a page is empty', () => {
    const next = after({ kind: 'page', param: 'page', first: 1 });
    expect(next({})).toEqual(to('2'));
    expect(next({ token: '9', count: 1 })).toEqual(to('10'));
    expect(next({ token: '10', count: 0 })).toEqual(END);
  });

  test.each([
    [0, '1', '2'],
    [1, '2', '3'],
  ] as const)('from %i, three pages end with number %s + 1', (first, middle, last) => {
    const next = after({ kind: 'page', param: 'page', first, pages: ['pages'] });
    const body = { pages: 3 };
    expect(next({ body, count: 0 })).toEqual(to(middle));
    expect(next({ body, token: middle, count: 0 })).toEqual(to(last));
    expect(next({ body, token: last })).toEqual(END);
    expect(next({ body: { pages: 0 } })).toEqual(END);
  });

  test.each<[JsonValue, string]>([
    [{}, 'nothing'],
    [{ pages: null }, 'null'],
    [{ pages: -1 }, 'a number'],
    [{ pages: 2.5 }, 'a number'],
    [{ pages: 'many' }, 'a text'],
  ])('%j tells no number of pages, which is said', (body, found) => {
    const next = after({ kind: 'page', param: 'page', first: 1, pages: ['pages'] });
    expect(next({ body })).toEqual(unreadable(`\`pages\` holds ${found}, not a count`));
  });
});

describe('after a page by offset', () => {
  test('as many rows as were answered are passed over, until none is', () => {
    const next = after({ kind: 'offset', param: 'skip', first: 1 });
    expect(next({})).toEqual(to('4'));
    expect(next({ token: '4', count: 2 })).toEqual(to('6'));
    expect(next({ token: '6', count: 0 })).toEqual(END);
  });

  test('a total of less than a full first page is an error', () => {
    const next = after({ kind: 'offset', param: 'skip', first: 0, total: ['of'] });
    expect(next({ body: { of: 2 } })).toEqual(
      unreadable('`of` holds 2, and a full page holds 3 records: it counts something else'),
    );
    expect(next({ body: { of: 1 }, count: 2 })).toEqual(END);
    expect(next({ body: { of: 5 }, token: '3' })).toEqual(END);
  });

  test('a total ends when it is reached, and an empty page ends before it', () => {
    const next = after({ kind: 'offset', param: 'skip', first: 1, total: { header: 'X-Total' } });
    const told = head({ 'X-Total': '5' });
    expect(next({ head: told })).toEqual(to('4'));
    expect(next({ head: told, token: '4', count: 1 })).toEqual(to('5'));
    expect(next({ head: told, token: '4', count: 2 })).toEqual(END);
    expect(next({ head: told, token: '4', count: 0 })).toEqual(END);
    expect(next({ head: head({}) })).toEqual(
      unreadable('the header `X-Total` holds nothing, not a count'),
    );
  });
});

describe('after a page by key', () => {
  const next = after({ kind: 'keyset', param: 'after', field: ['id'] });

  test('its last record leads on, a text or a number with all of its digits', () => {
    expect(next({ records: [{ id: 'b' }, { id: 'a' }] })).toEqual(to('a'));
    const id = (JSON as unknown as { rawJSON(text: string): JsonValue }).rawJSON(
      '9007199254740993',
    );
    expect(next({ records: [{ id }], token: '9007199254740992' })).toEqual(to('9007199254740993'));
  });

  test('an empty page is the end', () => expect(next({ count: 0, token: '7' })).toEqual(END));

  test('of a last record without it the one before leads on', () => {
    const records = [{ id: 4 }, { id: null }, null, { id: '' }, {}];
    expect(next({ records })).toEqual(to('4'));
    expect(next({ records: records.slice(1) })).toEqual(
      unreadable('none of 4 records holds a value at `id`'),
    );
  });

  describe('that records may share', () => {
    const mayTie = after({ kind: 'keyset', param: 'after', field: ['at'], mayTie: true });
    const records = (...times: number[]) => times.map((at) => ({ at }));

    test('the last value is asked for again, as more may hold it', () => {
      expect(mayTie({ records: records(3, 4, 4) })).toEqual(to('3'));
      expect(mayTie({ records: records(4, 5), token: '3' })).toEqual(to('4'));
      expect(mayTie({ records: records(4, 4), token: '3' })).toEqual(to('4'));
      expect(mayTie({ records: records(4), token: '3' })).toEqual(to('4'));
      expect(mayTie({ count: 0, token: '4' })).toEqual(END);
    });

    test('a full page of one value is an error that names its count', () =>
      expect(mayTie({ records: records(4, 4, 4), token: '3' })).toEqual(
        unreadable(
          'a page holds no more than 3 of the records that share the `at` of its last, so those behind them cannot be asked for',
        ),
      ));

    test('a full page with one record that holds it leads on', () =>
      expect(mayTie({ records: [{ at: null }, {}, { at: 4 }] })).toEqual(to('4')));

    test('so is a page that begins with the value asked from', () =>
      expect(mayTie({ records: records(3, 4), token: '3' })).toEqual(
        unreadable(
          'the source answered 2 records up to the `at` that it was asked to go on after: ' +
            'more records share it than a page holds, or the parameter includes it',
        ),
      ));
  });

  test('a page that ends where it began makes no progress, and its size is named', () => {
    expect(next({ records: [{ id: 6 }, { id: 7 }, { id: 7 }], token: '7' })).toEqual(
      unreadable(
        'the source answered 3 records up to the `id` that it was asked to go on after: ' +
          'more records share it than a page holds, or the parameter includes it',
      ),
    );
  });
});
