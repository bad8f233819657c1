import type { PageHead } from '#core/source/next-page';
import { parameterOf, withoutParams } from './query-text.ts';

export interface LinkRules {
  /** The source's own URL: what it carries is put to every request. */
  readonly base: URL;
  /** The URL that answered: what a relative link is relative to. */
  readonly answered: string;
  /** Names of further parameters that are put to every request. */
  readonly leftOut: readonly string[];
  /** Whether a value was shown in a header, or a parameter as a whole: some links hold it as well. */
  readonly isSecret?: (text: string) => boolean;
}

/**
 * Take a link apart: what is kept of it is path and query, without the parameters that any request
 * carries, as one of them may be a credential.
 */
export function linkedPlace(
  reference: string,
  { base, answered, leftOut, isSecret = () => false }: LinkRules,
): ReturnType<PageHead['place']> {
  if (!URL.canParse(reference, answered)) {
    return { kind: 'unreadable', detail: 'the link to the next page is no URL' };
  }
  const url = new URL(reference, answered);
  if (url.origin !== base.origin) {
    const detail =
      `the link to the next page leads to another origin (${url.origin}), where nothing is sent: ` +
      'set source.url to it if it is right';
    return { kind: 'unreadable', detail };
  }
  const names = new Set([...leftOut, ...base.searchParams.keys()]);
  const kept = withoutParams(url.search, names).filter(
    (part) => ![part, parameterOf(part)[1]].some(isSecret),
  );
  return {
    kind: 'next',
    token: [url.pathname, ...(kept.length > 0 ? [kept.join('&')] : [])].join('?'),
  };
}
