import type {
  Mark as MarkSetting,
  Pagination as PaginationSettings,
  SourceSettings,
} from '#config/pipeline-settings';
import { assert } from '#core/assert';
import { parsePath } from '#core/record/path';
import type { Mark, Pagination } from '#core/source/pagination';

/**
 * A source's paging in the terms of the core: dot paths taken apart.
 *
 * @param key dot path of what no two records share; undefined where nothing is known of that.
 */
export function toPagination(
  pagination: PaginationSettings,
  incremental: SourceSettings['incremental'],
  key?: string,
): Pagination {
  switch (pagination.kind) {
    case 'none':
      return pagination;
    case 'cursor': {
      const { next, more } = pagination;
      return {
        ...pagination,
        next: toMark(next),
        more: more === undefined ? undefined : parsePath(more),
      };
    }
    case 'link': {
      const { next } = pagination;
      return { ...pagination, next: typeof next === 'string' ? parsePath(next) : next };
    }
    case 'page':
      return { ...pagination, pages: ifNamed(pagination.pages) };
    case 'offset':
      return { ...pagination, total: ifNamed(pagination.total) };
    case 'feed': {
      assert(incremental.kind === 'token', 'a feed is asked by its token');
      const { param, next } = incremental;
      const { kind, more } = pagination;
      return {
        kind,
        param,
        next: toMark(next),
        more: more === undefined ? undefined : parsePath(more),
        pending: ifNamed(pagination.pending),
      };
    }
    case 'keyset':
      return {
        ...pagination,
        field: parsePath(pagination.field),
        mayTie: pagination.field !== key,
      };
  }
}

/** A place in an answer, taken apart. */
export function toMark(mark: MarkSetting): Mark {
  return typeof mark === 'string' ? parsePath(mark) : mark;
}

function ifNamed(mark: MarkSetting | undefined): Mark | undefined {
  return mark === undefined ? undefined : toMark(mark);
}
