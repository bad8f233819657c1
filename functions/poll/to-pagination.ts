import type {
  Mark as MarkSetting,
  Pagination as PaginationSettings,
} from '#config/pipeline-settings';
import { parsePath } from '#core/record/path';
import type { Mark, Pagination } from '#core/source/pagination';

/** A source's paging in the terms of the core: dot paths taken apart. */
export function toPagination(pagination: PaginationSettings): Pagination {
  switch (pagination.kind) {
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
    case 'keyset':
      return { ...pagination, field: parsePath(pagination.field) };
  }
}

function toMark(mark: MarkSetting): Mark {
  return typeof mark === 'string' ? parsePath(mark) : mark;
}

function ifNamed(mark: MarkSetting | undefined): Mark | undefined {
  return mark === undefined ? undefined : toMark(mark);
}
