/** Where a run goes on after a page. */
import { assert } from '#core/assert';
import { scalarText } from '#core/record/exact-json';
import type { JsonValue } from '#core/record/json';
import { describeValue, readPath } from '#core/record/path';
import type { Path } from '#core/record/path';
import type { Feed } from './feed.ts';
import { nextLink } from './link-header.ts';
import type { Mark, Pagination } from './pagination.ts';
import type { SourceQuery } from './page-query.ts';

export type NextPage =
  | { readonly kind: 'next'; readonly token: string }
  | { readonly kind: 'end' }
  | { readonly kind: 'unreadable'; readonly detail: string };

/** What stands around the body of an answer. */
export interface PageHead {
  /** A header by its name, in any case. */
  header(name: string): string | undefined;
  /**
   * The place that a link of this answer leads to, as path and query. What the source's own URL
   * carries, and the parameters named in `leftOut`, are not part of it. A link to another origin is
   * unreadable.
   */
  place(reference: string, leftOut: readonly string[]): Exclude<NextPage, { kind: 'end' }>;
  /** What is said of the answer, without a secret that it may have said back. */
  hide?(text: string): string;
  /** Whether a token of this answer is no longer whole: it held a secret. */
  isStruck?(token: string): boolean;
}

export interface TakenPage {
  readonly body: JsonValue;
  readonly records: readonly JsonValue[];
  /** Where the page was asked for; undefined for a run's first. */
  readonly token: string | undefined;
  /** Undefined where a page has nothing but a body. */
  readonly head: PageHead | undefined;
  /** How many of its last rows the next page by offset is to show again: fewer than it has. */
  readonly shownAgain?: number;
}

type Of<Kind> = Extract<Pagination, { readonly kind: Kind }>;

const END = { kind: 'end' } as const;

/**
 * Decide where the run goes on. A page shorter than asked for ends nothing: a source that caps its
 * pages would end every run at its first, with no error and the rest missing. An empty page ends
 * only what has no other end.
 */
export function nextPage({ pagination, fixed, pageSize }: SourceQuery, page: TakenPage): NextPage {
  const size = pageSize?.value ?? Infinity;
  switch (pagination.kind) {
    case 'none':
      return END;
    case 'cursor':
      return afterToken(pagination, page);
    case 'link':
      return linkAt(pagination.next, page, Object.keys(fixed));
    case 'page':
      return afterNumber(pagination, page);
    case 'offset':
      return afterRows(pagination, page, size);
    case 'feed':
      return afterChanges(pagination, page);
    case 'keyset':
      return afterKey(pagination, page, size);
  }
}

/** Whether an answer says that there is more; undefined where nobody asks it. */
function saysMore(
  more: Path | undefined,
  { body }: TakenPage,
): boolean | undefined | ReturnType<typeof unreadable> {
  if (more === undefined) return undefined;
  const says = readPath(body, more);
  if (typeof says === 'boolean') return says;
  return misplaced(more, says, 'true or false');
}

/** What the source is asked with next time, if it says so. */
export function tokenAfter({ param, next }: Feed, page: TakenPage, fixed: SourceQuery['fixed']) {
  if (param !== undefined) return tokenAt(next, page);
  const found = linkAt(next, page, Object.keys(fixed));
  if (found.kind === 'next') return { kind: 'token', token: found.token } as const;
  if (found.kind === 'end') return { kind: 'none' } as const;
  return unreadable(`${markText(next)}: ${found.detail}`);
}

function tokenAt(mark: Mark, page: TakenPage) {
  const value = valueAt(mark, page);
  const token = scalarText(value);
  if (token !== undefined) return { kind: 'token', token } as const;
  return isNone(value) ? ({ kind: 'none' } as const) : misplaced(mark, value, 'a token');
}

/** Without a word on what is left, an empty page alone is the end. */
function afterChanges({ next, more, pending }: Of<'feed'>, page: TakenPage): NextPage {
  const goesOn = saysMore(more, page);
  if (typeof goesOn === 'object') return goesOn;
  const left = pending === undefined ? undefined : countAt(pending, page);
  if (typeof left === 'object') return left;
  const count = page.records.length;
  const isSaid = goesOn !== undefined || left !== undefined;
  if (goesOn === false || left === 0 || (!isSaid && count === 0)) return END;
  const found = tokenAt(next, page);
  if (found.kind === 'unreadable') return found;
  if (found.kind === 'none') {
    return unreadable(`there is more to come, but ${markText(next)} holds no token`);
  }
  if (found.token !== page.token) return { kind: 'next', token: found.token };
  return unreadable(
    `the source answered ${count} record${count === 1 ? '' : 's'} and the token that it was asked with: ` +
      'asked again, it would answer them again',
  );
}

