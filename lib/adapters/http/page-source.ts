/** PageSource over built-in fetch: what an answer is, in the words of the port. */
import { isJsonArray } from '#core/record/path';
import { bodyError } from '#core/source/body-error';
import type { ErrorRule } from '#core/source/body-error';
import type { PageHead } from '#core/source/next-page';
import { parseHttpDate, parseRetryAfter } from '#core/source/retry-after';
import type { Clock } from '#ports/clock';
import type { PageAnswer, PageRequest, PageSource } from '#ports/page-source';
import { AnswerFault } from './answer-fault.ts';
import { linkedPlace } from './linked-place.ts';
import { pageUrl } from './page-url.ts';
import { parseBody } from './parse-body.ts';
import type { BodyForm } from './parse-body.ts';
import { readText } from './read-text.ts';
import { fetchWithin } from './redirects.ts';

/** A page beyond this does not fit beside its events in a function's memory. */
const BODY_BYTES_MAX = 32 * 1024 * 1024;

const IDLE_MS = 10_000;

/** @source undici, `connect.timeout`: name, connection and TLS together; built-in fetch fixes it. */
const CONNECT_MS = 10_000;

const ACCEPT: Readonly<Record<BodyForm, string>> = {
  json: 'application/json',
  lines: 'application/x-ndjson, */*;q=0.5',
};

export interface BodyRules {
  /** One JSON value unless given. */
  readonly form?: BodyForm | undefined;
  /** How an answer of status 2xx says that it is an error. */
  readonly errors?: ErrorRule | undefined;
  /** How long an answer that has begun may pause; ten seconds unless given. */
  readonly idleMs?: number | undefined;
}

export interface HttpSourceOptions extends BodyRules {
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

/** How long one request may take, its redirects and its body with it. */
interface Within {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/**
 * Ask a source for pages. Of its URL a message holds the host alone, and never a header or a body.
 *
 * @throws {Error} at once when the URL cannot be used; later, what `readToken` throws.
 */
export function httpPageSource(options: HttpSourceOptions): PageSource {
  const { clock, readToken, form = 'json', errors, onExchange } = options;
  const limits = {
    bytesMax: options.bodyBytesMax ?? BODY_BYTES_MAX,
    idleMs: options.idleMs ?? IDLE_MS,
  };
  const base = parseBase(options.url, options.urlName ?? 'source.url');

  async function ask(
    request: Pick<PageRequest, 'query' | 'place'>,
    { fresh, ...within }: Within & { fresh: boolean },
  ): Promise<PageAnswer | 'unauthorized'> {
    const token = await readToken?.({ fresh });
    const startedMs = clock.nowMs();
    const response = await fetchWithin(base.origin, pageUrl(base, request), {
      signal: within.signal,
      headers: {
        accept: ACCEPT[form],
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
      return readPage(response, { startedAtMs, nowMs }, within);
    }
    await response.body?.cancel();
    if (response.status === 401 && token !== undefined && !fresh) return 'unauthorized';
    return judgeStatus(response, nowMs);
  }

  async function readPage(
    response: Response,
    { startedAtMs, nowMs }: { readonly startedAtMs: number; readonly nowMs: number },
    { signal, timeoutMs }: Within,
  ): Promise<PageAnswer> {
    const text = await readText(response, limits).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      throw new AnswerFault('unavailable', `the answer was not whole after ${timeoutMs} ms`);
    });
    const body = parseBody(text, form, response.headers.get('content-type') ?? 'no content type');
    for (const answer of form === 'lines' && isJsonArray(body) ? body : [body]) {
      const fault = bodyError(answer, errors);
      if (fault.kind === 'wait') return waitOf(response, nowMs);
      if (fault.kind === 'refused') return fault;
    }
    return { kind: 'page', body, head: headOf(response, base), chars: text.length, startedAtMs };
  }

  return {
    async fetchPage({ timeoutMs, signal: early, ...request }) {
      const late = AbortSignal.timeout(timeoutMs);
      const signal = early === undefined ? late : AbortSignal.any([late, early]);
      try {
        const first = await ask(request, { signal, timeoutMs, fresh: false });
        if (first !== 'unauthorized') return first;
        // The token may have been replaced since it was read.
        const second = await ask(request, { signal, timeoutMs, fresh: true });
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

function headOf({ headers, url: answered }: Response, base: URL): PageHead {
  return {
    header: (name) => headers.get(name) ?? undefined,
    place: (reference, leftOut) => linkedPlace(reference, { base, answered, leftOut }),
  };
}

function judgeStatus(response: Response, nowMs: number): PageAnswer {
  const { status, headers } = response;
  // Whatever went wrong, a wait that is named is kept.
  if (status === 429 || headers.has('retry-after')) return waitOf(response, nowMs);
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

function waitOf({ status, headers }: Response, nowMs: number): PageAnswer {
  const header = (name: string) => headers.get(name) ?? undefined;
  const waitMs = parseRetryAfter(
    {
      retryAfter: header('retry-after'),
      date: header('date'),
      rateLimitReset: header('ratelimit-reset') ?? header('x-ratelimit-reset'),
    },
    nowMs,
  );
  return { kind: 'wait', status, waitMs };
}

function judgeFailure(
  error: unknown,
  { host, signal, timeoutMs }: Within & { readonly host: string },
): PageAnswer {
  if (error instanceof AnswerFault) return { kind: error.kind, detail: error.message };
  if (signal.aborted) return unavailable(`the source did not answer within ${timeoutMs} ms`);
  // Built-in fetch throws a TypeError for whatever breaks on the way; its cause carries the code.
  if (!(error instanceof TypeError)) throw error;
  const code = codeOf(error.cause);
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return unavailable(`no connection to ${host} came about within ${CONNECT_MS} ms`);
  }
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
