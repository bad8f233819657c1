import type { Credentials } from '#adapters/http/auth/authorize';
import { credentialTexts, hideTexts } from '#adapters/http/auth/credential-texts';
import { hideParams } from '#adapters/http/auth/hide-params';
import type { PageHead } from '#core/source/next-page';
import { linkedPlace } from './linked-place.ts';

/** What stands around an answer's body, without what a credential in the query says. */
export function pageHead(
  { headers, url: answered }: Response,
  base: URL,
  credentials: Credentials,
): Required<PageHead> {
  const { params } = credentials;
  const leftOut = Object.keys(params);
  const secrets = credentialTexts(credentials);
  return {
    header(name) {
      const value = headers.get(name);
      return value === null ? undefined : hideParams(value, params);
    },
    place: (reference, fixed) =>
      linkedPlace(reference, { base, answered, leftOut: [...fixed, ...leftOut], secrets }),
    hide: (text) => hideTexts(text, secrets),
  };
}
