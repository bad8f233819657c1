/** Follows redirects as far as they stay with the origin that may see the credentials. */
import { MARK } from '#adapters/http/auth/strike-secrets';
import type { Strike } from '#adapters/http/auth/strike-secrets';
import { AnswerFault } from './answer-fault.ts';
import { putParams } from './query-text.ts';

const REDIRECTS_MAX = 5;

/** @source RFC 9110, 15.4: the others name nothing that a GET could follow by itself. */
const FOLLOWED = new Set([301, 302, 303, 307, 308]);

/**
 * Fetch a URL, following redirects within `origin` only. Of a POST only those are followed that keep
 * it one: what the others lead to is not what was asked for.
 *
 * A redirect to another origin is refused and not followed without credentials: what answers there
 * is not the source that was configured. So none leads to another host, to a private address, or
 * from https to http.
 *
 * @param init.params set on the URL of every request: a redirect may have left them out.
 * @throws {AnswerFault} @throws {TypeError} when the connection breaks.
 */
export async function fetchWithin(
  origin: string,
  start: URL,
  {
    signal,
    headers,
    params = {},
    strike = (text) => text,
    enterAgain,
    onAnswer,
    body,
    method = 'GET',
  }: {
    readonly signal: AbortSignal;
    readonly headers: Readonly<Record<string, string>>;
    readonly params?: Readonly<Record<string, string>>;
    /** Takes secrets out of what is said of a redirect. */
    readonly strike?: Strike;
    /** Waited for before each request but the first. */
    readonly enterAgain?: () => Promise<void>;
    /** Is told of each answer, of those that redirect too, and waited for. */
    readonly onAnswer?: (response: Response) => Promise<void>;
    readonly method?: 'GET' | 'POST' | undefined;
    readonly body?: string | undefined;
  },
): Promise<Response> {
  let url = new URL(start);
  for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
    putParams(url, params);
    if (hop > 0) await enterAgain?.();
    const sent = body === undefined ? {} : { body };
    const response = await fetch(url, { method, signal, headers, redirect: 'manual', ...sent });
    await onAnswer?.(response);
    const location = response.headers.get('location');
    if (!FOLLOWED.has(response.status) || location === null) return response;
    await response.body?.cancel();
    if (method === 'POST' && response.status < 307) {
      const detail = `the source redirects a POST with status ${response.status}, which makes it a GET`;
      throw refused(`${detail}: set source.url to where it leads`);
    }
    url = redirectTarget(origin, { from: url, location, strike });
  }
  throw refused(`the source redirects more than ${REDIRECTS_MAX} times`);
}

interface Redirect {
  readonly from: URL;
  readonly location: string;
  readonly strike: Strike;
}

function redirectTarget(origin: string, { from, location, strike }: Redirect): URL {
  if (!URL.canParse(location, from.href)) throw refused('the source redirects to no URL');
  const to = new URL(location, from);
  if (to.origin !== origin) {
    const elsewhere = originIn(strike(location), from);
    throw refused(
      from.protocol === 'https:' && to.protocol === 'http:'
        ? `the source redirects from https to http (${elsewhere}), where credentials can be read`
        : `the source redirects to another origin (${elsewhere}): set source.url to it if it is right`,
    );
  }
  if (to.username !== '' || to.password !== '') {
    throw refused('the source redirects to a URL with a user name or password');
  }
  return to;
}

/** Of what is left of a location: a host is written small, and a secret in it is not known by that. */
function originIn(said: string, from: URL): string {
  return URL.canParse(said, from.href) ? new URL(said, from).origin : MARK;
}

function refused(detail: string): AnswerFault {
  return new AnswerFault('refused', detail);
}
