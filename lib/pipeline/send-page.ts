/** Publishes under a poll's lease and time, and counts what became of it. */
import { publishPage } from './poll-page.ts';
import type { SortedPage } from './poll-page.ts';
import type { PollOutcome } from './poll-options.ts';
import type { PollScope } from './read-page.ts';

/** Time kept back to save the cursor and give the lease back. */
export const RESERVE_MS = 2_000;

export type PageSent =
  | { readonly kind: 'published'; readonly requests: number; readonly resent: number }
  /** The poll ends: not all of it was confirmed. */
  | PollOutcome;

export type SendPage = (page: SortedPage) => Promise<PageSent>;

/** Make what publishes the pages of one poll. What it makes throws what no retry can help. */
export function pageSender({
  options,
  world,
  progress: { sent },
  keeper,
}: Pick<PollScope, 'options' | 'world' | 'progress' | 'keeper'>): SendPage {
  const { putTimeoutMs } = options;

  async function mayPut() {
    if (world.remainingMs() - RESERVE_MS < putTimeoutMs) return 'out-of-time';
    return (await keeper.ensure(putTimeoutMs)) ? 'granted' : 'lease-lost';
  }

  return async (page) => {
    const result = await publishPage(page, options, world, mayPut);
    const { kind, requests, resent } = result;
    sent.accepted += result.accepted;
    sent.confirmed += result.confirmed;
    sent.returned += result.returned;
    if (kind === 'published') return { kind, requests, resent };
    if (kind === 'failed') throw result.error;
    if (kind === 'aborted') return { kind: 'out-of-time' };
    if (kind !== 'stream-unavailable') return { kind };
    return { kind: 'failed', detail: 'the stream wrote nothing for long' };
  };
}
