/** Up to where a source's history may be read beside live polls. Pure. */
import { askedFrom, tickOf } from '#core/source/bound';
import { decodeCursor } from '#core/source/cursor-text';
import type { Incremental } from '#core/source/page-query';
import { planSpan } from '#core/source/span';
import { timestampMs, timestampOfMs } from '#core/record/timestamp';
import type { PollStanding } from '#ports/poll-control';
import type { CutOff } from './backfill-ask.ts';

/** Where the next live poll begins to read; or, before the first has ended, what no row appears behind any more. */
export function cutOffOf(
  standing: Pick<PollStanding, 'cursor'> | undefined,
  incremental: Incremental,
  nowMs: number,
): CutOff {
  const { boundary } = decodeCursor(standing?.cursor);
  const { from } = planSpan(incremental, boundary, nowMs);
  if (boundary === null || from === null) {
    // Rows of one tick are asked for together: the one that is not over yet is no history.
    const settled = tickOf(timestampOfMs(nowMs - incremental.horizonMs), incremental);
    return { atMs: timestampMs(settled), of: 'horizon' };
  }
  return { atMs: timestampMs(askedFrom(from, incremental)), of: 'live' };
}
