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

interface Shown {
  readonly rows: readonly SeenRow[];
  /** By its index, what stands for a row that the pipeline leaves out, which has no key. */
  readonly contents: readonly (string | undefined)[];
}

const NOTHING: Shown = { rows: [], contents: [] };

/**
 * Make the watch of one poll: it takes one page after another, and says whether the last few were the same:
 * records of the same keys and times, in whatever order, and whatever else differs from answer to answer.
 */
export function repeatWatch(
  digest: PollWorld['digest'],
): (page: SortedPage, records: readonly JsonValue[]) => boolean {
  let latest = NOTHING;
  let repeats = 0;
  return ({ rows, outgoing, refused, filtered }, records) => {
    const isNews = outgoing.length + refused.length > 0;
    const contents = isNews || filtered === 0 ? [] : rows.map(contentOf);
    const isKnowable = !isNews || rows.every(({ time }) => time !== undefined);
    const page = isKnowable ? { rows, contents } : NOTHING;
    repeats = areSame(page, latest) ? repeats + 1 : 0;
    latest = page;
    return repeats >= (isNews ? NEWS_REPEATS_MAX : REPEATS_MAX);

    function contentOf({ sight }: SeenRow, at: number): string | undefined {
      return sight === undefined ? digest(rawText(records[at] as JsonValue)) : undefined;
    }
  };
}

/** Most pages have another time at once: all names are looked at last. */
function areSame(page: Shown, other: Shown): boolean {
  const [first] = page.rows;
  if (first === undefined || page.rows.length !== other.rows.length) return false;
  if (!other.rows.some(({ time }) => time === first.time)) return false;
  const [names, others] = [namesOf(page).toSorted(), namesOf(other).toSorted()];
  return names.every((name, at) => name === others[at]);
}

function namesOf({ rows, contents }: Shown): string[] {
  return rows.map(({ time, sight }, at) => `${sight ? keyOf(sight) : contents[at]} ${time}`);
}
