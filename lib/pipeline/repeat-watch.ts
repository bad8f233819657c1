/** Sees that a source answers one page over and over, whatever place it is asked for. */
import type { SortedPage } from './poll-page.ts';

/** Rows that move may bring one page twice. */
const REPEATS_MAX = 2;

/**
 * Make the watch of one poll: it takes one page after another, and says whether the last few were
 * the same, with nothing on them that was not known.
 */
export function repeatWatch(): (page: SortedPage) => boolean {
  let latest: SortedPage['rows'] = [];
  let repeats = 0;
  return ({ rows, skipped }) => {
    const isKnown = rows.length > 0 && skipped === rows.length && rows.length === latest.length;
    const isRepeated = isKnown && rows.every(({ sight }, at) => sight === latest[at]?.sight);
    repeats = isRepeated ? repeats + 1 : 0;
    latest = rows;
    return repeats >= REPEATS_MAX;
  };
}
