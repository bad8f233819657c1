/**
 * Access tokens by client credentials, one for a function and all its requests.
 *
 * Always true: at most one request for a token is under way; a token whose life is over is shown
 * to nobody; the endpoint is not asked before a wait that it named is over. A token is replaced
 * before its life ends, and shown on while that fails.
 */
import { WAIT_UNNAMED_MS } from '#core/source/backoff';
import { refreshAtMs } from '#core/source/token-life';
import type { Clock } from '#ports/clock';
import type { NoPage } from '#ports/page-source';
import type { Authorize, Credentials, ReadSecret } from './authorize.ts';
import { tokenEndpoint } from './token-endpoint.ts';
import type { OAuthClient, TokenAnswer } from './token-endpoint.ts';

/** Between two tries to replace a token that is still good. */
const PAUSE_MS = 30_000;

interface KnownToken {
  readonly credentials: Credentials;
  readonly refreshAtMs: number;
  readonly expiresAtMs: number;
}

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
  let known: KnownToken | undefined;
  let quiet: { readonly status: number; readonly untilMs: number } | undefined;
  let flight: Promise<Credentials | NoPage> | undefined;

  async function askWithSecret(): Promise<TokenAnswer> {
    const secret = await readSecret({ fresh: false });
    const answer = await askEndpoint(secret);
    if (answer.kind !== 'refused') return answer;
    // The secret may have been replaced since it was read.
    const fresh = await readSecret({ fresh: true });
    return fresh === secret ? answer : askEndpoint(fresh);
  }

  async function renew(): Promise<Credentials | NoPage> {
    const leftMs = quiet === undefined ? 0 : quiet.untilMs - clock.nowMs();
    const answer: TokenAnswer =
      quiet !== undefined && leftMs > 0
        ? { kind: 'wait', status: quiet.status, waitMs: leftMs }
        : await askWithSecret();
    const nowMs = clock.nowMs();
    if (answer.kind === 'token') {
      known = toKnown(answer);
      if (nowMs < known.expiresAtMs) return known.credentials;
      return { kind: 'unavailable', detail: 'the token endpoint gave a token already expired' };
    }
    const pauseMs = answer.kind === 'wait' ? (answer.waitMs ?? WAIT_UNNAMED_MS) : PAUSE_MS;
    if (answer.kind === 'wait') quiet = { status: answer.status, untilMs: nowMs + pauseMs };
    if (known === undefined || nowMs >= known.expiresAtMs) return answer;
    known = { ...known, refreshAtMs: Math.min(nowMs + pauseMs, known.expiresAtMs) };
    return known.credentials;
  }

  return async ({ refused, signal }) => {
    if (known?.credentials === refused) known = undefined;
    if (known !== undefined && clock.nowMs() < known.refreshAtMs) return known.credentials;
    flight ??= renew().finally(() => (flight = undefined));
    return Promise.race([flight, abortedWait(signal)]);
  };
}

function toKnown({ token, bornAtMs, lifeMs }: Extract<TokenAnswer, { kind: 'token' }>): KnownToken {
  return {
    credentials: {
      kind: 'credentials',
      headers: { authorization: `Bearer ${token}` },
      params: {},
    },
    refreshAtMs: refreshAtMs(bornAtMs, lifeMs),
    expiresAtMs: bornAtMs + lifeMs,
  };
}

/** One who waits may give up; the request for the token goes on for the next. */
function abortedWait(signal: AbortSignal): Promise<NoPage> {
  const late: NoPage = {
    kind: 'unavailable',
    detail: 'the token endpoint did not answer in the time of one request',
  };
  return new Promise((resolve) => {
    if (signal.aborted) resolve(late);
    else signal.addEventListener('abort', () => resolve(late), { once: true });
  });
}
