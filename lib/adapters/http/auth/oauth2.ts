/** Access tokens by client credentials, one for a function and all its requests. */
import type { Clock } from '#ports/clock';
import type { Authorize, ReadSecret } from './authorize.ts';
import { renewedToken } from './renewed-token.ts';
import { tokenEndpoint } from './token-endpoint.ts';
import type { OAuthClient } from './token-endpoint.ts';

/** @throws {Error} at once when the token endpoint's URL cannot be used. */
export function oauth2(
  client: OAuthClient,
  {
    readSecret,
    clock,
    timeoutMs,
  }: {
    readonly readSecret: ReadSecret;
    readonly clock: Clock;
    readonly timeoutMs?: number | undefined;
  },
): Authorize {
  const askEndpoint = tokenEndpoint(client, { clock, timeoutMs });
  return renewedToken(async () => {
    const clientSecret = await readSecret({ fresh: false });
    const answer = await askEndpoint({ clientSecret });
    if (answer.kind !== 'refused') return answer;
    // The secret may have been replaced since it was read.
    const fresh = await readSecret({ fresh: true });
    return fresh === clientSecret ? answer : askEndpoint({ clientSecret: fresh });
  }, clock);
}
