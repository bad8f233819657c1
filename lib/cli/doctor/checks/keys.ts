/** Whether a key names one record. */
import { share } from '#cli/doctor/finding';
import type { Check } from '#cli/doctor/finding';
import type { PublishedRow } from '#cli/preview/preview-records';

const FIELD = 'record.key';

/**
 * One key with two contents of one version is two records. Of two versions on one page it may be; on
 * two pages it is rather a record that changed in between.
 */
export const checkKeys: Check = ({ records }) => {
  const seen = new Map<string, { readonly page: number; readonly row: PublishedRow }[]>();
  let twins = 0;
  let changes = 0;
  for (const { row, page } of records) {
    if (row.kind !== 'published') continue;
    const before = seen.get(row.key) ?? [];
    if (before.some((other) => other.row.version === row.version)) twins++;
    else if (before.some((other) => other.page === page)) changes++;
    seen.set(row.key, [...before, { page, row }]);
  }
  if (twins > 0) {
    return [
      {
        severity: 'error',
        check: 'key-repeats',
        field: FIELD,
        sentence: `A key comes again with the same version and other content in ${share(twins, records.length)}: the table keeps one record of each key.`,
      },
    ];
  }
  return changes === 0
    ? []
    : [
        {
          severity: 'warning',
          check: 'key-repeats',
          field: FIELD,
          sentence: `A key comes again on one page with another version in ${share(changes, records.length)}: right where the source lists changes, and a wrong key where it lists records.`,
        },
      ];
};
