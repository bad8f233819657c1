/** Whether records rise by the value that the next page is asked for by. */
import { firstFall } from '#cli/doctor/first-fall';
import type { Check } from '#cli/doctor/finding';
import { scalarText } from '#core/record/exact-json';
import { readPath } from '#core/record/path';

/**
 * A source may list in an order of its own, and go on in it: then behind a value stands the one that
 * followed it on the page.
 */
export const checkKeyset: Check = ({ options: { source }, walk: { pages }, beside }) => {
  const { pagination } = source;
  if (pagination.kind !== 'keyset') return [];
  const { field } = pagination;
  const fall = firstFall(pages, field);
  if (fall === undefined || beside?.token !== fall.above) return [];
  const [page] = beside.walk.pages;
  const shows = (text: string) =>
    page?.records.some((record) => scalarText(readPath(record, field)) === text);
  if (page === undefined || shows(fall.below)) return [];
  const name = `\`${field.join('.')}\``;
  return [
    {
      severity: 'error',
      check: 'keyset-order',
      field: 'source.pagination.field',
      sentence: `On page ${fall.page} ${name} falls, and the source goes on only with what is greater than the last: what stands between is lost. Sort by ${name}, rising, in source.query.`,
    },
  ];
};
