/** One request for an access token by client credentials. @source RFC 6749, 2.3.1, 4.4 and 5. */
import { tokenLifeMs } from '#core/source/token-life';
import { baseUrl } from '#adapters/http/base-url';
import { judgeFailure, judgeStatus } from '#adapters/http/judge-answer';
import { readText } from '#adapters/http/read-text';
import type { Clock } from '#ports/clock';
import type { NoPage } from '#ports/page-source';
import { formEncoded } from './form-encoded.ts';
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
    }
  | NoPage;

/** Asks once, with the client's secret. What it says holds no word of an answer but a known error code. */
export type TokenEndpoint = (secret: string) => Promise<TokenAnswer>;

/** @throws {Error} at once when the URL cannot be used. */
export function tokenEndpoint(
  client: OAuthClient,
  {
    clock,
    timeoutMs = TIMEOUT_MS,
  }: { readonly clock: Clock; readonly timeoutMs?: number | undefined },
): TokenEndpoint {
  const url = baseUrl(client.tokenUrl, client.tokenUrlName ?? 'source.auth.tokenUrl');

  async function ask(secret: string, signal: AbortSignal): Promise<TokenAnswer> {
    const bornAtMs = clock.nowMs();
    // A redirect is not followed: the secret is for this address.
    const response = await fetch(url, { ...request(client, secret), signal, redirect: 'manual' });
    const answer = parseObject(await bodyOf(response, signal));
    if (!response.ok) return refusal(response, errorCode(answer?.['error']), clock.nowMs());
    return toToken(answer, bornAtMs);
  }

  return async (secret) => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      return await ask(secret, signal);
    } catch (error) {
      return judgeFailure(error, { who: WHO, host: url.host, signal, timeoutMs });
    }
  };
}

function request({ clientId, scope, audience, clientIn }: OAuthClient, secret: string) {
  const body = new URLSearchParams({ grant_type: 'client_credentials' });
  const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'penstock' };
  if (clientIn === 'header') {
    // @source RFC 6749, 2.3.1: they are form-encoded before they are joined.
    const pair = `${formEncoded(clientId)}:${formEncoded(secret)}`;
    headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
  } else {
    body.set('client_id', clientId);
    body.set('client_secret', secret);
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

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function toToken(
  answer: Readonly<Record<string, unknown>> | undefined,
  bornAtMs: number,
): TokenAnswer {
  if (answer === undefined) return refused('answered what is not a JSON object');
  const { access_token: token, token_type: type, expires_in: expiresIn } = answer;
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    const code = errorCode(answer['error']);
    return refused(`answered without a usable access_token${code === '' ? '' : ` (${code})`}`);
  }
  if (typeof type === 'string' && !/^bearer/i.test(type)) {
    return refused('gave a token that is no bearer token');
  }
  return { kind: 'token', token, bornAtMs, lifeMs: tokenLifeMs(expiresIn) };
}

function refusal(response: Response, code: string, nowMs: number): NoPage {
  const verdict = judgeStatus(response, { who: WHO, nowMs });
  if (verdict.kind === 'wait') return verdict;
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
