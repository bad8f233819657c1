/** One request for an access token. @source RFC 6749, 2.3.1, 4.4, 5 and 6. */
import { tokenLifeMs } from '#core/source/token-life';
import { baseUrl } from '#adapters/http/base-url';
import { judgeFailure, judgeStatus } from '#adapters/http/judge-answer';
import { readText } from '#adapters/http/read-text';
import type { Clock } from '#ports/clock';
import type { NoPage } from '#ports/page-source';
import { formEncoded } from './form-encoded.ts';
import { isAccessToken, isRefreshToken } from './grant-text.ts';
import { jsonMembers } from './json-members.ts';
import { errorCode } from './oauth-error.ts';

const WHO = 'the token endpoint';
const TIMEOUT_MS = 10_000;
const BODY_BYTES_MAX = 256 * 1024;

export interface OAuthClient {
  readonly tokenUrl: string;
  /** What a fault of the URL is called by; `source.auth.tokenUrl` unless given. */
  readonly tokenUrlName?: string | undefined;
  readonly clientId: string;
  readonly scope?: string | undefined;
  readonly audience?: string | undefined;
  /** Where the client's id and secret stand in the request. */
  readonly clientIn: 'body' | 'header';
}

export type TokenAnswer =
  | {
      readonly kind: 'token';
      readonly token: string;
      /** When it was asked for: it was born no earlier. */
      readonly bornAtMs: number;
      readonly lifeMs: number;
      /** Takes the place of the one that was shown; undefined where that stays good. */
      readonly refreshToken?: string;
    }
  | NoPage;

/** What the client shows. */
export interface Grant {
  /** Undefined for a public client, which has none. */
  readonly clientSecret: string | undefined;
  /** Undefined where the client asks for itself. */
  readonly refresh?: { readonly token: string; readonly secretName: string };
}

/** Asks once. What it says holds no word of an answer but a known error code. */
export type TokenEndpoint = (grant: Grant) => Promise<TokenAnswer>;

/** @throws {Error} at once when the URL cannot be used. */
export function tokenEndpoint(
  client: OAuthClient,
  {
    clock,
    timeoutMs = TIMEOUT_MS,
  }: { readonly clock: Clock; readonly timeoutMs?: number | undefined },
): TokenEndpoint {
  const url = baseUrl(client.tokenUrl, client.tokenUrlName ?? 'source.auth.tokenUrl');

  async function ask(grant: Grant, signal: AbortSignal): Promise<TokenAnswer> {
    const bornAtMs = clock.nowMs();
    // A redirect is not followed: the secret is for this address.
    const response = await fetch(url, { ...request(client, grant), signal, redirect: 'manual' });
    const answer = jsonMembers(await bodyOf(response, signal));
    if (response.ok) return toToken(answer, { bornAtMs, shown: grant.refresh?.token });
    const code = errorCode(answer?.['error']);
    return refusal(response, { code, nowMs: clock.nowMs(), grant });
  }

  return async (grant) => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      return await ask(grant, signal);
    } catch (error) {
      return judgeFailure(error, { who: WHO, host: url.host, signal, timeoutMs });
    }
  };
}

function request(
  { clientId, scope, audience, clientIn }: OAuthClient,
  { clientSecret, refresh }: Grant,
) {
  const body = new URLSearchParams(
    refresh === undefined
      ? { grant_type: 'client_credentials' }
      : { grant_type: 'refresh_token', refresh_token: refresh.token },
  );
  const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'penstock' };
  if (clientIn === 'header' && clientSecret !== undefined) {
    // @source RFC 6749, 2.3.1: they are form-encoded before they are joined.
    const pair = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`;
    headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
  } else {
    body.set('client_id', clientId);
    if (clientSecret !== undefined) body.set('client_secret', clientSecret);
  }
  if (scope !== undefined) body.set('scope', scope);
  if (audience !== undefined) body.set('audience', audience);
  return { method: 'POST', headers, body };
}

/** Empty where it is too large or no text: that is no JSON; and of a refusal the status is enough. */
async function bodyOf(response: Response, signal: AbortSignal): Promise<string> {
  try {
    return await readText(response, { bytesMax: BODY_BYTES_MAX, idleMs: TIMEOUT_MS });
  } catch (error) {
    if (response.ok && (signal.aborted || error instanceof TypeError)) throw error;
    return '';
  }
}

function toToken(
  answer: Readonly<Record<string, unknown>> | undefined,
  { bornAtMs, shown }: { readonly bornAtMs: number; readonly shown: string | undefined },
): TokenAnswer {
  if (answer === undefined) return refused('answered what is not a JSON object');
  const { access_token: token, token_type: type, expires_in: expiresIn } = answer;
  if (!isAccessToken(token)) {
    const code = errorCode(answer['error']);
    return refused(`answered without a usable access_token${code === '' ? '' : ` (${code})`}`);
  }
  if (typeof type === 'string' && !/^bearer/i.test(type)) {
    return refused('gave a token that is no bearer token');
  }
  const { refresh_token: next } = answer;
  const isRotated = shown !== undefined && isRefreshToken(next) && next !== shown;
  const life = { bornAtMs, lifeMs: tokenLifeMs(expiresIn) };
  return { kind: 'token', token, ...life, ...(isRotated ? { refreshToken: next } : {}) };
}

function refusal(
  response: Response,
  { code, nowMs, grant }: { readonly code: string; readonly nowMs: number; readonly grant: Grant },
): NoPage {
  const verdict = judgeStatus(response, { who: WHO, nowMs });
  if (verdict.kind === 'wait') return verdict;
  const { refresh } = grant;
  if (verdict.kind === 'refused' && code === 'invalid_grant' && refresh !== undefined) {
    const why = 'it was revoked, has expired, or was used elsewhere';
    const put = `put a new one into the secret ${refresh.secretName}`;
    return { kind: 'refused', detail: `the refresh token was refused (${code}): ${why}: ${put}` };
  }
  const said = code === '' ? '' : ` (${code})`;
  return { kind: verdict.kind, detail: verdict.detail + said + meaning(response.status, code) };
}

function meaning(status: number, code: string): string {
  if (status >= 300 && status < 400) {
    return ': it redirects, which is not followed; set source.auth.tokenUrl to where it leads';
  }
  if (status !== 401 && code !== 'invalid_client') return '';
  return ': the client id or secret is wrong, or belongs elsewhere (source.auth.clientIn)';
}

function refused(what: string): NoPage {
  return { kind: 'refused', detail: `${WHO} ${what}` };
}
