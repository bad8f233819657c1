import { WAIT_UNNAMED_MS } from './backoff.ts';

/** What of an answer says that the source is to be left alone. */
export interface Pausing {
  readonly kind: string;
  /** Of an answer that brings something else: the next is not allowed before then. */
  readonly notBeforeMs?: number;
  /** Of a wait; undefined where the source named none. */
  readonly waitMs?: number | undefined;
}

/** Until when an answer asks for a pause; undefined where it asks for none. */
export function pauseEnd(
  { kind, notBeforeMs, waitMs }: Pausing,
  nowMs: number,
): number | undefined {
  if (kind === 'wait') return nowMs + (waitMs ?? WAIT_UNNAMED_MS);
  // That a budget is spent is said by no answer.
  return kind === 'spent' ? undefined : notBeforeMs;
}
