/** How long an access token is used. */

/** Taken where none is named, or none that makes sense: a 401 ends it earlier. */
const UNNAMED_MS = 3_600_000;

/** No token is kept for longer, whatever was said: milliseconds where seconds belong, an epoch. */
const LIFE_MS_MAX = 24 * 3_600_000;

/** Of its life, how much is over when a token is replaced. */
const FRESH_SHARE = 0.9;

/**
 * Read `expires_in`: seconds as a number, or as the text that some servers write.
 *
 * @returns milliseconds, above 0 and at most a day.
 * @source RFC 6749, 5.1: seconds, and RECOMMENDED only.
 * @example tokenLifeMs('3599'); // 3_599_000
 */
export function tokenLifeMs(expiresIn: unknown): number {
  const isText = typeof expiresIn === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(expiresIn);
  const seconds = isText ? Number(expiresIn) : expiresIn;
  // Zero is how some say that it never expires; who means it answers 401.
  if (typeof seconds !== 'number' || !(seconds > 0)) return UNNAMED_MS;
  return Math.min(seconds * 1_000, LIFE_MS_MAX);
}

/** When a token is replaced: early, so that an endpoint that fails then has time to come back. */
export function refreshAtMs(bornAtMs: number, lifeMs: number): number {
  return bornAtMs + Math.floor(lifeMs * FRESH_SHARE);
}
