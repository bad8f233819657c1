/** Refuses to go on by what is no longer whole. */
import type { PageHead } from '#core/source/next-page';

const DETAIL =
  'what leads to the next page holds the credential that the source was shown: that is never stored, ' +
  'and without it the source would be asked for something else';

type Unreadable = { readonly kind: 'unreadable'; readonly detail: string };

/** What was found, unless it is a token from which a secret was struck. */
export function refuseStruck<Found extends { readonly kind: string; readonly token?: string }>(
  found: Found,
  head: PageHead | undefined,
): Found | Unreadable {
  const { token } = found;
  const isWhole = token === undefined || !(head?.isStruck?.(token) ?? false);
  return isWhole ? found : { kind: 'unreadable', detail: DETAIL };
}
