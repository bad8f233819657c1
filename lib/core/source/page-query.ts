/** What a request asks of a source. */
import type { Path } from '#core/record/path';
import { renderTimestamp } from '#core/record/timestamp';
import type { TimeFormat } from '#core/record/timestamp';
import { askedFrom } from './bound.ts';
import type { Cursor, Settling } from './cursor.ts';
import type { Feed } from './feed.ts';
import type { Pagination } from './pagination.ts';

export interface Incremental extends Settling {
  readonly param: string;
  readonly path: Path;
  /** How the row's field is written; undefined infers it. */
  readonly fieldFormat: TimeFormat | undefined;
}

export interface SourceQuery {
  readonly fixed: Readonly<Record<string, string>>;
  readonly pagination: Pagination;
  readonly pageSize: { readonly param: string; readonly value: number } | undefined;
  readonly incremental: Incremental | undefined;
  /** Of a source that is asked by token, in place of `incremental`. */
  readonly feed?: Feed | undefined;
}

type Query = Readonly<Record<string, string>>;

/**
 * What sets a run's requests apart from another run's. It is stored with the run; the parameters
 * that the pipeline file fixes are not, as one of them may be a credential.
 */
export function runQuery(
  { incremental, feed }: SourceQuery,
  { boundary, token }: Pick<Cursor, 'boundary' | 'token'>,
): Query {
  const shown = feed && (token ?? feed.first);
  if (feed !== undefined && shown !== undefined) return { [feed.param]: shown };
  if (incremental === undefined || boundary === null) return {};
  const from = askedFrom(boundary, incremental);
  return { [incremental.param]: renderTimestamp(from, incremental.paramFormat) };
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
  if (pagination.kind === 'link' && token !== undefined) return { query: fixed, place: token };
  const first = 'first' in pagination ? String(pagination.first) : undefined;
  const at = token ?? first;
  return {
    query: {
      ...fixed,
      ...(pageSize ? { [pageSize.param]: String(pageSize.value) } : {}),
      ...run,
      ...('param' in pagination && at !== undefined ? { [pagination.param]: at } : {}),
    },
  };
}
