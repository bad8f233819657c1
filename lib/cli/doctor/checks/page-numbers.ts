/** Whether the number of a page means to the source what it means to the file. */
import type { Check, Finding, Observed } from '#cli/doctor/finding';
import { areAllNew, beginAlike, isOneAhead } from '#cli/doctor/same-records';
import type { PageSeen } from '#cli/source/walk-pages';
import type { JsonValue } from '#core/record/json';
import { readPath } from '#core/record/path';

/** Whether the first page that is asked for is the first that there is. */
export const checkFirstPage: Check = (seen) => {
  const { pagination } = seen.options.source;
  if (pagination.kind !== 'page' && pagination.kind !== 'offset') return [];
  const ahead = seen.beside?.token === '0' ? seen.beside.walk.pages[0] : undefined;
  const [first] = seen.walk.pages;
  if (ahead === undefined || ahead.shown === 0 || first === undefined) return [];
  const isMissed =
    first.shown === 0 ||
    (pagination.kind === 'page' ? isAnother(ahead, seen) : isOneAhead(ahead, first));
  const place = pagination.kind === 'page' ? 'Page' : 'Place';
  return isMissed
    ? [
        error(
          'first-page-missed',
          'source.pagination.first',
          `${place} 0 holds a record that is never read, as the first that is asked for is 1: the source counts from 0. Set first: 0.`,
        ),
      ]
    : [];
};

/** None of its keys was read: a source that takes 0 for 1 shows again what stands there. */
function isAnother(ahead: PageSeen, { walk, options }: Observed): boolean {
  const keyOf = (raw: JsonValue) =>
    JSON.stringify(options.rules.key.map((path) => readPath(raw, path) ?? null));
  const read = new Set(walk.pages.flatMap(({ records }) => records.map(keyOf)));
  return areAllNew(ahead, walk.pages) && ahead.records.every((raw) => !read.has(keyOf(raw)));
}

/** The pages of the first two numbers are one, and behind them come others. */
export function countsFromOne({ options, walk, beside }: Observed): readonly Finding[] | undefined {
  const { pagination } = options.source;
  const third = beside?.token === '2' ? beside.walk.pages[0] : undefined;
  if (pagination.kind !== 'page' || third === undefined || !areAllNew(third, walk.pages)) {
    return undefined;
  }
  return [
    error(
      'page-repeats',
      'source.pagination.first',
      'The source answers one page to the numbers 0 and 1: it counts from 1. Set first: 1.',
    ),
  ];
}

export const checkPlaces: Check = ({ options: { source }, walk: { pages } }) =>
  source.pagination.kind === 'page' && areByPlace(pages)
    ? [
        error(
          'page-is-offset',
          'source.pagination.kind',
          `Each page begins with the second record of the one before: \`${source.pagination.param}\` takes the place of a record. Write kind: 'offset'.`,
        ),
      ]
    : [];

/** Place 1 holds the page that place 0 has, or quite another one: the source counts pages. */
export const checkNumbersOfPages: Check = ({ options: { source }, walk: { pages }, beside }) => {
  const { pagination } = source;
  const [first] = pages;
  const [page] = beside?.walk.pages ?? [];
  if (pagination.kind !== 'offset' || beside?.token !== '1') return [];
  if (first === undefined || page === undefined) return [];
  const isPage = beginAlike(page, first) || areAllNew(page, pages);
  return isPage && !isOneAhead(first, page)
    ? [
        error(
          'offset-is-page',
          'source.pagination.kind',
          `Place 1 does not begin with the second record: \`${pagination.param}\` takes the number of a page, and no run gets past the first. Write kind: 'page'.`,
        ),
      ]
    : [];
};

/** What was asked for as a page is one record further on. */
export function areByPlace(pages: readonly PageSeen[]): boolean {
  return (
    pages.length > 1 && pages.slice(1).every((page, at) => isOneAhead(pages[at] as PageSeen, page))
  );
}

function error(check: string, field: string, sentence: string): Finding {
  return { severity: 'error', check, field, sentence };
}
