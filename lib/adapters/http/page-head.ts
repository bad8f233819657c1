import type { Credentials } from '#adapters/http/auth/authorize';
import { hideParams } from '#adapters/http/auth/hide-params';
import type { PageHead } from '#core/source/next-page';
import { linkedPlace } from './linked-place.ts';

/** What stands around an answer's body, without what a credential in the query says. */
export function pageHead(
  { headers, url: answered }: Response,
  base: URL,
  { params, headers: shown }: Credentials,
): PageHead {
  const leftOut = Object.keys(params);
  const secrets = Object.values(shown).flatMap(secretsIn);
  return {
    header(name) {
      const value = headers.get(name);
      return value === null ? undefined : hideParams(value, params);
    },
    place: (reference, fixed) =>
      linkedPlace(reference, { base, answered, leftOut: [...fixed, ...leftOut], secrets }),
  };
}

/** A header as it is, and without the word that says of which kind it is. */
function secretsIn(header: string): readonly string[] {
  return [header, header.slice(header.indexOf(' ') + 1)];
}
