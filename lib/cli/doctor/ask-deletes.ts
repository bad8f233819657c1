/** Asks for the first page of a source's feed of deletes, as its poller does. */
import { previewRecords } from '#cli/preview/preview-records';
import type { Patience } from '#cli/source/ask-patiently';
import { walkPages } from '#cli/source/walk-pages';
import { runQuery } from '#core/source/page-query';
import { rowTime } from '#core/source/row-time';
import { latestSpan } from '#core/source/span';
import type { PollOptions } from '#pipeline/poll-options';
import type { Observed } from './finding.ts';

export async function askDeletes(
  options: PollOptions,
  { nowMs, ...patience }: Patience & { readonly nowMs: number },
): Promise<Observed['deletes']> {
  if (options.deletes === undefined) return undefined;
  const feed = { ...options, ...options.deletes };
  const { incremental } = feed.source;
  const walk = await walkPages(feed, runQuery(feed.source, latestSpan(incremental, nowMs)), {
    ...patience,
    isEnough: () => true,
  });
  const [page] = walk.pages;
  const records = page?.records ?? [];
  const sourceMs = page?.startedAtMs ?? nowMs;
  return {
    walk,
    rows: previewRecords(records, feed, { shardCount: undefined, sourceMs }),
    timeless: incremental
      ? records.filter((raw) => !rowTime(raw, incremental.path, incremental.fieldFormat)).length
      : 0,
  };
}
