/** What a failure of the world says for itself. */

/** Adapters mark what a retry may help; what is unmarked needs a person. */
export function isRetryable(error: unknown): boolean {
  return error instanceof Error && 'retryable' in error && error.retryable === true;
}

/** Adapters mark what a slower pace may help. */
export function isThrottled(error: unknown): boolean {
  return error instanceof Error && 'throttled' in error && error.throttled === true;
}

export function errorSentence(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
