/** What an answer that brings nothing means, and what no answer means, in the words of the port. */
import { resetWaitMs, spentMs } from '#core/source/rate-limit';
import { parseRetryAfter } from '#core/source/retry-after';
import { retryClass } from '#core/source/retry-class';
import type { NoPage } from '#ports/page-source';
import { AnswerFault } from './answer-fault.ts';

/** @source undici, `connect.timeout`: name, connection and TLS together; built-in fetch fixes it. */
const CONNECT_MS = 10_000;

/** @param who answered: 'the source'. */
export function judgeStatus(
  response: Response,
  { who, nowMs }: { readonly who: string; readonly nowMs: number },
): NoPage {
  const { status, headers } = response;
  // Whatever went wrong, a wait that is named is kept.
  const retry = retryClass(status);
  // Some say 403 where they mean 429.
  const mayWait = retry !== 'no' || status === 403;
  const isSpent =
    mayWait &&
    (notBeforeOf(response, nowMs) !== undefined || headers.get('x-ratelimit-remaining') === '0');
  if (retry === 'after-wait' || headers.has('retry-after') || isSpent) {
    return waitOf(response, nowMs);
  }
  const detail = `${who} answered status ${status}`;
  return { kind: retry === 'yes' ? 'unavailable' : 'refused', detail };
}

/** The wait that an answer names. */
export function waitOf(response: Response, nowMs: number): NoPage {
  const { status } = response;
  const header = headerOf(response);
  const named = namedMs(header, nowMs);
  const waits = [named, resetWaitMs(header, { nowMs, isNamed: named !== undefined })].filter(
    (ms) => ms !== undefined,
  );
  return { kind: 'wait', status, waitMs: waits.length > 0 ? Math.max(...waits) : undefined };
}

/** When the next request may leave, where an answer says so: whatever its status is, and its body. */
export function notBeforeOf(response: Response, nowMs: number): number | undefined {
  const header = headerOf(response);
  const waitMs = Math.max(namedMs(header, nowMs) ?? 0, spentMs(header, nowMs) ?? 0);
  return waitMs === 0 ? undefined : nowMs + waitMs;
}

type Header = (name: string) => string | undefined;

function headerOf({ headers }: Response): Header {
  return (name) => headers.get(name) ?? undefined;
}

function namedMs(header: Header, nowMs: number): number | undefined {
  const retryAfter = header('retry-after');
  if (retryAfter === undefined) return undefined;
  return parseRetryAfter({ retryAfter, date: header('date') }, nowMs);
}

/** @param asked who did not answer: 'the source', at a host. @throws what is no failure of the network. */
export function judgeFailure(
  error: unknown,
  asked: {
    readonly who: string;
    readonly host: string;
    readonly signal: AbortSignal;
    readonly timeoutMs: number;
  },
): NoPage {
  const { who, host, signal, timeoutMs } = asked;
  if (error instanceof AnswerFault) return { kind: error.kind, detail: error.message };
  if (signal.aborted) return unavailable(`${who} did not answer within ${timeoutMs} ms`);
  // Built-in fetch throws a TypeError for whatever breaks on the way; its cause carries the code.
  if (!(error instanceof TypeError)) throw error;
  const code = brokenCode(error.cause);
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return unavailable(`no connection to ${host} came about within ${CONNECT_MS} ms`);
  }
  return unavailable(`the connection to ${host} broke${code === '' ? '' : ` (${code})`}`);
}

/** What a connection broke with; of a name with several addresses, each of which fails, the first. */
export function brokenCode(cause: unknown): string {
  if (cause instanceof AggregateError) return brokenCode(cause.errors[0]);
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}

function unavailable(detail: string): NoPage {
  return { kind: 'unavailable', detail };
}
