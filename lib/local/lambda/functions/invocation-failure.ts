/** The failures the platform itself reports of a function, in its words. */
import type { InvokeResult } from '#local/contracts';

export type InvokeFailure = Extract<InvokeResult, { kind: 'error' }>;

/** @source Lambda quotas, 2026-10: a synchronous invocation's request. */
export const PAYLOAD_BYTES_MAX = 6 * 1024 * 1024;

/** @source As Lambda's refusal names it: a hundred bytes more than a request. */
export const RESPONSE_BYTES_MAX = PAYLOAD_BYTES_MAX + 100;

/** The handler did not answer within its timeout. */
export function timedOut(requestId: string, timeoutSec: number): InvokeFailure {
  const message = `Task timed out after ${timeoutSec.toFixed(2)} seconds`;
  return failure('Sandbox.Timedout', `RequestId: ${requestId} Error: ${message}`);
}

/** The process ended while it had work; `code` or `signal` is how. */
export function exited(
  requestId: string,
  end: { readonly code: number | null; readonly signal: string | null },
): InvokeFailure {
  const how =
    end.signal !== null
      ? `exited with error: signal: ${SIGNAL_WORDS[end.signal] ?? end.signal}`
      : end.code === 0
        ? 'exited without providing a reason'
        : `exited with error: exit status ${end.code}`;
  return failure('Runtime.ExitError', `RequestId: ${requestId} Error: Runtime ${how}`);
}

/** The answer is larger than a synchronous invocation may return. */
export function responseTooLarge(): InvokeFailure {
  return failure(
    'Function.ResponseSizeTooLarge',
    `Response payload size exceeded maximum allowed payload size (${RESPONSE_BYTES_MAX} bytes).`,
  );
}

/** The event is larger than a synchronous invocation may carry; the function is not run. */
export function requestTooLarge(): InvokeFailure {
  return failure(
    'RequestTooLargeException',
    `Request must be smaller than ${PAYLOAD_BYTES_MAX} bytes for the InvokeFunction operation`,
  );
}

/** The handler or its module threw; `payload` is the error as the runtime posted it. */
export function thrown(payload: string, errorTypeHeader: string | undefined): InvokeFailure {
  return { kind: 'error', errorType: errorTypeHeader ?? errorTypeIn(payload), payload };
}

function errorTypeIn(payload: string): string {
  try {
    const body: unknown = JSON.parse(payload);
    if (typeof body === 'object' && body !== null && 'errorType' in body) {
      return String(body.errorType);
    }
  } catch {
    // A runtime may post anything; what it posted is kept as the payload.
  }
  return 'Runtime.Unknown';
}

const SIGNAL_WORDS: Readonly<Record<string, string>> = {
  SIGKILL: 'killed',
  SIGABRT: 'aborted',
  SIGSEGV: 'segmentation fault',
  SIGTERM: 'terminated',
};

function failure(errorType: string, errorMessage: string): InvokeFailure {
  return { kind: 'error', errorType, payload: JSON.stringify({ errorType, errorMessage }) };
}
