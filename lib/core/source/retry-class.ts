/** Which statuses are worth another try. */

/** `after-wait`: it asks for time, whether it says how long or not. */
export type RetryClass = 'after-wait' | 'yes' | 'no';

/**
 * What is not named here: of 5xx, all may pass; of the others, none does until a person acts.
 *
 * @source RFC 9110, 15.5 and 15.6; RFC 4918, 11.3 (423); RFC 8470, 5.2 (425); RFC 6585, 4 (429).
 */
export const RETRIES: Readonly<Record<number, RetryClass>> = {
  408: 'yes',
  423: 'yes',
  425: 'yes',
  429: 'after-wait',
  501: 'no',
  505: 'no',
};

/** @example retryClass(503); // 'yes' */
export function retryClass(status: number): RetryClass {
  return RETRIES[status] ?? (status >= 500 ? 'yes' : 'no');
}
