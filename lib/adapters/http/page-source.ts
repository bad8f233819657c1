/** PageSource over built-in fetch: what an answer is, in the words of the port. */
import type { Authorize, Credentials } from '#adapters/http/auth/authorize';
import { secretStrikes } from '#adapters/http/auth/strike-secrets';
import { isJsonArray } from '#core/record/path';
import type { Path } from '#core/record/path';
import { bodyError } from '#core/source/body-error';
import type { ErrorRule } from '#core/source/body-error';
import { pauseEnd } from '#core/source/pause-end';
import { parseHttpDate } from '#core/source/retry-after';
import type { Clock } from '#ports/clock';
import type { PageAnswer, PageRequest, PageSource } from '#ports/page-source';
import { AnswerFault, NoPermit } from './answer-fault.ts';
import { baseUrl } from './base-url.ts';
import { errorKindOf } from './error-kind.ts';
import type { ErrorKindRule } from './error-kind.ts';
import { brokenCode, judgeFailure, judgeStatus, notBeforeOf, waitOf } from './judge-answer.ts';
import { pageBody } from './page-body.ts';
import type { BodyTemplate } from './page-body.ts';
import { pageHead } from './page-head.ts';
import { pageUrl } from './page-url.ts';
import { passage } from './passage.ts';
import type { Passage } from './passage.ts';
import { parseBody } from './parse-body.ts';
import type { BodyForm } from './parse-body.ts';
import { readText } from './read-text.ts';
import { fetchWithin } from './redirects.ts';
import { requestHeaders } from './request-headers.ts';
import { requestTimer } from './request-timer.ts';

/** A page beyond this does not fit beside its events in a function's memory. */
const BODY_BYTES_MAX = 32 * 1024 * 1024;

const IDLE_MS = 10_000;

const WHO = 'the source';

const NO_CONTENT =
  'the source answered status 204, no content: a page without records holds an array without any';

/** What a refusal means beyond its number. */
const MEANINGS: Readonly<Record<number, string>> = {
  304: ', though it was not asked whether anything has changed',
  401: ': the credentials are missing, wrong or expired',
  403: ': the credentials do not allow this',
};

const ANONYMOUS: Credentials = { kind: 'credentials', headers: {}, params: {} };

export interface BodyRules {
  /** One JSON value unless given. */
  readonly form?: BodyForm | undefined;
  /** Where an answer holds its array of records, if it is one; the answer itself unless given. */
  readonly records?: Path | undefined;
  /** How an answer of status 2xx says that it is an error. */
  readonly errors?: ErrorRule | undefined;
  /** Which refusals name the kind of their error. */
  readonly errorKind?: ErrorKindRule | undefined;
  /** How long an answer that has begun may pause; ten seconds unless given. */
  readonly idleMs?: number | undefined;
}

