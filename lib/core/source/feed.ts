/**
 * A source that answers a token: whoever shows it is told what changed since.
 *
 * Always true of a saved token: whatever the source told up to it has been published or refused.
 * It moves only with a page that was published, and an answer without one leaves it in place.
 */
import type { Cursor } from './cursor.ts';
import type { Mark } from './pagination.ts';

export interface Feed {
  /** Takes the token. */
  readonly param: string;
  readonly next: Mark;
  /** What a full read is asked with; undefined: nothing. */
  readonly first: string | undefined;
  /** Statuses by which the source says that a token is too old. */
  readonly expired: readonly number[];
}

/** The token was too old: everything is read anew. @param atMs the moment, by our clock. */
export function startResync(cursor: Cursor, atMs: number): Cursor {
  const { token: _tooOld, ...rest } = cursor;
  return { ...rest, run: null, resync: { atMs } };
}

/** The last page of a run was published. */
export function endFeedRun(cursor: Cursor): Cursor {
  const { resync: _done, ...rest } = cursor;
  return { ...rest, run: null };
}
