/** PageSource over built-in fetch: what an answer is, in the words of the port. */
import { parseExact } from '#core/record/exact-json';
import type { JsonValue } from '#core/record/json';
import { parseHttpDate, parseRetryAfter } from '#core/source/retry-after';
import type { Clock } from '#ports/clock';
import type { PageAnswer, PageSource } from '#ports/page-source';
import { BodyTooLarge, NotUtf8, readText } from './read-text.ts';
import { fetchWithin, RedirectRefused } from './redirects.ts';

/** A page beyond this does not fit beside its events in a function's memory. */
const BODY_BYTES_MAX = 32 * 1024 * 1024;

export interface HttpSourceOptions {
  readonly url: string;
  /** What a fault of the URL is called by: the variable that holds it; `source.url` unless given. */
  readonly urlName?: string | undefined;
  /** Reads the bearer token; `fresh` when the source refused the one known. Undefined: no auth. */
  readonly readToken: ((ask: { readonly fresh: boolean }) => Promise<string>) | undefined;
  readonly clock: Clock;
  readonly bodyBytesMax?: number;
  /** Is told of each answer and each failure, before they are judged. */
  readonly onExchange?: (exchange: Exchange) => void;
}

/** A request and what came of it; times are by the caller's clock. */
export type Exchange =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: Headers;
      readonly sentAtMs: number;
      readonly answeredAtMs: number;
    }
  /** `code`: what the connection broke with, such as `ECONNREFUSED`; empty where nothing says. */
  | { readonly kind: 'broken'; readonly code: string };

/**
 * Ask a source for pages. Of its URL a message holds the host alone, and never a header or a body.
 *
 * @throws {Error} at once when the URL cannot be used; later, what `readToken` throws.
 */
export function httpPageSource(options: HttpSourceOptions): PageSource {
  const { clock, readToken, bodyBytesMax = BODY_BYTES_MAX, onExchange } = options;
  const base = parseBase(options.url, options.urlName ?? 'source.url');

  async function ask(
    query: Readonly<Record<string, string>>,
    { signal, fresh }: { signal: AbortSignal; fresh: boolean },
  ): Promise<PageAnswer | 'unauthorized'> {
    const token = await readToken?.({ fresh });
    const url = new URL(base);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const startedMs = clock.nowMs();
    const response = await fetchWithin(base.origin, url, {
      signal,
      headers: {
        accept: 'application/json',
        'user-agent': 'penstock',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
    });
    const nowMs = clock.nowMs();
    const { status, headers } = response;
    onExchange?.({ kind: 'answered', status, headers, sentAtMs: startedMs, answeredAtMs: nowMs });
    if (response.ok) {
      const dateMs = parseHttpDate(response.headers.get('date') ?? undefined);
      const tookMs = Math.max(0, nowMs - startedMs);
      const startedAtMs = dateMs === undefined ? startedMs : dateMs - tookMs;
      return toPage(await readText(response, bodyBytesMax), response, startedAtMs);
    }
    await response.body?.cancel();
    if (response.status === 401 && token !== undefined && !fresh) return 'unauthorized';
    return judgeStatus(response, nowMs);
  }

  return {
    async fetchPage({ query, timeoutMs, signal: early }) {
      const late = AbortSignal.timeout(timeoutMs);
      const signal = early === undefined ? late : AbortSignal.any([late, early]);
      try {
        const first = await ask(query, { signal, fresh: false });
        if (first !== 'unauthorized') return first;
        // The token may have been replaced since it was read.
        const second = await ask(query, { signal, fresh: true });
        return second === 'unauthorized' ? refused('the source answered status 401') : second;
      } catch (error) {
        if (error instanceof TypeError && !signal.aborted) {
          onExchange?.({ kind: 'broken', code: codeOf(error.cause) });
        }
        return judgeFailure(error, { host: base.host, signal, timeoutMs });
      }
    },
  };
}

function parseBase(text: string, name: string): URL {
  if (!URL.canParse(text)) throw new Error(`${name} is not a URL`);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error(`${name} is neither http nor https`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error(`${name} holds credentials; put them into a secret and name it in source.auth`);
  }
  return url;
}

function judgeStatus(response: Response, nowMs: number): PageAnswer {
  const { status, headers } = response;
  const header = (name: string) => headers.get(name) ?? undefined;
  const retryAfter = header('retry-after');
  // Whatever went wrong, a wait that is named is kept.
  if (status === 429 || retryAfter !== undefined) {
    const waitMs = parseRetryAfter(
      {
        retryAfter,
        date: header('date'),
        rateLimitReset: header('ratelimit-reset') ?? header('x-ratelimit-reset'),
      },
      nowMs,
    );
    return { kind: 'wait', status, waitMs };
  }
  if (status >= 500 || status === 408 || status === 425) {
    return { kind: 'unavailable', detail: `the source answered status ${status}` };
  }
  switch (status) {
    case 401:
      return refused('the source answered status 401: the token is missing, wrong or expired');
    case 403:
      return refused('the source answered status 403: the token does not allow this');
    default:
      return refused(`the source answered status ${status}`);
  }
}

function toPage(text: string, response: Response, startedAtMs: number): PageAnswer {
  const type = response.headers.get('content-type') ?? 'no content type';
  const start = text.trimStart();
  if (start === '') return unavailable('the answer was empty');
  if (start.startsWith('<')) return refused(`the source answered HTML or XML (${type}), not JSON`);
  let body: JsonValue;
  try {
    body = parseExact(text);
  } catch (error) {
    if (error instanceof RangeError) return refused('the answer nests too deep to be read');
    return isCutShort(error)
      ? unavailable(`the answer broke off after ${text.length} characters`)
      : refused(`the source answered what is not JSON (${type})`);
  }
  return { kind: 'page', body, chars: text.length, startedAtMs };
}

/** @source V8, messages kJsonParseUnexpectedEOS and kJsonParseUnterminatedString. */
function isCutShort(error: unknown): boolean {
  return error instanceof SyntaxError && /end of JSON|Unterminated/i.test(error.message);
}

function judgeFailure(
  error: unknown,
  { host, signal, timeoutMs }: { host: string; signal: AbortSignal; timeoutMs: number },
): PageAnswer {
  const isVerdict = [RedirectRefused, BodyTooLarge, NotUtf8].some((kind) => error instanceof kind);
  if (error instanceof Error && isVerdict) return refused(error.message);
  if (signal.aborted) return unavailable(`the source did not answer within ${timeoutMs} ms`);
  // Built-in fetch throws a TypeError for whatever breaks on the way; its cause carries the code.
  if (!(error instanceof TypeError)) throw error;
  const code = codeOf(error.cause);
  return unavailable(`the connection to ${host} broke${code === '' ? '' : ` (${code})`}`);
}

/** A name with several addresses fails once for each: the first tells enough. */
function codeOf(cause: unknown): string {
  if (cause instanceof AggregateError) return codeOf(cause.errors[0]);
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}

function refused(detail: string): PageAnswer {
  return { kind: 'refused', detail };
}

function unavailable(detail: string): PageAnswer {
  return { kind: 'unavailable', detail };
}
