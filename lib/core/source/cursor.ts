/**
 * Where a poller stands in its source, as a state machine without a clock.
 *
 * Always true: every row that a source of this kind showed with a time before `boundary` has been
 * published, refused or left out. The boundary moves only when a run ends, and never past the
 * run's start (by the source's clock) less the horizon, so that neither a row dated in the future
 * nor one that becomes visible late can fall behind it. It lies at a tick of what the source can be
 * asked, and every row that is read again from there is remembered. A crash between publishing and saving
 * leaves an older cursor: rows are published twice, never skipped.
 */
import { assert } from '#core/assert';
import { timestampOfMs } from '#core/record/timestamp';
import type { Timestamp } from '#core/record/timestamp';
import { askedFrom, tickOf } from './bound.ts';
import type { BoundRules } from './bound.ts';
import type { Overlap } from './overlap.ts';
import { rememberSight, SIGHTS_MAX } from './sight.ts';
import type { Sight } from './sight.ts';
import type { SnapshotSoFar, SnapshotStanding } from './snapshot-cursor.ts';
import { watchFrom, watchNext } from './token-watch.ts';
import type { TokenWatch } from './token-watch.ts';

/** The pages that follow from one first request. */
export interface Run {
  /** Where to go on: a page token, an offset or a number as text, a record's value, or a place. */
  readonly token: string;
  readonly watch: TokenWatch;
  /** What the first request asked for, beyond what the pipeline file fixes. */
  readonly query: Readonly<Record<string, string>>;
  /** The source's clock when the first request was sent. */
  readonly startedAtMs: number;
  readonly rows: RowsSeen;
  /** How many pages in a row, up to the latest, held no row; absent where that held some. */
  readonly emptyPages?: number;
  /** Of a source that is read by offset with an overlap. */
  readonly overlap?: Overlap;
  /** Where the time that the run asks for ends; absent where it has no end. */
  readonly to?: Timestamp;
  /** Stands for the paging that gives the token its meaning; absent in what an earlier Penstock left. */
  readonly way?: string;
  /** Of a source that is read as a whole. */
  readonly snapshot?: SnapshotSoFar;
}

/** What a run has seen so far, as far as its end will ask for it. */
export interface RowsSeen {
  readonly count: number;
  /** The newest tick. */
  readonly maxSeen: Timestamp | null;
  /** Times have not gone down so far: the source is in order, as it was said to be. */
  readonly sorted: boolean;
  /** Rows at `maxSeen`, while that lies before the clamp. */
  readonly ties: readonly Sight[];
  /** Rows before `maxSeen` that a bound for it asks for too: with an exclusive bound only. */
  readonly before?: readonly Sight[];
  /** Rows that a bound for the clamp asks for: the next run will see them again. */
  readonly window: readonly Sight[];
}

export interface Cursor {
  /** Inclusive: rows at it are read again. Null before the first run has ended. */
  readonly boundary: Timestamp | null;
  /** What was published at or after the boundary. */
  readonly seen: readonly Sight[];
  /** A run that has pages left; null between runs. */
  readonly run: Run | null;
  /** What a source that is read by tokens answered last; absent before the first, and of any other source. */
  readonly token?: string;
  /** Such a token was too old: a full read is under way, since this moment by our clock. */
  readonly resync?: { readonly atMs: number };
  /** Of a source that is read as a whole: there the boundary says when it last was. */
  readonly snapshot?: SnapshotStanding;
  /** Runs in a row that were given up with the boundary where it was; absent where the latest was not. */
  readonly stranded?: number;
  /** How far the source's clock was ahead of ours when the latest run began; absent before the first. */
  readonly aheadMs?: number;
}

export const FRESH_CURSOR: Cursor = { boundary: null, seen: [], run: null };

export const NO_ROWS: RowsSeen = { count: 0, maxSeen: null, sorted: true, ties: [], window: [] };

/** A row as the cursor sees it. */
export interface SeenRow {
  /** Undefined where the row has no readable time: it is published, and moves nothing. */
  readonly time: Timestamp | undefined;
  /** Undefined for a row that the pipeline leaves out: there is nothing to remember. */
  readonly sight: Sight | undefined;
}

export interface Settling extends BoundRules {
  readonly horizonMs: number;
  /** Rows come in the order of their times. */
  readonly ordered: boolean;
}

/** The latest boundary a run may leave behind: where its span ends, or what the horizon allows. */
export function clampOf(startedAtMs: number, settling: Settling, to?: Timestamp): Timestamp {
  const settled = tickOf(timestampOfMs(Math.max(0, startedAtMs - settling.horizonMs)), settling);
  return to !== undefined && to < settled ? tickOf(to, settling) : settled;
}

