/** Sees that a source answers one page over and over, whatever place it is asked for. */
import type { JsonValue } from '#core/record/json';
import type { SeenRow } from '#core/source/cursor';
import { rawText } from '#core/record/raw-text';
import { keyOf } from '#core/source/sight';
import type { SortedPage } from './poll-page.ts';
import type { PollWorld } from './poll-options.ts';

/** Rows that move may bring one page twice. */
const REPEATS_MAX = 2;
/** So may rows of one time that change: each time with another content. */
const NEWS_REPEATS_MAX = 10;

/**
 * Make the watch of one poll: it takes one page after another, and says whether the last few were the same:
 * records of the same keys and times, in whatever order, and whatever else differs from answer to answer.
 */
export function repeatWatch(
  digest: PollWorld['digest'],
): (page: SortedPage, records: readonly JsonValue[]) => boolean {
  let latest: readonly string[] = [];
  let repeats = 0;
  return ({ rows, outgoing, refused }, records) => {
    const isNews = outgoing.length + refused.length > 0;
    const namesIn = () => rows.map((row, at) => nameOf(row, records[at] as JsonValue));
    const names = isNews && !rows.every(({ time }) => time !== undefined) ? [] : namesIn();
    const isRepeated = names.length > 0 && areSame(names, latest);
    repeats = isRepeated ? repeats + 1 : 0;
    latest = names;
    return repeats >= (isNews ? NEWS_REPEATS_MAX : REPEATS_MAX);
  };

  /** A row that the pipeline leaves out has no key: it goes by what it holds. */
  function nameOf({ time, sight }: SeenRow, record: JsonValue): string {
    return `${sight === undefined ? digest(rawText(record)) : keyOf(sight)} ${time}`;
  }
}

/** The order is looked at last: it costs most. */
function areSame(names: readonly string[], others: readonly string[]): boolean {
  if (names.length !== others.length || !others.includes(names[0] as string)) return false;
  const sorted = others.toSorted();
  return names.toSorted().every((name, at) => name === sorted[at]);
}
