/** An authorization server that rotates refresh tokens, and takes a used one for stolen. */
import type { Grant, TokenEndpoint } from '#adapters/http/auth/token-endpoint';

export interface StrictRules {
  readonly nowMs: () => number;
  readonly lifeMs?: number;
  /** How long the token before the newest works, once more. */
  readonly graceMs?: number;
  /** Whether a new refresh token comes with each access token. */
  readonly isRotating?: boolean;
}

export type StrictServer = ReturnType<typeof strictServer>;

export function strictServer({
  nowMs,
  lifeMs = 600_000,
  graceMs = 0,
  isRotating = true,
}: StrictRules) {
  const access = new Map<string, number>();
  let family = 0;
  let newest: string | undefined;
  let before: { readonly token: string; readonly untilMs: number } | undefined;
  let count = 0;

  /** A person agrees anew: a new family, whose first token is answered. */
  function consent(): string {
    newest = `refresh-${++family}-0`;
    before = undefined;
    return newest;
  }

  /** The members of an answer; undefined for `invalid_grant`. */
  function exchange(refreshToken: string | undefined) {
    const isInGrace = refreshToken === before?.token && nowMs() < (before?.untilMs ?? 0);
    if (newest === undefined || (refreshToken !== newest && !isInGrace)) {
      // What is known of an older family revokes nothing of this one.
      if (!refreshToken?.startsWith(`refresh-${family}-`)) return undefined;
      newest = undefined;
      access.clear();
      return undefined;
    }
    const accessToken = `access-${family}-${++count}`;
    access.set(accessToken, nowMs() + lifeMs);
    const answer = { access_token: accessToken, expires_in: lifeMs / 1_000 };
    if (!isRotating) return answer;
    before = isInGrace ? undefined : { token: newest, untilMs: nowMs() + graceMs };
    newest = `refresh-${family}-${count}`;
    return { ...answer, refresh_token: newest };
  }

  return {
    consent,
    exchange,
    /** Whether an access token is good. */
    accepts: (token: string) => nowMs() < (access.get(token) ?? 0),
    revoke: (token: string) => void access.delete(token),
    /** The only refresh token that is good; undefined when the family is revoked. */
    newest: () => newest,
    /** Exchanges, less those that were refused. */
    count: () => count,
  };
}

/** The same as the adapter of its wire tells it. */
export function endpointOf(exchange: StrictServer['exchange'], nowMs: () => number): TokenEndpoint {
  return async ({ refresh }: Grant) => {
    const bornAtMs = nowMs();
    const answer = exchange(refresh?.token);
    if (answer === undefined) return { kind: 'refused', detail: 'invalid_grant' };
    const { access_token: token, expires_in: lifeSec } = answer;
    const next = 'refresh_token' in answer ? { refreshToken: answer.refresh_token } : {};
    return { kind: 'token', token, bornAtMs, lifeMs: lifeSec * 1_000, ...next };
  };
}
