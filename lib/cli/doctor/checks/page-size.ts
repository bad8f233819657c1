/** Whether a page holds as many records as it is asked for. */
import type { SourceQuery } from '#core/source/page-query';
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
        field: pageSize.param === undefined ? 'source.pageSize.value' : 'source.pageSize.param',
        sentence: `${askedFor(pageSize)} and one of ${longest} answered: ${remedyFor(pageSize)}.`,
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
          sentence: `${askedFor(pageSize)} and each has ${length}: the source gives no more, or ${remedyFor(pageSize)}.`,
        }
      : {
          severity: 'note',
          check: 'short-pages',
          field: null,
          sentence: `Before the last page, ${plural(short.length, 'page')} had fewer records than were asked for: a short page ends no run.`,
        },
  ];
};

type PageSize = NonNullable<SourceQuery['pageSize']>;

function askedFor({ param, value }: PageSize): string {
  return `A page of ${value} was ${param === undefined ? 'expected' : 'asked for'}`;
}

function remedyFor({ param }: PageSize): string {
  return param === undefined
    ? 'say how many it holds'
    : `\`${param}\` is not what the source calls it`;
}
