/** Takes one answer of the source after another: into the stream, then into the saved cursor. */
import { timestampMs } from '#core/record/timestamp';
import type { Timestamp } from '#core/record/timestamp';
import { applyRows, continueRun, endRun, NO_ROWS } from '#core/source/cursor';
import type { Cursor, SeenRow, Settling } from '#core/source/cursor';
import { encodeCursor } from '#core/source/cursor-text';
import { endFeedRun } from '#core/source/feed';
import { sightMemory, SIGHTS_MAX } from '#core/source/sight';
import type { Sight } from '#core/source/sight';
import type { PageAnswer } from '#ports/page-source';
import { textEncoding } from './encode-texts.ts';
import type { LeaseKeeper } from './poll-lease.ts';
import type { PollOptions, PollOutcome, PollTally, PollWorld } from './poll-options.ts';
import { complaintAfter } from './complaint-after.ts';
import { lookAtPage } from './look-at-page.ts';
import { pagingWay } from './paging-way.ts';
import { failed } from './poll-end.ts';
import { quarantinePage, sortPage } from './poll-page.ts';
import { repeatWatch } from './repeat-watch.ts';
import type { RunAsk } from './run-ask.ts';
import { pageSender } from './send-page.ts';
import type { SnapshotRun } from './snapshot-run.ts';

/** Without an incremental field there is no boundary to protect. */
export const NO_HORIZON: Settling = {
  horizonMs: 0,
  ordered: false,
  paramFormat: 'iso',
  inclusive: true,
};

/** How far a poll has come; grows as it goes. */
export type Progress = { -readonly [name in keyof PollTally]: number } & {
  boundary: string | undefined;
  boundaryMs: number | undefined;
  /** Polls in a row that have failed, this one with them; undefined before the lease is taken. */
  failures: number | undefined;
  /** The source's clock at the latest answer. */
  sourceMs: number | undefined;
  /** Of every page, those that were not published to their end too. */
  readonly sent: { accepted: number; confirmed: number; returned: number };
};

export interface PollScope {
  readonly options: PollOptions;
  readonly world: PollWorld;
  readonly progress: Progress;
  readonly keeper: LeaseKeeper;
  readonly epoch: number;
  readonly cursor: Cursor;
  /** Numbers the records seen under the lease. */
  readonly count: () => number;
  /** Of a source whose keys are kept. */
  readonly snapshot: SnapshotRun | undefined;
  /** What is known already of a feed's rows; unless given, the newest content of each key. */
  readonly sights?: typeof sightMemory;
  /** No other run follows the one in progress, however that ends. */
  readonly isOneRun?: boolean;
  /** No later than then, by the source's clock, a run counts as begun. */
  readonly sourceMsMax?: number;
  /** Is told of each page's rows, before it is published. */
  readonly onRows?: (rows: readonly SeenRow[]) => void;
}

export type PageStep =
  /** `isBroken`: the run has come to its end, but rows moved while it read them. */
  { readonly kind: 'saved'; readonly cursor: Cursor; readonly isBroken: boolean } | PollOutcome;

export interface PageReader {
  /** @param onNext is told the next page's token, if there is one, before this page is published. */
  read(
    answer: Extract<PageAnswer, { kind: 'page' }>,
    ask: RunAsk & { readonly cursor: Cursor },
    onNext: (token: string) => void,
  ): Promise<PageStep>;
}

