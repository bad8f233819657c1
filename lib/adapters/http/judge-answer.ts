/** What an answer that brings nothing means, and what no answer means, in the words of the port. */
import { parseRetryAfter } from '#core/source/retry-after';
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
  if (status === 429 || headers.has('retry-after')) return waitOf(response, nowMs);
  // @source GitHub REST API, rate limits: what is used up may be told by 403, without Retry-After.
  if (status === 403 && headers.get('x-ratelimit-remaining') === '0')
    return waitOf(response, nowMs);
  const detail = `${who} answered status ${status}`;
  const mayPass = status >= 500 || status === 408 || status === 425;
  return { kind: mayPass ? 'unavailable' : 'refused', detail };
}

/** The wait that an answer names. */
export function waitOf({ status, headers }: Response, nowMs: number): NoPage {
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
