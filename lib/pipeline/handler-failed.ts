/** A handler failed; what it was given comes again. */
export class HandlerFailed extends Error {
  override readonly name = 'HandlerFailed';
  readonly retryable = true;
}
