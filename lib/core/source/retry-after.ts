/** How long a source asks to be left alone. */

/** Beyond this a wait is taken for a mistake (an epoch where seconds belong), not for a wish. */
const WAIT_MS_MAX = 31 * 24 * 3_600_000;

export interface WaitHeaders {
  readonly retryAfter: string | undefined;
  /** The response's own `Date`: it judges a moment by the clock that named it. */
  readonly date: string | undefined;
}

/**
 * Read the wait a response names: whole or fractional seconds, or a date; a date gone by is 0.
 *
 * @returns milliseconds, never less than asked for; undefined when it names none that makes sense.
 * @source RFC 9110, 10.2.3 Retry-After and 5.6.7 Date/Time Formats.
 */
export function parseRetryAfter(headers: WaitHeaders, nowMs: number): number | undefined {
  const asked = headers.retryAfter?.trim();
  const clockMs = parseHttpDate(headers.date) ?? nowMs;
  if (!asked) return undefined;
  return inBounds(longestSeconds(asked) ?? untilMs(parseHttpDate(asked), clockMs));
}

/**
 * Read when a limit begins anew: seconds from now, or an epoch in seconds or milliseconds.
 *
 * @param clockMs by the clock that named it.
 * @returns milliseconds from then; undefined when it makes no sense.
 */
export function parseReset(text: string | undefined, clockMs: number): number | undefined {
  const resetMs = text === undefined ? undefined : parseSeconds(text.trim());
  if (resetMs === undefined) return undefined;
  // As seconds: 1e9 is the year 2001, 1e12 the year 33658. Nothing named in seconds from now is so large.
  if (resetMs >= 1e15) return inBounds(untilMs(resetMs / 1_000, clockMs));
  if (resetMs >= 1e12) return inBounds(untilMs(resetMs, clockMs));
  return inBounds(resetMs);
}

/** A header sent twice arrives as one list. */
function longestSeconds(text: string): number | undefined {
  const waits = text.split(',').map((part) => parseSeconds(part.trim()));
  return waits.every((waitMs) => waitMs !== undefined) ? Math.max(...waits) : undefined;
}

/** Milliseconds, rounded up. */
function parseSeconds(text: string): number | undefined {
  return /^\d+(\.\d+)?$/.test(text) ? Math.ceil(Number(text) * 1_000) : undefined;
}

function untilMs(momentMs: number | undefined, nowMs: number): number | undefined {
  return momentMs === undefined ? undefined : Math.max(0, momentMs - nowMs);
}

function inBounds(waitMs: number | undefined): number | undefined {
  return waitMs !== undefined && waitMs <= WAIT_MS_MAX ? waitMs : undefined;
}

const YEAR_10000_MS = Date.UTC(10_000, 0);

/** An HTTP date always ends in GMT or, in its oldest form, in a year; it always names a month. */
const HTTP_DATE = /^[A-Z][a-z]+,? .*\b\d{1,2}\b.*\d{2}:\d{2}:\d{2}/;

/** Milliseconds since the epoch of an HTTP date in any of its three forms. */
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !HTTP_DATE.test(text)) return undefined;
  // The oldest form names no zone; it is GMT all the same.
  const epochMs = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return epochMs < YEAR_10000_MS ? epochMs : undefined;
}