export interface RequestForm {
  readonly method: 'GET' | 'POST';
  /** Beside the credentials, which outrank them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: BodyTemplate | undefined;
}

export interface HttpSourceOptions extends BodyRules {
  readonly url: string;
  /** What a fault of the URL is called by: the variable that holds it; `source.url` unless given. */
  readonly urlName?: string | undefined;
  /** By GET and without a body unless given. */
  readonly request?: RequestForm | undefined;
  /** Undefined where the source asks for no credentials. */
  readonly authorize: Authorize | undefined;
  /** Statuses that refuse what was shown; 401 unless given. */
  readonly refetchOn?: readonly number[];
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

/** What is asked for, and how long that may take, its redirects and its body with it. */
type Ask = Pick<PageRequest, 'query' | 'place' | 'timeoutMs' | 'unless'> & {
  readonly signal: AbortSignal;
  readonly passage: Passage;
  readonly body?: undefined;
};

/**
 * Ask a source for pages. Of its URL a message holds the host alone, and never a header or a body.
 *
 * @throws {Error} at once when the URL cannot be used; later, what `authorize` throws.
 */
export function httpPageSource(options: HttpSourceOptions): PageSource {
  const { clock, authorize, refetchOn = [401], onExchange } = options;
  const { form = 'json', records = [], errors } = options;
  const limits = {
    bytesMax: options.bodyBytesMax ?? BODY_BYTES_MAX,
    idleMs: options.idleMs ?? IDLE_MS,
  };
  const base = baseUrl(options.url, options.urlName ?? 'source.url');
  const { method, headers: own = {}, body: template } = options.request ?? {};
  const strikeOf = secretStrikes();

  /** `shown`: what the request showed, if it left. */
  async function ask(
    request: Ask,
    first: Credentials,
  ): Promise<{ readonly answer: PageAnswer; readonly shown?: Credentials }> {
    const { passage: pass, signal, unless } = request;
    const shown = await pass.enter(first);
    if (shown.kind !== 'credentials') return { answer: shown };
    const sentAtMs = clock.nowMs();
    let nowMs = sentAtMs;
    const { query, body } = template ? pageBody(template, request.query) : request;
    const response = await fetchWithin(base.origin, pageUrl(base, { ...request, query }), {
      signal,
      headers: requestHeaders({ form, own, credentials: shown, body, unless }),
      params: shown.params,
      strike: strikeOf(shown),
      enterAgain: () => pass.enterAgain(shown),
      onAnswer(each) {
        nowMs = clock.nowMs();
        return holdUntil(notBeforeOf(each, nowMs), pass);
      },
      method,
      body,
    });
    const { status, headers } = response;
    onExchange?.({ kind: 'answered', status, headers, sentAtMs, answeredAtMs: nowMs });
    const answer = await judge(response, { ...request, credentials: shown, sentAtMs, nowMs });
    await holdUntil(pauseEnd(answer, nowMs), pass);
    return { answer, shown };
  }

  async function judge(response: Response, asked: Ask & Answered): Promise<PageAnswer> {
    const { status } = response;
    const { nowMs } = asked;
    if (status === 204) return { kind: 'refused', detail: NO_CONTENT, status };
    if (response.ok) return readPage(response, asked);
    const { idleMs } = limits;
    const errorKind = await errorKindOf(response, { rule: options.errorKind, idleMs });
    if (status === 304 && asked.unless) return { kind: 'unchanged' };
    const verdict = judgeStatus(response, { who: WHO, nowMs });
    if (verdict.kind !== 'refused') return verdict;
    const detail = verdict.detail + (MEANINGS[status] ?? '');
    return { kind: 'refused', detail, status, ...errorKind };
  }

  async function askAuthorized(request: Ask): Promise<PageAnswer> {
    const { signal } = request;
    const first = authorize === undefined ? ANONYMOUS : await authorize({ signal });
    if (first.kind !== 'credentials') return first;
    const { answer, shown: refused } = await ask(request, first);
    // One that names a wait refuses nobody.
    const isRefused = answer.kind === 'refused' && refetchOn.includes(answer.status ?? 0);
    if (!isRefused || authorize === undefined) return answer;
    // What was shown may have been replaced since it was read.
    const second = await authorize({ refused, signal });
    if (second.kind !== 'credentials') return second;
    return (await ask(request, second)).answer;
  }

  async function readPage(
    response: Response,
    { signal, timeoutMs, credentials, sentAtMs, nowMs }: Ask & Answered,
  ): Promise<PageAnswer> {
    const head = pageHead(response, base, { credentials, strike: strikeOf(credentials) });
    const read = await readText(response, limits, head.hide).catch((error: unknown) => {
      if (error instanceof AnswerFault || !signal.aborted) throw error;
      throw new AnswerFault('unavailable', `the answer was not whole after ${timeoutMs} ms`);
    });
    const text = head.hide(read);
    const contentType = head.hide(response.headers.get('content-type') ?? 'no content type');
    const { body, bytesOf } = parseBody(text, { form, records, contentType });
    for (const answer of form === 'lines' && isJsonArray(body) ? body : [body]) {
      const fault = bodyError(answer, errors);
      if (fault.kind === 'wait') return waitOf(response, nowMs);
      if (fault.kind === 'refused') return fault;
    }
    const { length: chars } = text;
    const dateMs = parseHttpDate(response.headers.get('date') ?? undefined);
    const startedAtMs = dateMs === undefined ? sentAtMs : dateMs - Math.max(0, nowMs - sentAtMs);
    const isPart = response.status === 206;
    return { kind: 'page', body, bytesOf, head, chars, startedAtMs, isPart };
  }

  return {
    async fetchPage({ signal: early, gate, ...request }) {
      const { timeoutMs } = request;
      const timer = requestTimer(timeoutMs, early);
      const { signal } = timer;
      const pass = passage(gate, { timer, authorize, clock });
      try {
        return heeded(await askAuthorized({ ...request, signal, passage: pass }), pass);
      } catch (error) {
        if (error instanceof NoPermit) return error.spent;
        if (error instanceof TypeError && !signal.aborted) {
          onExchange?.({ kind: 'broken', code: brokenCode(error.cause) });
        }
        return heeded(judgeFailure(error, { who: WHO, host: base.host, signal, timeoutMs }), pass);
      } finally {
        timer.stop();
      }
    },
  };
}

async function holdUntil(untilMs: number | undefined, { hold }: Passage): Promise<void> {
  if (untilMs !== undefined) await hold(untilMs);
}

/** The answer, with what was heard beside it of when the next request may leave. */
function heeded(answer: PageAnswer, { heldUntilMs }: Passage): PageAnswer {
  const notBeforeMs = heldUntilMs();
  const isSaid = answer.kind === 'wait' || answer.kind === 'spent';
  return isSaid || notBeforeMs === undefined ? answer : { ...answer, notBeforeMs };
}

interface Answered {
  readonly credentials: Credentials;
  readonly sentAtMs: number;
  readonly nowMs: number;
}
