/**
 * Sees that deletes are read again and not known again.
 *
 * A delete without a version outranks whatever was seen before it. Published once more it outranks a record that
 * was made again meanwhile as well: nothing brings that back before it changes.
 */
import type { SeenRow } from '#core/source/cursor';
import { decodeCursor } from '#core/source/cursor-text';
import { SIGHTS_MAX } from '#core/source/sight';
import type { FeedOptions } from './poll-options.ts';
import { sightsIn } from './read-page.ts';

export interface ForgottenDeletes {
  /** Rows of the feed. */
  shown(rows: readonly SeenRow[]): void;
  /** Where the feed stands now, as a cursor's text. */
  kept(cursor: string): void;
  complaint(): string | undefined;
}

const HARM =
  'so they are published with every poll, and may take away a record that was made again';

/** Make the watch of one poll. */
export function forgottenDeletes({
  rules,
  source: { incremental },
}: FeedOptions): ForgottenDeletes {
  let [isTimeless, isFull] = [false, false];
  const isVersioned = rules.version !== 'observed';
  return {
    shown(rows) {
      isTimeless ||= incremental !== undefined && rows.some(({ time }) => time === undefined);
    },
    kept(cursor) {
      // Read only where it counts: it may be as large as an item.
      if (isVersioned || isFull) return;
      isFull = sightsIn(decodeCursor(cursor)).some(({ length }) => length >= SIGHTS_MAX);
    },
    complaint() {
      if (isVersioned || !(isTimeless || isFull)) return undefined;
      const what = isTimeless
        ? `deletes hold no readable time at \`${incremental?.path.join('.')}\``
        : `${SIGHTS_MAX} deletes and more lie where the feed is read again`;
      const remedy = isTimeless ? '' : ', ask for less at once (incremental.format, horizonSec)';
      return `source.deletes: ${what}, ${HARM}: name source.deletes.version${remedy}`;
    },
  };
}
