/** What a run's place means: another page, once the file pages in another way. */
import type { Cursor } from '#core/source/cursor';
import type { PollOptions, PollWorld } from './poll-options.ts';

/** The same for the same requests, paging and page size, and for no other. */
export function pagingWay({ source }: PollOptions, digest: PollWorld['digest']): string {
  const { pagination, pageSize, feed, fixed, asks } = source;
  const ofFeed = feed ? [feed.param, feed.next] : [];
  return digest(JSON.stringify([pagination, pageSize, fixed, asks, ...ofFeed]));
}

/**
 * Give up a run that began before the file asked and paged as it does now: page 3 of other pages or of another
 * order, or a token taken for a number, would pass rows over.
 */
export function withoutOldWay(
  stored: Cursor,
  options: PollOptions,
  { digest, report }: Pick<PollWorld, 'digest' | 'report'>,
): Cursor {
  const cursor = withoutOldToken(stored, options);
  const way = cursor.run?.way;
  if (way === undefined || way === pagingWay(options, digest)) return cursor;
  report({
    event: 'RunRestarted',
    pipeline: options.pipeline,
    detail: 'what source asks for, or how it is paged, has changed since the run began',
  });
  return { ...cursor, run: null };
}

/** A token that stands from before the file named a link leads nowhere. */
function withoutOldToken(cursor: Cursor, { source: { feed } }: PollOptions): Cursor {
  const { token, ...rest } = cursor;
  const isLink = feed !== undefined && feed.param === undefined;
  return isLink && token?.startsWith('/') === false ? rest : cursor;
}
