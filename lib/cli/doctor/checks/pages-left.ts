/** Whether an answer speaks of further pages where the file asks for none. */
import { signOfMore } from '#cli/doctor/signs-of-more';
import type { Check } from '#cli/doctor/finding';

export const checkPagesLeft: Check = ({ options, walk: { pages } }) => {
  const [page] = pages;
  const isAll = options.source.pagination.kind === 'none';
  const sign = isAll && page && signOfMore(page, options);
  if (!sign) return [];
  return [
    {
      severity: 'error',
      check: 'pages-left',
      field: 'source.pagination.kind',
      sentence: `One answer is taken for everything, and ${sign}: what follows is never read.`,
    },
  ];
};