/** Take the rows of one page of a run that started at `startedAtMs` into account. */
export function applyRows(
  seen: RowsSeen,
  rows: readonly SeenRow[],
  run: { readonly startedAtMs: number; readonly settling: Settling; readonly to?: Timestamp },
): RowsSeen {
  const { settling } = run;
  const clamp = clampOf(run.startedAtMs, settling, run.to);
  const windowFrom = askedFrom(clamp, settling);
  let { maxSeen, sorted } = seen;
  let ties = [...seen.ties];
  let before = [...(seen.before ?? [])];
  const window = [...seen.window];
  let latest = maxSeen;
  let tiesFrom = maxSeen && askedFrom(maxSeen, settling);
  for (const row of rows) {
    if (row.time === undefined) continue;
    const time = tickOf(row.time, settling);
    if (latest !== null && time < latest) sorted = false;
    latest = time;
    if (maxSeen === null || tiesFrom === null || time > maxSeen) {
      tiesFrom = askedFrom(time, settling);
      before = maxSeen !== null && maxSeen >= tiesFrom && time < clamp ? ties : [];
      ties = [];
      maxSeen = time;
    }
    if (row.sight === undefined) continue;
    if (time >= windowFrom) rememberSight(window, row.sight);
    if (maxSeen >= clamp || time < tiesFrom) continue;
    rememberSight(time === maxSeen ? ties : before, row.sight);
  }
  const known = { count: seen.count + rows.length, maxSeen, sorted, ties, window };
  before = before.slice(Math.max(0, before.length + ties.length - SIGHTS_MAX));
  return before.length > 0 ? { ...known, before } : known;
}

export interface PageEnd {
  readonly query: Readonly<Record<string, string>>;
  readonly startedAtMs: number;
  readonly rows: RowsSeen;
  readonly overlap?: Overlap;
  readonly to?: Timestamp;
  readonly way?: string;
  readonly snapshot?: SnapshotSoFar;
}

/** Follow the run's tokens to the next; undefined when it leads back to where the run has been. */
export function followToken({ run }: Cursor, token: string): TokenWatch | undefined {
  if (run === null) return watchFrom(token);
  return run.token === token ? undefined : watchNext(run.watch, token);
}

/** A page was published and named another: the run goes on there. */
export function continueRun(
  cursor: Cursor,
  next: { readonly token: string; readonly watch: TokenWatch },
  page: PageEnd,
): Cursor {
  const run = { ...next, ...page };
  if (page.rows.count > (cursor.run?.rows.count ?? 0)) return { ...cursor, run };
  return { ...cursor, run: { ...run, emptyPages: (cursor.run?.emptyPages ?? 0) + 1 } };
}

/**
 * The last page was published: the boundary moves as far as it may, or not at all if rows moved.
 * A span with an end is read out, whatever its newest row is: the next one begins there.
 */
export function endRun(cursor: Cursor, page: PageEnd, settling: Settling): Cursor {
  if (page.overlap?.isBroken === true) return { ...cursor, run: null };
  const { startedAtMs, rows, to } = page;
  // Rows came, but none with a time: nothing tells how far the source has been read, but for an end.
  if (to === undefined && rows.count > 0 && rows.maxSeen === null) return { ...cursor, run: null };
  const clamp = clampOf(startedAtMs, settling, to);
  const reached = to === undefined ? reachedBy(rows, clamp) : clamp;
  return { ...settle(cursor, rows, { clamp, reached }), run: null };
}

/**
 * Give up a run whose token is no longer accepted. In a source that is in order, whatever lies
 * before the newest row seen has been seen, so the next run need not begin where this one did.
 */
export function abandonRun(cursor: Cursor, settling: Settling): Cursor {
  const { run, stranded = 0, ...standing } = cursor;
  assert(run !== null, 'only a run in progress is abandoned');
  const stays = { ...standing, run: null, stranded: stranded + 1 };
  const inOrder = settling.ordered && run.rows.sorted && run.rows.maxSeen !== null;
  if (!inOrder || run.overlap?.isBroken === true) return stays;
  const clamp = clampOf(run.startedAtMs, settling, run.to);
  const reached = reachedBy(run.rows, clamp);
  const settled = settle({ ...standing, run: null }, run.rows, { clamp, reached });
  return settled.boundary === cursor.boundary ? { ...settled, stranded: stays.stranded } : settled;
}

function reachedBy({ maxSeen }: RowsSeen, clamp: Timestamp): Timestamp {
  return maxSeen !== null && maxSeen < clamp ? maxSeen : clamp;
}

function settle(
  cursor: Cursor,
  rows: RowsSeen,
  { clamp, reached }: { readonly clamp: Timestamp; readonly reached: Timestamp },
): Cursor {
  const boundary =
    cursor.boundary !== null && cursor.boundary > reached ? cursor.boundary : reached;
  const { before = [], ties, window } = rows;
  const seen = reached < clamp ? [...before, ...ties] : [...window];
  return { ...cursor, boundary, seen };
}
