/** Whether pages lead on, and not round. */
import type { Check, Finding, Observed } from '#cli/doctor/finding';
import { signOfMore } from '#cli/doctor/signs-of-more';
import type { PageSeen } from '#cli/source/walk-pages';
import { describeValue, readPath } from '#core/record/path';
import { markText } from '#core/source/next-page';
import type { Pagination } from '#core/source/pagination';
import { flagBesideToken, flagEndsRun } from './more-flag.ts';
import { countsFromOne } from './page-numbers.ts';
import { urlToken } from './url-token.ts';

export const checkTokens: Check = (seen) => {
  const { pages, end } = seen.walk;
  const { pagination } = seen.options.source;
  switch (end.kind) {
    case 'page-repeats':
      return (
        urlToken(seen) ??
        countsFromOne(seen) ??
        error(
          'page-repeats',
          'param' in pagination ? 'source.pagination.param' : 'source.pagination.next',
          `After page ${pages.length} the source answers an earlier page once more: ${whyAgain(pagination)}.`,
        )
      );
    case 'no-token':
      return error(
        'token-unreadable',
        unreadField(pagination, end.detail),
        `In the answer ${end.detail}.`,
      );
    case 'token-repeats':
      return (
        flagBesideToken(seen) ??
        error(
          'token-repeats',
          pagination.kind === 'feed' ? 'source.incremental.next' : 'source.pagination.next',
          `The token of page ${pages.length} was given before: no run would come to its end.`,
        )
      );
    default:
      return (
        flagBesideToken(seen) ??
        flagEndsRun(seen) ??
        urlToken(seen) ?? [...missingToken(seen), ...missingAfter(seen)]
      );
  }
};

function whyAgain(pagination: Pagination): string {
  return 'param' in pagination
    ? `it does not know \`${pagination.param}\``
    : 'the link leads back there';
}

/** The flag is read before the token. */
function unreadField(pagination: Pagination, detail: string): string {
  const more = 'more' in pagination ? pagination.more : undefined;
  if (more !== undefined && detail.startsWith(markText(more))) return 'source.pagination.more';
  return pagination.kind === 'feed'
    ? 'source.incremental.next'
    : `source.pagination${readOf(pagination)}`;
}

/** What of an answer tells where to go on. */
function readOf({ kind }: Pagination): string {
  const members = {
    none: '.kind',
    cursor: '.next',
    link: '.next',
    page: '.pages',
    offset: '.total',
    keyset: '.field',
    feed: '.pending',
  };
  return members[kind];
}

/** A full first page that names no other, not even by null, is seldom the whole source. */
function missingToken({ options, walk: { pages, end } }: Observed): readonly Finding[] {
  const { pagination, pageSize } = options.source;
  const [page, ...more] = pages;
  if (page === undefined || more.length > 0 || end.kind !== 'last-page') return [];
  // What the next run is asked with stands on the last page alone.
  if (end.token?.kind === 'token') return [];
  const sign = isTokenAbsent(pagination, page) ? signOfMore(page, options) : undefined;
  if (sign !== undefined && (pagination.kind === 'cursor' || pagination.kind === 'link')) {
    return error(
      'token-missing',
      'source.pagination.next',
      `Nothing stands at ${markText(pagination.next)}, so the run ends with the first page; but ${sign}.`,
    );
  }
  const isFull = pageSize !== undefined && page.records.length >= pageSize.value;
  const sentence = isFull ? endingOf(pagination, page) : undefined;
  if (sentence === undefined) return [];
  const field = `source.pagination${readOf(pagination)}`;
  // A number says that it is all; a token that is not there says nothing.
  const isCounted = pagination.kind === 'offset' || pagination.kind === 'page';
  const severity = isCounted ? 'note' : 'warning';
  return [{ severity, check: 'token-missing', field, sentence }];
}

/** Not so where null says that there is none, or a flag that the file names has ended the run. */
function isTokenAbsent(pagination: Pagination, { body }: PageSeen): boolean {
  if (pagination.kind !== 'cursor' && pagination.kind !== 'link') return false;
  const { next } = pagination;
  const isSaid = !('header' in next) && readPath(body, next) !== undefined;
  return !isSaid && !('more' in pagination && pagination.more !== undefined);
}

function endingOf(pagination: Pagination, page: PageSeen): string | undefined {
  switch (pagination.kind) {
    case 'cursor':
    case 'link': {
      const { next } = pagination;
      if (!isTokenAbsent(pagination, page)) return undefined;
      return `The first page is full, and nothing stands at ${markText(next)}: the run ends there, whatever follows; ${around(page)}.`;
    }
    case 'offset':
      return (
        pagination.total &&
        `The first page is full, and ${markText(pagination.total)} says that it is all there is: is it the number of records on the page?`
      );
    case 'page':
      return (
        pagination.pages &&
        `The first page is full, and ${markText(pagination.pages)} says that there is no other: is it the number of this page?`
      );
    default:
      return undefined;
  }
}

/** Of a source that is asked by token: every run would read everything. */
function missingAfter({ options: { source }, walk: { pages, end } }: Observed): readonly Finding[] {
  const { feed } = source;
  const page = pages.at(-1);
  if (feed === undefined || page === undefined || end.kind !== 'last-page') return [];
  const { token } = end;
  if (token?.kind === 'unreadable') {
    return error('token-unreadable', 'source.incremental.next', `In the answer ${token.detail}.`);
  }
  // A feed's last answer may leave the token before it in place.
  if (token?.kind !== 'none' || pages.every(({ records }) => records.length === 0)) return [];
  if (source.pagination.kind === 'feed' && pages.length > 1) return [];
  return error(
    'token-missing',
    'source.incremental.next',
    `The last page holds nothing at ${markText(feed.next)}: every run would read everything again; ${around(page)}.`,
  );
}

function around({ body }: PageSeen): string {
  return `the answer is ${describeValue(body)}`;
}

function error(check: string, field: string, sentence: string): readonly Finding[] {
  return [{ severity: 'error', check, field, sentence }];
}
