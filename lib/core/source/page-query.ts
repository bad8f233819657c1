/** What a request asks of a source, and what its answer says about the next. */
import { numberText } from '#core/record/exact-json';
import type { JsonValue } from '#core/record/json';
import { describeValue, readPath } from '#core/record/path';
import type { Path } from '#core/record/path';
import { renderTimestamp } from '#core/record/timestamp';
import type { TimeFormat, Timestamp } from '#core/record/timestamp';
import { askedFrom } from './bound.ts';
import type { Settling } from './cursor.ts';

export type Pagination =
  | { readonly kind: 'cursor'; readonly param: string; readonly next: Path }
  /** `first` is the offset of the first row: 0 or 1. */
  | { readonly kind: 'offset'; readonly param: string; readonly first: number };

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
}

/**
 * Whether a page with fewer rows than asked for is the last.
 *
 * It is not: a source that caps a page below the size asked for would end every run at its first
 * page, with no error and the rest missing. Only an empty page ends an offset run; that costs one
 * small request a run.
 */
const SHORT_PAGE_ENDS = false;

type Query = Readonly<Record<string, string>>;

/**
 * What sets a run's requests apart from another run's. It is stored with the run; the parameters
 * that the pipeline file fixes are not, as one of them may be a credential.
 */
export function runQuery({ incremental }: SourceQuery, boundary: Timestamp | null): Query {
  if (incremental === undefined || boundary === null) return {};
  const from = askedFrom(boundary, incremental);
  return { [incremental.param]: renderTimestamp(from, incremental.paramFormat) };
}

/** All parameters of the page at `token` of a run, or of its first page. */
export function pageQuery(source: SourceQuery, run: Query, token: string | undefined): Query {
  const { fixed, pageSize, pagination } = source;
  const first = pagination.kind === 'offset' ? String(pagination.first) : undefined;
  const place = token ?? first;
  return {
    ...fixed,
    ...(pageSize ? { [pageSize.param]: String(pageSize.value) } : {}),
    ...run,
    ...(place === undefined ? {} : { [pagination.param]: place }),
  };
}

export type NextPage =
  | { readonly kind: 'next'; readonly token: string }
  | { readonly kind: 'end' }
  | { readonly kind: 'unreadable'; readonly detail: string };

/** Where the run goes on. An empty page with a live token goes on; a null or missing token ends. */
export function nextPage(
  source: SourceQuery,
  page: { body: JsonValue; recordCount: number; token: string | undefined },
): NextPage {
  const { pagination, pageSize } = source;
  if (pagination.kind === 'offset') {
    const short = pageSize !== undefined && page.recordCount < pageSize.value;
    if (page.recordCount === 0 || (SHORT_PAGE_ENDS && short)) return { kind: 'end' };
    const offset = page.token === undefined ? pagination.first : Number(page.token);
    return { kind: 'next', token: String(offset + page.recordCount) };
  }
  const next = readPath(page.body, pagination.next);
  if (next === undefined || next === null || next === '' || next === false) return { kind: 'end' };
  const token = typeof next === 'string' ? next : numberText(next);
  if (token !== undefined) return { kind: 'next', token };
  const place = pagination.next.join('.');
  return {
    kind: 'unreadable',
    detail: `\`${place}\` holds ${describeValue(next)}, not a page token`,
  };
}
