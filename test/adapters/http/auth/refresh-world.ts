/** Functions that share a refresh token, in memory. */
import { randomUUID } from 'node:crypto';
import type { Credentials } from '#adapters/http/auth/authorize';
import { refreshGrant } from '#adapters/http/auth/refresh-grant';
import type { GrantWorld } from '#adapters/http/auth/refresh-grant';
import { memoryTurns } from '#adapters/memory/turns';
import { memorySecret } from '#adapters/memory/versioned-secret';
import { testClock } from '#test/pipeline/poll-world';
import { endpointOf, strictServer } from './strict-server.ts';
import type { StrictRules } from './strict-server.ts';

export const SECRET_NAME = 'penstock/dev/orders-grant';
const signal = new AbortController().signal;

export function refreshWorld(rules: Partial<StrictRules> = {}) {
  const clock = testClock();
  const server = strictServer({ nowMs: clock.nowMs, ...rules });
  const secret = memorySecret(
    JSON.stringify({ clientSecret: 'c', refreshToken: server.consent() }),
  );
  const turns = memoryTurns();
  const begun: Promise<unknown>[] = [];

  /** One more function. */
  function open(
    own: Partial<GrantWorld> = {},
    askEndpoint = endpointOf(server.exchange, clock.nowMs),
  ) {
    const authorize = refreshGrant(askEndpoint, {
      secret,
      secretName: SECRET_NAME,
      turns,
      clock,
      newId: randomUUID,
      remainingMs: () => 60_000,
      onBegun: (refresh) => void begun.push(refresh),
      ...own,
    });
    const ask = (refused?: Credentials) => authorize({ signal, refused });
    return {
      ask,
      /** The access token, or why there is none. */
      async token(refused?: Credentials) {
        const shown = await ask(refused);
        return shown.kind === 'credentials' ? bearerIn(shown) : shown;
      },
    };
  }
  const stored = () => JSON.parse(secret.text()) as Record<string, unknown>;
  return { clock, server, secret, turns, begun, open, stored };
}

export function bearerIn({ headers }: Credentials): string {
  return (headers['authorization'] ?? '').replace('Bearer ', '');
}
