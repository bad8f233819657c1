/**
 * A source that answers a token: whoever shows it is told what changed since.
 *
 * Always true of a saved token: whatever the source told up to it has been published or refused.
 * It moves only with a page that was published, and an answer without one leaves it in place.
 */
import type { Path } from '#core/record/path';
import type { KindRule } from './body-error.ts';
import type { Cursor } from './cursor.ts';
import type { Mark } from './pagination.ts';

export type Feed = TokenFeed | LinkFeed;

interface OfFeed {
  readonly expired: ExpiryRule;
}

/** How a source says that a token is too old. */
export interface ExpiryRule {
  readonly status: readonly number[];
  /** Which answers of these statuses: those with one of `values` at `path`; undefined: all. */
  readonly onlyIf?: KindRule | undefined;
}

interface TokenFeed extends OfFeed {
  /** Takes the token. */
  readonly param: string;
  readonly next: Mark;
  /** What a full read is asked with; undefined: nothing. */
  readonly first: string | undefined;
}

/** The token is a place: path and query of the link that `next` holds. */
interface LinkFeed extends OfFeed {
  readonly param: undefined;
  readonly next: Path;
  readonly first?: undefined;
}

/** Whether an answer's status, and the kind of error that it names, say so. */
export function isExpired(
  { status, onlyIf }: ExpiryRule,
  said: { readonly status?: number | undefined; readonly errorKind?: string | undefined },
): boolean {
  if (said.status === undefined || !status.includes(said.status)) return false;
  return (
    onlyIf === undefined || (said.errorKind !== undefined && onlyIf.values.includes(said.errorKind))
  );
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
