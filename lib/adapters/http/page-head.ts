import type { Credentials } from '#adapters/http/auth/authorize';
import { MARK } from '#adapters/http/auth/strike-secrets';
import type { Strike } from '#adapters/http/auth/strike-secrets';
import type { PageHead } from '#core/source/next-page';
import { linkedPlace } from './linked-place.ts';

/** What stands around an answer's body, without what it says of the credentials. */
export function pageHead(
  { headers, url: answered }: Response,
  base: URL,
  { credentials, strike }: { readonly credentials: Credentials; readonly strike: Strike },
): Required<PageHead> {
  const leftOut = Object.keys(credentials.params);
  let hasStruck = false;

  function hide(text: string): string {
    const said = strike(text);
    if (said !== text) hasStruck = true;
    return said;
  }

  return {
    hide,
    // A mark of its own is nothing else, where an answer said no secret.
    isStruck: (token) => hasStruck && token.includes(MARK),
    header(name) {
      const value = headers.get(name);
      return value === null ? undefined : hide(value);
    },
    place(reference, fixed) {
      const said = hide(reference);
      const found = linkedPlace(said, {
        base,
        answered,
        leftOut: [...fixed, ...leftOut],
        isSecret: (value) => hasStruck && value === MARK,
      });
      // A redirect may have led to an address with a secret, to which the link is relative.
      return found.kind === 'next' ? { ...found, token: hide(found.token) } : found;
    },
  };
}
