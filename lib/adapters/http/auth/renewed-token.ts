/**
 * An access token for a function and all its requests, however it is come by.
 *
 * Always true: it is fetched by one at a time; a token whose life is over is shown to nobody; the
 * endpoint is not asked before a wait that it named is over. A token is replaced before its life
 * ends, and shown on while that fails.
 */
import { WAIT_UNNAMED_MS } from '#core/source/backoff';
import { refreshAtMs } from '#core/source/token-life';
import type { Clock } from '#ports/clock';
import type { NoPage } from '#ports/page-source';
import type { Authorize, Credentials } from './authorize.ts';
import type { TokenAnswer } from './token-endpoint.ts';

/** Between two tries to replace a token that is still good. */
const PAUSE_MS = 30_000;

/** @param isRefused whether the source has refused a token. */
export type FetchToken = (isRefused: (token: string) => boolean) => Promise<TokenAnswer>;

interface KnownToken {
  readonly credentials: Credentials;
  readonly refreshAtMs: number;
  readonly expiresAtMs: number;
}

export function renewedToken(fetchToken: FetchToken, clock: Clock): Authorize {
  let known: KnownToken | undefined;
  let quiet: { readonly status: number; readonly untilMs: number } | undefined;
  let flight: Promise<Credentials | NoPage> | undefined;
  let refusedToken: string | undefined;
  const isRefused = (token: string) => bearerOf(token) === refusedToken;

  async function ask(): Promise<TokenAnswer> {
    const leftMs = quiet === undefined ? 0 : quiet.untilMs - clock.nowMs();
    if (quiet !== undefined && leftMs > 0) {
      return { kind: 'wait', status: quiet.status, waitMs: leftMs };
    }
    return fetchToken(isRefused);
  }

  /** The token that is known, for some time more; undefined where there is no good one. */
  function shownOn(forMs: number): Credentials | undefined {
    const nowMs = clock.nowMs();
    if (known === undefined || nowMs >= known.expiresAtMs) return undefined;
    known = { ...known, refreshAtMs: Math.min(nowMs + forMs, known.expiresAtMs) };
    return known.credentials;
  }

  async function renew(): Promise<Credentials | NoPage> {
    const answer = await ask().catch((error: unknown) => {
      const shown = shownOn(PAUSE_MS);
      if (shown === undefined) throw error;
      return shown;
    });
    if (answer.kind === 'credentials') return answer;
    const nowMs = clock.nowMs();
    if (answer.kind === 'token') {
      known = toKnown(answer);
      // Another's is perhaps to be replaced already, by whoever is at it.
      if (nowMs >= known.refreshAtMs) shownOn(PAUSE_MS);
      if (nowMs < known.expiresAtMs) return known.credentials;
      return { kind: 'unavailable', detail: 'the token endpoint gave a token already expired' };
    }
    const pauseMs = answer.kind === 'wait' ? (answer.waitMs ?? WAIT_UNNAMED_MS) : PAUSE_MS;
    if (answer.kind === 'wait') quiet = { status: answer.status, untilMs: nowMs + pauseMs };
    return shownOn(pauseMs) ?? answer;
  }

  return async ({ refused, signal }) => {
    if (refused !== undefined) refusedToken = refused.headers['authorization'];
    if (known?.credentials === refused) known = undefined;
    if (known !== undefined && clock.nowMs() < known.refreshAtMs) return known.credentials;
    flight ??= renew().finally(() => (flight = undefined));
    return Promise.race([flight, abortedWait(signal)]);
  };
}

function toKnown({ token, bornAtMs, lifeMs }: Extract<TokenAnswer, { kind: 'token' }>): KnownToken {
  const headers = { authorization: bearerOf(token) };
  const expiresAtMs = bornAtMs + lifeMs;
  return {
    credentials: { kind: 'credentials', headers, params: {}, untilMs: expiresAtMs },
    refreshAtMs: refreshAtMs(bornAtMs, lifeMs),
    expiresAtMs,
  };
}

function bearerOf(token: string): string {
  return `Bearer ${token}`;
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
