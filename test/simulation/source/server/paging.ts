/**
 * How a simulated source pages, and what is promised to who reads it so. Another kind is one more entry.
 */
import type { Dice } from '#test/simulation/dice';
import type { Row, RowOrder } from './row.ts';
import type { TimeKind } from './moments.ts';
import { compareRows } from './row.ts';
import type { Places } from './places.ts';

export interface Asked {
  /** As it came, but for what proves who asks. */
  readonly url: URL;
  /** How many rows a page holds, at most. */
  readonly size: number;
  readonly order: RowOrder;
  /** What is there, in its order; and of that, what was asked for. */
  readonly all: readonly Row[];
  readonly rows: readonly Row[];
  readonly isAskedFor: (row: Row) => boolean;
  readonly places: Places;
  /** What stands where there is no next page, as JSON. */
  readonly over: string;
  readonly time: TimeKind;
  readonly dice: Dice;
}

export type Served =
  | {
      readonly kind: 'rows';
      readonly rows: readonly Row[];
      /** Members of the answer, as JSON. */
      readonly members?: Readonly<Record<string, string>>;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The place that was asked for is not known, or not any more. */
  | { readonly kind: 'unknown place' };

export interface PagingKind {
  readonly name: string;
  /** What a run begins with is a token, and each answer holds the next. */
  readonly isFeed?: true;
  /** What a pipeline file says of that, where the token is a link. */
  readonly byLink?: object;
  /** What a pipeline file says, of keys or of changes. */
  readonly pagination: (shows: 'keys' | 'changes') => object;
  readonly orders: readonly RowOrder[];
  /** A place is the number of rows before it. */
  readonly isCounted?: true;
  /**
   * A row may leave its place for a later one, or vanish, while it is read, and none behind it is lost.
   * Otherwise rows only come: a source may change if what changes goes to where was read already.
   */
  readonly rowsMayLeave: boolean;
  /** Changes of one key are read in their order while more come. */
  readonly keepsOrder: boolean;
  /** Rows may share a moment, more of them than a page holds; and rows may hold none. */
  readonly momentsMayTie: boolean;
  /** Rows may lack a key. */
  readonly keysMayLack: boolean;
  /** All that leads on stands in headers: an answer may be lines, or be the array. */
  readonly bodyIsFree: boolean;
  readonly serve: (asked: Asked) => Served;
}

const FREE = {
  rowsMayLeave: true,
  keepsOrder: true,
  momentsMayTie: true,
  keysMayLack: true,
  bodyIsFree: false,
};
const ALL_ORDERS: readonly RowOrder[] = ['oldest first', 'newest first', 'by id'];
const FEED = {
  ...FREE,
  isFeed: true,
  orders: ['by change'],
} as const;
const COUNTED = { ...FREE, isCounted: true, rowsMayLeave: false, orders: ALL_ORDERS } as const;
// What comes fills a page that was read already, and what comes next is on the one after it.
const NUMBERED = { ...COUNTED, keepsOrder: false };
const TOKEN = { ...FREE, orders: ALL_ORDERS };

/** What may stand where there is no next page: of one source always the same. */
export const OVER = ['{}', 'null', '{"next":null}', '{"next":""}'];

export const PAGING_KINDS: readonly PagingKind[] = [
  {
    ...FEED,
    name: 'feed',
    pagination: () => ({ kind: 'feed' }),
    serve: (asked) => byChange(asked, () => ({})),
  },
  {
    ...FEED,
    name: 'feed, with what is left',
    pagination: () => ({ kind: 'feed', pending: 'left' }),
    serve: (asked) => byChange(asked, (left) => ({ left: String(left) })),
  },
  {
    ...FEED,
    name: 'feed, with a flag that ends',
    pagination: () => ({ kind: 'feed', more: 'more' }),
    serve: (asked) => byChange(asked, (left) => ({ more: String(left > 0) })),
  },
  {
    ...FEED,
    name: 'delta links',
    byLink: { kind: 'delta-link', next: '@of.delta' },
    pagination: () => ({ kind: 'link', next: '@of.next' }),
    serve: (asked) =>
      byChange(asked, (left, last) => ({
        [left > 0 ? '@of.next' : '@of.delta']: JSON.stringify(
          linkTo(asked, { since: String(last) }),
        ),
      })),
  },
  {
    ...TOKEN,
    bodyIsFree: true,
    name: 'none',
    pagination: () => ({ kind: 'none' }),
    serve: ({ rows }) => ({ kind: 'rows', rows }),
  },
  {
    ...TOKEN,
    name: 'cursor, in the body',
    pagination: () => ({ kind: 'cursor', param: 'at', next: 'page.next' }),
    serve: (asked) =>
      byPlace(asked, (token) => ({
        members: {
          page: token === undefined ? asked.over : `{"next":${JSON.stringify(token)}}`,
        },
      })),
  },
  {
    ...TOKEN,
    bodyIsFree: true,
    name: 'cursor, in a header',
    pagination: () => ({ kind: 'cursor', param: 'at', next: { header: 'X-Next' } }),
    serve: (asked) =>
      byPlace(asked, (token) => ({ headers: token === undefined ? {} : { 'x-next': token } })),
  },
  {
    ...TOKEN,
    name: 'cursor, with a flag that ends',
    pagination: () => ({ kind: 'cursor', param: 'at', next: 'next', more: 'more' }),
    serve: (asked) =>
      byPlace(asked, (token) => ({
        members: {
          next: JSON.stringify(token ?? asked.places.keep({ kind: 'end' })),
          more: String(token !== undefined),
        },
      })),
  },
  {
    ...TOKEN,
    name: 'link, in the body',
    pagination: () => ({ kind: 'link', next: 'links.next' }),
    serve: (asked) =>
      byPlace(asked, (token) => ({
        members: {
          links:
            token === undefined
              ? asked.over
              : `{"next":${JSON.stringify(linkTo(asked, { at: token }))}}`,
        },
      })),
  },
  {
    ...TOKEN,
    bodyIsFree: true,
    name: 'link, in its header',
    pagination: () => ({ kind: 'link' }),
    serve: (asked) =>
      byPlace(asked, (token) => linkHeader(asked, token === undefined ? undefined : { at: token })),
  },
  {
    ...NUMBERED,
    bodyIsFree: true,
    name: 'link, that counts pages',
    pagination: () => ({ kind: 'link', next: { header: 'Link' } }),
    serve(asked) {
      const page = numberIn(asked, 'page', 1);
      const { rows, isLast } = cut(asked, page - 1);
      return {
        ...linkHeader(asked, isLast ? undefined : { page: String(page + 1) }),
        kind: 'rows',
        rows,
      };
    },
  },
  {
    ...NUMBERED,
    bodyIsFree: true,
    name: 'page',
    pagination: () => ({ kind: 'page', param: 'page', first: 0 }),
    serve: (asked) => ({ kind: 'rows', rows: cut(asked, numberIn(asked, 'page')).rows }),
  },
  {
    ...NUMBERED,
    name: 'page, of so many',
    pagination: () => ({ kind: 'page', param: 'page', pages: 'of.pages' }),
    // What was not asked for is left out of a page that is cut already: some are short, some are empty.
    serve(asked) {
      const whole = { ...asked, rows: asked.all };
      const { rows, count } = cut(whole, numberIn(asked, 'page') - 1);
      return {
        kind: 'rows',
        rows: rows.filter(asked.isAskedFor),
        members: { of: `{"pages":${count}}` },
      };
    },
  },
  {
    ...COUNTED,
    bodyIsFree: true,
    name: 'offset',
    pagination: () => ({ kind: 'offset', param: 'skip' }),
    serve: (asked) => ({ kind: 'rows', rows: byOffset(asked, 0) }),
  },
  {
    ...COUNTED,
    name: 'offset, of so many',
    pagination: () => ({ kind: 'offset', param: 'skip', first: 1, total: 'total' }),
    serve: (asked) => ({
      kind: 'rows',
      rows: byOffset(asked, 1),
      members: { total: String(asked.rows.length) },
    }),
  },
  {
    ...COUNTED,
    rowsMayLeave: true,
    bodyIsFree: true,
    name: 'offset, with an overlap',
    pagination: () => ({ kind: 'offset', param: 'skip', overlap: 1 }),
    // Pages that hold no more rows than are shown again show nothing.
    serve: (asked) => ({ kind: 'rows', rows: byOffset(asked, 0, 2) }),
  },
  {
    ...FREE,
    orders: ['by id'],
    keysMayLack: false,
    bodyIsFree: true,
    name: 'keyset, by id',
    pagination: (shows) => ({
      kind: 'keyset',
      param: 'after',
      field: shows === 'keys' ? 'id' : 'rev',
    }),
    serve(asked) {
      const after = asked.url.searchParams.get('after');
      const behind = asked.rows.filter(({ place }) => {
        if (after === null) return true;
        return typeof place === 'string' ? place > after : place > BigInt(after);
      });
      return { kind: 'rows', rows: behind.slice(0, short(asked)) };
    },
  },
  {
    ...FREE,
    orders: ['oldest first'],
    momentsMayTie: false,
    bodyIsFree: true,
    name: 'keyset, by time',
    pagination: () => ({ kind: 'keyset', param: 'after', field: 'meta.changed' }),
    serve(asked) {
      const after = asked.url.searchParams.get('after');
      const from = after === null ? -1n : asked.time.read(after);
      const behind = asked.rows.filter(({ at = 0n }) => at > from);
      return { kind: 'rows', rows: behind.slice(0, short(asked)) };
    },
  },
];

/** A page may hold fewer rows than were asked for, though more follow. */
function short({ size, dice }: Asked, least = 1): number {
  return dice.once(3) ? least + dice.below(size - least + 1) : size;
}

function byOffset(asked: Asked, first: number, least = 1): readonly Row[] {
  const from = numberIn(asked, 'skip') - first;
  return asked.rows.slice(from, from + short(asked, least));
}

function cut({ rows, size }: Asked, at: number) {
  const count = Math.ceil(rows.length / size);
  return { rows: rows.slice(at * size, (at + 1) * size), count, isLast: at + 1 >= count };
}

function numberIn({ url }: Asked, name: string, otherwise?: number): number {
  const text = url.searchParams.get(name) ?? (otherwise === undefined ? '' : String(otherwise));
  if (!/^\d+$/.test(text)) throw new Error(`${name} is '${text}', no number`);
  return Number(text);
}

/** Of each key its latest change, a delete too; behind a change, whose number is the token. */
function byChange(
  asked: Asked,
  say: (left: number, last: number) => Readonly<Record<string, string>>,
): Served {
  const since = Number(asked.url.searchParams.get('since') ?? 0);
  const behind = asked.all.filter(({ n }) => n > since);
  const rows = behind.slice(0, short(asked));
  const last = rows.at(-1)?.n ?? since;
  return {
    kind: 'rows',
    rows,
    members: { last: String(last), ...say(behind.length - rows.length, last) },
  };
}

/** From a token on: behind a row, or on in a list that stands since the first request. */
function byPlace(
  asked: Asked,
  lead: (token: string | undefined) => Omit<Extract<Served, { kind: 'rows' }>, 'kind' | 'rows'>,
): Served {
  const { url, places, order, dice } = asked;
  const token = url.searchParams.get('at');
  const place = token === null ? undefined : places.find(token);
  if (token !== null && place === undefined) return { kind: 'unknown place' };
  const stands = place === undefined ? dice.once(3) : place.kind === 'list';
  const after = place?.kind === 'behind' ? place.row : undefined;
  const left =
    place?.kind === 'list'
      ? place.rows
      : place?.kind === 'end'
        ? []
        : asked.rows.filter((row) => after === undefined || compareRows(order, row, after) > 0);
  // Rows that somebody may not see are left out of a page that is cut already.
  const isEmpty = left.length > 0 && dice.once(6);
  const rows = isEmpty ? [] : left.slice(0, short(asked));
  const rest = left.slice(rows.length);
  const last = rows.at(-1) ?? after;
  const isOver = rest.length === 0;
  const next = isOver
    ? undefined
    : places.keep(
        stands || last === undefined ? { kind: 'list', rows: rest } : { kind: 'behind', row: last },
      );
  return { kind: 'rows', rows, ...lead(next) };
}

function linkTo({ url, dice }: Asked, params: Readonly<Record<string, string>>): string {
  const next = new URL(url);
  for (const [name, value] of Object.entries(params)) next.searchParams.set(name, value);
  return dice.once(2) ? next.href : dice.pick([next.pathname + next.search, next.search]);
}

function linkHeader(asked: Asked, params: Readonly<Record<string, string>> | undefined) {
  const first = `<${asked.url.pathname}>; rel="first"`;
  const next = params && `<${linkTo(asked, params)}>; rel="next"`;
  return { headers: { link: next === undefined ? first : `${first}, ${next}` } };
}
