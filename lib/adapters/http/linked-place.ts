import type { PageHead } from '#core/source/next-page';

export interface LinkRules {
  /** The source's own URL: what it carries is put to every request. */
  readonly base: URL;
  /** The URL that answered: what a relative link is relative to. */
  readonly answered: string;
  /** Names of further parameters that are put to every request. */
  readonly leftOut: readonly string[];
  /** What is shown in a header: some sources write it into their links as well. */
  readonly secrets?: readonly string[];
}

/**
 * Take a link apart: what is kept of it is path and query, without the parameters that any request
 * carries, as one of them may be a credential.
 */
export function linkedPlace(
  reference: string,
  { base, answered, leftOut, secrets = [] }: LinkRules,
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
  const isKept = ([name, ...values]: readonly string[]) =>
    !names.has(name ?? '') && !values.some((value) => secrets.includes(value));
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && isKept(decoded(part)));
  return {
    kind: 'next',
    token: [url.pathname, ...(kept.length > 0 ? [kept.join('&')] : [])].join('?'),
  };
}

/** Name and value, so that no other spelling gets by: a plus is a space, or stands for itself. */
function decoded(parameter: string): readonly string[] {
  const of = (text: string) => [...new URLSearchParams(text)][0] ?? ['', ''];
  const [name, value] = of(parameter);
  return [name, value, of(parameter.replaceAll('+', '%2B'))[1]];
}
