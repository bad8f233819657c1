/** Whether a flag and a token say the same of what follows. */
import type { Finding, Observed } from '#cli/doctor/finding';
import { areAllNew } from '#cli/doctor/same-records';
import { isJsonObject, readPath } from '#core/record/path';

const MORE_FLAG = /^(has|is)_?(more|next|last)/i;

/** A flag beside the token says that there is no more, and the token says otherwise. */
export function flagBesideToken({
  options: { source },
  walk: { pages },
}: Observed): readonly Finding[] | undefined {
  const { pagination } = source;
  // A flag that the file names is gone by.
  if (pagination.kind !== 'cursor' || pagination.more || 'header' in pagination.next)
    return undefined;
  const beside = pagination.next.slice(0, -1);
  for (const { body, next } of pages) {
    const around = readPath(body, beside);
    if (next.kind !== 'next' || !isJsonObject(around)) continue;
    const flag = Object.keys(around).find(
      (name) => MORE_FLAG.test(name) && around[name] === /last/i.test(name),
    );
    if (flag === undefined) continue;
    return [
      {
        severity: 'warning',
        check: 'more-flag',
        field: 'source.pagination',
        sentence: `\`${[...beside, flag].join('.')}\` is ${String(around[flag])} where \`${pagination.next.join('.')}\` still holds a token: a run goes by the token, and may have no end. Name the flag as \`more\`.`,
      },
    ];
  }
  return undefined;
}

/** The flag that the file names has ended the run, and behind the token stand other records. */
export function flagEndsRun({
  options: { source },
  walk: { pages, end },
  beside,
}: Observed): readonly Finding[] | undefined {
  const { pagination } = source;
  const behind = beside?.walk.pages[0];
  if (pagination.kind !== 'cursor' || pagination.more === undefined) return undefined;
  if (end.kind !== 'last-page' || behind === undefined || !areAllNew(behind, pages)) {
    return undefined;
  }
  return [
    {
      severity: 'error',
      check: 'more-flag',
      field: 'source.pagination.more',
      sentence: `\`${pagination.more.join('.')}\` is false on page ${pages.length}, and that ends the run; but behind the token of that page stand ${behind.shown} other records. It must be true where there is more.`,
    },
  ];
}
