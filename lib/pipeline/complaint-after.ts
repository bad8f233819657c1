/** What a poll ends with although all it was answered is published. */
import type { Cursor, PageEnd } from '#core/source/cursor';
import type { PollOptions } from './poll-options.ts';

/** After so many pages without a record a poll fails, so that somebody hears of a source that never ends. */
const EMPTY_PAGES_MAX = 1_000;

/** What a saved page says of the source that somebody should hear. */
export function complaintAfter(
  { run, token }: Cursor,
  { rows, to }: Pick<PageEnd, 'rows' | 'to'>,
  { source: { incremental, feed } }: PollOptions,
): string | undefined {
  const emptyPages = run?.emptyPages ?? 0;
  if (emptyPages > 0 && emptyPages % EMPTY_PAGES_MAX === 0) {
    return (
      `${emptyPages} pages in a row held no record, and the last led to another: the next poll goes on there; ` +
      'a source that never ends is paged in another way than source.pagination says'
    );
  }
  if (run === null && feed && token === undefined && rows.count > 0) {
    const what =
      feed.param === undefined
        ? `link at \`${feed.next.join('.')}\``
        : `token for \`${feed.param}\``;
    return `the last answer held no ${what}: every run reads everything again`;
  }
  if (run !== null || !incremental || rows.count === 0 || rows.maxSeen !== null) return undefined;
  // A span with an end is left behind all the same.
  if (to !== undefined) return undefined;
  const place = incremental.path.join('.');
  return `no record holds a readable time at \`${place}\`: every run reads them all again`;
}
