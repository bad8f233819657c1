/** A source that pages in a way of its own, and shows its rows only to who brings its key. */
import type { JsonValue } from '#core/record/json';
import type { Pagination } from '#core/source/pagination';
import type { PageSource } from '#ports/page-source';
import { START_MS } from './poll-world.ts';

export const ORIGIN = 'https://api.test';
export const KEY = 's3cret';

export interface ServedRow {
  readonly order_id: string;
  readonly updated_at: string;
}

interface Asked {
  readonly url: URL;
  /** How large the pages of this answer's run are; a page may hold fewer rows than asked for. */
  readonly sizes: readonly number[];
}

interface Served {
  readonly items: readonly ServedRow[];
  readonly body?: Record<string, JsonValue>;
  readonly headers?: Record<string, string>;
}

type Server = (rows: readonly ServedRow[], asked: Asked) => Served;

/** Page number `at` of rows cut into pages once for all. */
function cut(rows: readonly ServedRow[], sizes: readonly number[], at: number) {
  const pages: ServedRow[][] = [];
  for (let from = 0, n = 0; from < rows.length; n++) {
    const size = sizes[n % sizes.length]!;
    pages.push(rows.slice(from, from + size));
    from += size;
  }
  return { items: pages[at] ?? [], count: pages.length };
}

const param = (url: URL, name: string, otherwise: string) =>
  url.searchParams.get(name) ?? otherwise;

/** The page after this one as a URL, with everything that was asked for this one. */
function linkTo(url: URL, at: number): string {
  const next = new URL(url);
  next.searchParams.set('cursor', `t${at}`);
  return next.href;
}

function byToken(show: (at: number, isLast: boolean, url: URL) => Omit<Served, 'items'>): Server {
  return (rows, { url, sizes }) => {
    const at = Number(param(url, 'cursor', 't0').slice(1));
    const { items, count } = cut(rows, sizes, at);
    return { items, ...show(at + 1, at + 1 >= count, url) };
  };
}

/** No page of these is empty but the last: it is how they say so. */
const filled = (sizes: readonly number[]) => sizes.map((size) => Math.max(1, size));

const byNumber: Server = (rows, { url, sizes }) =>
  cut(rows, filled(sizes), Number(param(url, 'page', '')));

const byOffset: Server = (rows, { url, sizes }) => {
  const from = Number(param(url, 'skip', ''));
  return { items: rows.slice(from).slice(0, filled(sizes)[from % sizes.length]) };
};

const byKey: Server = (rows, { url, sizes }) => {
  const key = param(url, 'after', '');
  const found = rows.filter(({ order_id }) => order_id > key);
  return { items: found.slice(0, filled(sizes)[found.length % sizes.length]) };
};

const next = (at: number, isLast: boolean) => (isLast ? null : `t${at}`);

/** Each way to page, as a pipeline file says it, with a server that pages so. */
export const WAYS: Readonly<Record<string, readonly [Pagination, Server]>> = {
  'a token in the body': [
    { kind: 'cursor', param: 'cursor', next: ['next'] },
    byToken((at, isLast) => ({ body: { next: next(at, isLast) } })),
  ],
  'a token in a header': [
    { kind: 'cursor', param: 'cursor', next: { header: 'X-Next' } },
    byToken((at, isLast) => ({ headers: { 'x-next': next(at, isLast) ?? '' } })),
  ],
  'a token that never ends, and a flag that does': [
    { kind: 'cursor', param: 'cursor', next: ['next'], more: ['more'] },
    byToken((at, isLast) => ({ body: { next: `t${at}`, more: !isLast } })),
  ],
  'a whole URL in the body': [
    { kind: 'link', next: ['links', 'next'] },
    byToken((at, isLast, url) => ({ body: { links: isLast ? {} : { next: linkTo(url, at) } } })),
  ],
  'a relative URL in the Link header': [
    { kind: 'link', next: { header: 'Link' } },
    byToken((at, isLast, url) => {
      const first = `<${url.pathname}>; rel="first"`;
      const follow = `<${linkTo(url, at).slice(ORIGIN.length)}>; rel="next"`;
      return { headers: { link: isLast ? first : `${first}, ${follow}` } };
    }),
  ],
  'a page number': [{ kind: 'page', param: 'page', first: 0 }, byNumber],
  'a page number, and how many there are': [
    { kind: 'page', param: 'page', first: 1, pages: ['of'] },
    (rows, { url, sizes }) => {
      const { items, count } = cut(rows, sizes, Number(param(url, 'page', '')) - 1);
      return { items, body: { of: count } };
    },
  ],
  'an offset': [{ kind: 'offset', param: 'skip', first: 0 }, byOffset],
  'an offset, and how many rows there are': [
    { kind: 'offset', param: 'skip', first: 0, total: ['meta', 'total'] },
    (rows, asked) => ({ ...byOffset(rows, asked), body: { meta: { total: rows.length } } }),
  ],
  'the last key': [{ kind: 'keyset', param: 'after', field: ['order_id'] }, byKey],
};

/** Serve `rows` in one of the ways, in pages of `sizes` over and over. */
export function pagingServer(
  server: Server,
  rows: readonly ServedRow[],
  sizes: readonly number[],
): PageSource {
  return {
    async fetchPage({ query, place = '/rows' }) {
      const url = new URL(place, ORIGIN);
      for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
      // As often as once: a parameter that is put twice is not what anybody meant.
      if (url.searchParams.getAll('key').join() !== KEY) {
        return { kind: 'refused', detail: 'the source answered status 401' };
      }
      const since = param(url, 'updated_since', '');
      const shown = rows.filter(({ updated_at }) => updated_at >= since);
      const { items, body, headers = {} } = server(shown, { url, sizes });
      const head = {
        header: (name: string) => headers[name.toLowerCase()],
        place(reference: string, leftOut: readonly string[]) {
          const link = new URL(reference, url);
          for (const name of leftOut) link.searchParams.delete(name);
          return { kind: 'next' as const, token: link.pathname + link.search };
        },
      };
      return {
        kind: 'page',
        body: { items: items.map((row) => ({ ...row })), ...body },
        head,
        startedAtMs: START_MS,
      };
    },
  };
}
