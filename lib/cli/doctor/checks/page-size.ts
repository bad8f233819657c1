/** Whether a page holds as many records as it is asked for. */
import type { Check } from '#cli/doctor/finding';
import { plural } from '#cli/render/text';

export const checkPageSize: Check = ({ options: { source }, walk: { pages } }) => {
  const { pageSize } = source;
  if (pageSize === undefined) return [];
  const lengths = pages.map(({ shown }) => shown);
  const longest = Math.max(0, ...lengths);
  if (longest > pageSize.value) {
    return [
      {
        severity: 'warning',
        check: 'page-size-ignored',
        field: 'source.pageSize.param',
        sentence: `A page of ${pageSize.value} was asked for and one of ${longest} answered: \`${pageSize.param}\` is not what the source calls it.`,
      },
    ];
  }
  // Only of a page that another with records follows is it known that it is not the last.
  const inner = lengths.filter((_, at) => (lengths[at + 1] ?? 0) > 0);
  const short = inner.filter((length) => length < pageSize.value);
  const [length = 0] = short;
  if (short.length === 0) return [];
  const isCapped = short.length > 1 && inner.every((one) => one === length && one > 0);
  return [
    isCapped
      ? {
          severity: 'warning',
          check: 'page-size-capped',
          field: 'source.pageSize.value',
          sentence: `A page of ${pageSize.value} was asked for and each has ${length}: the source gives no more, or \`${pageSize.param}\` is not what it calls it.`,
        }
      : {
          severity: 'note',
          check: 'short-pages',
          field: null,
          sentence: `Before the last page, ${plural(short.length, 'page')} had fewer records than were asked for: a short page ends no run.`,
        },
  ];
};
