/** A service's answer that an adapter could not turn into an outcome. */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly retryable: boolean;
  /** It asked for less at a time. */
  readonly throttled: boolean;

  constructor(
    message: string,
    {
      retryable,
      throttled = false,
      cause,
    }: { retryable: boolean; throttled?: boolean; cause: unknown },
  ) {
    super(message, { cause });
    this.retryable = retryable;
    this.throttled = throttled;
  }
}

export type ErrorVerdict = 'throttled' | 'unanswered' | 'refused';

const THROTTLES = new Set([
  'ProvisionedThroughputExceededException',
  'LimitExceededException',
  'KMSThrottlingException',
  'ThrottlingException',
  'Throttling',
  'RequestLimitExceeded',
  'TooManyRequestsException',
]);

/**
 * Judge what an SDK client threw: told to slow down; no answer, so that nobody knows what was
 * done; or refused, and refused again however often it is sent.
 */
export function judgeError(error: unknown): ErrorVerdict {
  const { name, status } = describeError(error);
  if (THROTTLES.has(name)) return 'throttled';
  return status !== undefined && status >= 400 && status < 500 ? 'refused' : 'unanswered';
}

function describeError(error: unknown): { name: string; status: number | undefined } {
  if (!(error instanceof Error)) return { name: '', status: undefined };
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
  return { name: error.name, status: $metadata?.httpStatusCode };
}

/** The world's failure as an error with its verdict. */
export function toAwsError(doing: string, error: unknown): AwsError {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const verdict = judgeError(error);
  return new AwsError(`${doing}: ${name}: ${message}`, {
    retryable: verdict !== 'refused',
    throttled: verdict === 'throttled',
    cause: error,
  });
}