function afterToken({ next, more }: Of<'cursor'>, page: TakenPage): NextPage {
  const goesOn = saysMore(more, page);
  if (typeof goesOn === 'object') return goesOn;
  if (goesOn === false) return END;
  const value = valueAt(next, page);
  const token = scalarText(value);
  if (token !== undefined) return { kind: 'next', token };
  if (!isNone(value)) return misplaced(next, value, 'a page token');
  if (more === undefined) return END;
  return unreadable(`${markText(more)} is true, but ${markText(next)} holds no page token`);
}

function linkAt(mark: Mark, page: TakenPage, fixed: readonly string[]): NextPage {
  let reference = valueAt(mark, page);
  if ('header' in mark && typeof reference === 'string') {
    const link = nextLink(reference);
    if (link.kind === 'malformed') return unreadable('the header `Link` holds no list of links');
    reference = link.kind === 'link' ? link.reference : undefined;
  }
  if (isNone(reference)) return END;
  if (typeof reference !== 'string') return misplaced(mark, reference, 'a link');
  assert(page.head !== undefined, 'a page with links knows where they lead');
  return page.head.place(reference, fixed);
}

/** Where the number of pages is known, it alone tells the end: a page before it may be empty. */
function afterNumber({ first, pages }: Of<'page'>, page: TakenPage): NextPage {
  const number = page.token === undefined ? first : Number(page.token);
  const after = { kind: 'next', token: String(number + 1) } as const;
  if (pages === undefined) return page.records.length === 0 ? END : after;
  const count = countAt(pages, page);
  if (typeof count !== 'number') return count;
  return number + 1 - first < count ? after : END;
}

/** An empty page leads nowhere but to itself, whatever the total says. */
function afterRows({ first, total }: Of<'offset'>, page: TakenPage, size: number): NextPage {
  const offset = page.token === undefined ? first : Number(page.token);
  const shown = page.records.length;
  const next = offset + shown;
  const count = total === undefined ? Infinity : countAt(total, page);
  if (typeof count !== 'number') return count;
  if (total !== undefined && page.token === undefined && shown > count && shown >= size) {
    return unreadable(
      `${markText(total)} holds ${count}, and a full page holds ${shown} records: it counts something else`,
    );
  }
  if (shown === 0 || next - first >= count) return END;
  return { kind: 'next', token: String(next - (page.shownAgain ?? 0)) };
}

/**
 * A last record without the value leads nowhere; one before it does, and what follows is read again. So
 * is the last value where records may share one: those that the page had no room for lie behind it.
 */
function afterKey(
  { field, mayTie }: Of<'keyset'>,
  { records, token }: TakenPage,
  size: number,
): NextPage {
  const count = records.length;
  if (count === 0) return END;
  const keys = records.flatMap((record) => scalarText(readPath(record, field)) ?? []);
  const last = keys.at(-1);
  const place = markText(field);
  if (last === undefined) return unreadable(`none of ${count} records holds a value at ${place}`);
  const before = mayTie ? keys.findLast((key) => key !== last) : undefined;
  const next = before ?? last;
  if (next === token) {
    return unreadable(
      `the source answered ${count} record${count === 1 ? '' : 's'} up to the ${place} that it was asked to go on after: ` +
        'more records share it than a page holds, or the parameter includes it',
    );
  }
  if (mayTie && before === undefined && keys.length > 1 && count >= size) {
    return unreadable(
      `a page holds no more than ${keys.length} of the records that share the ${place} of its last, so those behind them cannot be asked for`,
    );
  }
  return { kind: 'next', token: next };
}

function countAt(mark: Mark, page: TakenPage): number | Extract<NextPage, { kind: 'unreadable' }> {
  const value = valueAt(mark, page);
  const text = scalarText(value) ?? '';
  return /^\d+$/.test(text) ? Number(text) : misplaced(mark, value, 'a count');
}

function valueAt(mark: Mark, { body, head }: TakenPage): JsonValue | undefined {
  if (!('header' in mark)) return readPath(body, mark);
  assert(head !== undefined, 'a page that is led by a header has headers');
  return head.header(mark.header);
}

/** What stands where there is no next page. */
function isNone(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '' || value === false;
}

function misplaced(mark: Mark, value: JsonValue | undefined, wanted: string) {
  return unreadable(`${markText(mark)} holds ${describeValue(value)}, not ${wanted}`);
}

/** Says a place in an answer as a message says it. */
export function markText(mark: Mark): string {
  return 'header' in mark ? `the header \`${mark.header}\`` : `\`${mark.join('.')}\``;
}

function unreadable(detail: string): Extract<NextPage, { kind: 'unreadable' }> {
  return { kind: 'unreadable', detail };
}
