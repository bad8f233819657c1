/** Puts one request to a source under an authorization. */
import { httpPageSource } from '#adapters/http/page-source';
import type { Authorize } from '#adapters/http/auth/authorize';
import { systemClock } from '#adapters/system/clock';
import type { Clock } from '#ports/clock';

export function askOnce(
  url: string,
  authorize: Authorize,
  { query = {}, clock = systemClock }: { query?: Record<string, string>; clock?: Clock } = {},
) {
  return httpPageSource({ url, authorize, clock }).fetchPage({ query, timeoutMs: 5_000 });
}