/** Make the reader of one poll's answers: what it knows of earlier pages, it keeps. */
export function pageReader({
  options,
  world,
  progress,
  keeper,
  epoch,
  cursor,
  count,
  snapshot,
  sights = sightMemory,
  sourceMsMax = Infinity,
  onRows,
}: PollScope): PageReader {
  const { clock, report } = world;
  const { feed, incremental: settling = NO_HORIZON } = options.source;
  const tokens = new Set<string>();
  const texts = textEncoding();
  let isRepeated = repeatWatch(world.digest);
  const way = pagingWay(options, world.digest);
  const send = pageSender({ options, world, progress, keeper });
  let memory = sights(...sightsIn(cursor));
  let isFirst = true;
  // A backfill knows by our clock what is over. A first poll knows of no other clock than ours.
  const aheadMsMax = options.untilMs === undefined ? (cursor.aheadMs ?? 0) : Infinity;

  return {
    async read(given, { cursor: before, ...asked }, onNext) {
      const pageStartedMs = clock.nowMs();
      const { answer, aheadMs } =
        settling === NO_HORIZON
          ? { answer: given }
          : believed(given, before.run, { aheadMsMax, nowMs: pageStartedMs });
      // A run that begins, or begins again, may be given what an earlier one was.
      if (before.run === null) {
        tokens.clear();
        isRepeated = repeatWatch(world.digest);
      }
      // A full read is to show its rows once more, whatever was published before it began.
      if (before.run === null && before.resync) memory = sights(...sightsIn(before));
      const look = lookAtPage(answer, before, { options, tokens, digest: world.digest });
      if (look.kind !== 'readable') return look;
      const { records, next, overlap, token } = look;
      if (next) onNext(next.token);

      if (memory.size() > 4 * SIGHTS_MAX) memory = sights(...sightsIn(before));
      texts.reuse();
      await snapshot?.begin(before);
      const { bytesOf = () => undefined, startedAtMs: sourceMs } = answer;
      const context = { epoch, sourceMs, count, memory, snapshot, texts, bytesOf };
      const page = sortPage(records, options, world, context);
      if (next && isRepeated(page, records)) {
        return failed(
          `the source answered the same page (records: ${records.length}) at one place after another: ` +
            'it is paged in another way than source.pagination says',
        );
      }
      onRows?.(page.rows);
      const isNews = page.outgoing.length > 0;
      const fault = await snapshot?.announce({ isLast: next === undefined, isNews });
      if (fault !== undefined) return failed(fault);
      const result = await send(page);
      if (result.kind !== 'published') return result;
      await quarantinePage(page, options, world);
      const isBroken = !next && overlap?.isBroken === true;
      const end = next ? 'more' : isBroken ? 'broken' : 'complete';
      const kept = await snapshot?.keep({ before, answer, end, send });
      if (kept !== undefined && kept.kind !== 'kept') return kept;

      const startedAtMs = before.run?.startedAtMs ?? Math.min(answer.startedAtMs, sourceMsMax);
      const rows = applyRows(before.run?.rows ?? NO_ROWS, page.rows, {
        startedAtMs,
        settling,
        ...asked,
      });
      const { stranded, ...standing } = before;
      // A token that lived until this poll is no dead end, and a run that ends is none either.
      const isStranded = stranded !== undefined && next && !(isFirst && before.run !== null);
      isFirst = false;
      const known = {
        ...standing,
        ...(isStranded && { stranded }),
        seen: before.seen.filter((sight) => memory.isLatest(sight)),
      };
      const pageEnd = {
        ...asked,
        startedAtMs,
        rows,
        way,
        ...(overlap && { overlap }),
        ...kept?.ofRun,
      };
      const ended = () => (feed ? endFeedRun(known) : endRun(known, pageEnd, settling));
      const moved = next ? continueRun(known, next, pageEnd) : ended();
      const after = {
        ...moved,
        ...(token === undefined ? {} : { token }),
        ...(aheadMs === undefined ? {} : { aheadMs }),
        ...kept?.place,
      };
      const { notBeforeMs = 0 } = answer;
      if (!(await keeper.save({ cursor: encodeCursor(after), notBeforeMs }))) {
        return { kind: 'lease-lost' };
      }
      await kept?.saved();
      if (next) tokens.add(next.token);

      const counts = {
        records: records.length,
        published: page.outgoing.length,
        skipped: page.skipped,
        filtered: page.filtered,
        refused: page.refused.length,
      };
      addPage(progress, counts, { boundary: after.boundary, sourceMs: answer.startedAtMs });
      report({
        event: 'PagePublished',
        pipeline: options.pipeline,
        ...counts,
        publishedBytes: page.outgoing.reduce((sum, { bytes }) => sum + bytes, 0),
        requests: result.requests,
        resent: result.resent,
        durationMs: clock.nowMs() - pageStartedMs,
      });
      if (before.resync && !after.resync) {
        const durationMs = clock.nowMs() - before.resync.atMs;
        report({ event: 'ResyncEnded', pipeline: options.pipeline, durationMs });
      }
      const complaint = kept?.complaint ?? complaintAfter(after, { ...asked, rows }, options);
      if (complaint !== undefined) return failed(complaint);
      return { kind: 'saved', cursor: after, isBroken };
    },
  };
}

/**
 * What is believed of when a run began. A clock that is further ahead of ours than it was at the last poll may be
 * wrong for once, and a boundary never moves back: it is believed when it says so again.
 */
function believed(
  answer: Extract<PageAnswer, { kind: 'page' }>,
  run: Cursor['run'],
  { aheadMsMax, nowMs }: { readonly aheadMsMax: number; readonly nowMs: number },
): { readonly answer: typeof answer; readonly aheadMs?: number } {
  if (run !== null) return { answer };
  const aheadMs = answer.startedAtMs - nowMs;
  return { answer: { ...answer, startedAtMs: nowMs + Math.min(aheadMs, aheadMsMax) }, aheadMs };
}

function addPage(
  progress: Progress,
  counts: Omit<PollTally, 'pages'>,
  place: { boundary: Timestamp | null; sourceMs: number },
): void {
  progress.pages++;
  progress.records += counts.records;
  progress.published += counts.published;
  progress.skipped += counts.skipped;
  progress.filtered += counts.filtered;
  progress.refused += counts.refused;
  progress.sourceMs = place.sourceMs;
  progress.boundary = place.boundary ?? undefined;
  progress.boundaryMs = place.boundary === null ? undefined : timestampMs(place.boundary);
}

/** What a cursor remembers, from the oldest on. */
export function sightsIn({ seen, run }: Cursor): readonly (readonly Sight[])[] {
  const { before = [], ties, window } = run?.rows ?? NO_ROWS;
  return [seen, before, ties, window];
}
