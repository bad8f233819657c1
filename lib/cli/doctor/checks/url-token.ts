/** Whether what is sent as a token is the address of a page. */
import type { Finding, Observed } from '#cli/doctor/finding';
import { markText } from '#core/source/next-page';

const ADDRESS = /^(https?:\/\/|\/[^?]*\?)/i;

/** Undefined where the source takes it: then records follow. */
export function urlToken({
  options: { source },
  walk: { pages },
}: Pick<Observed, 'options' | 'walk'>): readonly Finding[] | undefined {
  const { pagination } = source;
  const [first, ...more] = pages;
  if (pagination.kind !== 'cursor' || first?.next.kind !== 'next') return undefined;
  if (!ADDRESS.test(first.next.token) || more.some((page) => page.shown > 0)) return undefined;
  return [
    {
      severity: 'error',
      check: 'token-is-url',
      field: 'source.pagination.kind',
      sentence: `${markText(pagination.next)} holds the address of a page, and no record comes where it is sent as a token. Write kind: 'link'.`,
    },
  ];
}
