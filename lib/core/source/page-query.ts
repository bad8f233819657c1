/** What a request asks of a source. */
import type { Path } from '#core/record/path';
import { renderTimestamp } from '#core/record/timestamp';
import type { TimeFormat, Timestamp } from '#core/record/timestamp';
import { askedFrom, tickFrom } from './bound.ts';
import type { Settling } from './cursor.ts';
import type { Feed } from './feed.ts';
import type { Pagination } from './pagination.ts';
import type { Span } from './span.ts';

export interface Incremental extends Settling {
  readonly param: string;
  readonly path: Path;
  /** How the row's field is written; undefined infers it. */
  readonly fieldFormat: TimeFormat | undefined;
  /** Where the very first run begins; undefined: with the very first row. */
  readonly start?: Timestamp | undefined;
  /** `param` takes an end; `windowMs`: how long a run's span may be, where the source sets a limit. */
  readonly until?: Until | undefined;
}

export interface Until {
  readonly param: string;
  readonly windowMs?: number | undefined;
}

export interface SourceQuery {
  readonly fixed: Readonly<Record<string, string>>;
  readonly pagination: Pagination;
  /** Without a parameter the source gives as many, asked or not. */
  readonly pageSize: { readonly param?: string | undefined; readonly value: number } | undefined;
  readonly incremental: Incremental | undefined;
  /** Of a source that is asked by token, in place of `incremental`. */
  readonly feed?: Feed | undefined;
  /** What else the file fixes of a request: where another text stands, a place is another place. */
  readonly asks?: string | undefined;
}

type Query = Readonly<Record<string, string>>;

/** A span of time; of a source that is asked by token, the latest it answered. */
export interface Asked extends Span {
  readonly token?: string | undefined;
}

/**
 * What sets a run's requests apart from another run's. It is stored with the run; the parameters
 * that the pipeline file fixes are not, as one of them may be a credential.
 *
 * An end is asked for as the first tick that no row of the span lies at or after; of a source that
 * takes no end, it is not asked for.
 */
export function runQuery({ incremental, feed }: SourceQuery, { from, to, token }: Asked): Query {
  const shown = feed && (token ?? feed.first);
  if (feed?.param !== undefined && shown !== undefined) return { [feed.param]: shown };
  if (incremental === undefined) return {};
  const { param, until, paramFormat } = incremental;
  const query: Record<string, string> = {};
  if (from !== null) query[param] = renderTimestamp(askedFrom(from, incremental), paramFormat);
  if (to !== undefined && until !== undefined) {
    query[until.param] = renderTimestamp(tickFrom(to, incremental), paramFormat);
  }
  return query;
}

/**
 * What asks for the page at `token` of a run, or for its first page: parameters and, where an answer
 * named it, a place. That carries its own parameters but those that the pipeline file fixes.
 */
export function pageRequest(
  { fixed, pageSize, pagination }: SourceQuery,
  run: Query,
  token: string | undefined,
): { readonly query: Query; readonly place?: string } {
  const isPlace = pagination.kind === 'link' || pagination.kind === 'none';
  if (isPlace && token !== undefined) return { query: fixed, place: token };
  const size = pageSize?.param === undefined ? {} : { [pageSize.param]: String(pageSize.value) };
  return {
    query: {
      ...fixed,
      ...size,
      ...run,
      ...placeIn(pagination, token),
    },
  };
}

/** The parameters that name a page: none for the first, unless it has some. */
function placeIn(pagination: Pagination, token: string | undefined): Query {
  if (pagination.kind === 'link') return pagination.first ?? {};
  const at = token ?? ('first' in pagination ? String(pagination.first) : undefined);
  return 'param' in pagination && at !== undefined ? { [pagination.param]: at } : {};
}
