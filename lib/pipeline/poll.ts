/**
 * Reads a source from where it was left and brings every change into the stream.
 *
 * The order of steps is the promise: publish, confirm, quarantine, and only then save. A crash
 * between any two leaves the cursor where it was, so the worst is a second copy of an event.
 */
import { Defect } from '#core/assert';
import { decodeCursor, encodeCursor } from '#core/source/cursor-text';
import { pageRequest } from '#core/source/page-query';
import type { PageSource } from '#ports/page-source';
import type { PollEnd } from '#ports/poll-state';
import type { Backpressure } from './backpressure.ts';
import { beginAgain, outOfTime } from './begin-again.ts';
import { pageAhead } from './page-ahead.ts';
import type { PageAhead } from './page-ahead.ts';
import { pollFeeds } from './poll-deletes.ts';
import { detailOf, failureOf, pollEnd } from './poll-end.ts';
import { leaseKeeper } from './poll-lease.ts';
import type { PollOptions, PollOutcome, PollTally, PollWorld } from './poll-options.ts';
import { pollGate } from './poll-gate.ts';
import {
  heedfulSource,
  leaveOff,
  leftMs,
  PAGE_MS_MIN,
  pageTimeoutMs,
  pauseOrFail,
  waitOrPark,
} from './poll-waits.ts';
import type { QuietScope } from './poll-waits.ts';
import { withoutOldWay } from './paging-way.ts';
import { pageReader } from './read-page.ts';
import type { Progress } from './read-page.ts';
import { goesOn, placeToAsk, runAsk } from './run-ask.ts';
import { snapshotRun } from './snapshot-run.ts';
import { quietKeeper, sourceQuiet } from './source-quiet.ts';
import { tokenKeys } from './token-keys.ts';

/** A page beyond this is not held beside the next: a function's memory has room for one such. */
const PAGE_AHEAD_CHARS_MAX = 4 * 1024 * 1024;

/** How often a run is read within one poll when rows move while it is. */
const PASSES_MAX = 3;

const ROWS_MOVED =
  'more records moved between two pages than source.pagination.overlap, so some may have been passed over: ' +
  'they are read again from the last boundary';

export type PollResult = PollOutcome & PollTally;

/** Run one poll to its end. Only a defect of ours is thrown. */
export async function poll(options: PollOptions, world: PollWorld): Promise<PollResult> {
  const { pipeline } = options;
  const startedMs = world.clock.nowMs();
  const progress: Progress = {
    pages: 0,
    records: 0,
    published: 0,
    skipped: 0,
    filtered: 0,
    refused: 0,
    failures: undefined,
    boundaryMs: undefined,
    boundary: undefined,
    sourceMs: undefined,
    sent: { accepted: 0, confirmed: 0, returned: 0 },
  };
  const outcome = await settled(() => pollUnderLease(options, world, progress));
  const { boundary, boundaryMs, sourceMs, failures, sent, ...tally } = progress;
  world.report({
    event: 'PollEnded',
    pipeline,
    outcome: outcome.kind,
    detail: detailOf(outcome),
    pages: tally.pages,
    records: tally.records,
    published: tally.published,
    refused: tally.refused,
    ...sent,
    durationMs: world.clock.nowMs() - startedMs,
    ...(boundary === undefined ? {} : { boundary }),
    ...(failures ? { failures } : {}),
    ...(boundaryMs === undefined || sourceMs === undefined
      ? {}
      : { behindMs: Math.max(0, sourceMs - boundaryMs) }),
  });
  return { ...outcome, ...tally };
}

async function settled(attempt: () => Promise<PollOutcome>): Promise<PollOutcome> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof Defect) throw error;
    return failureOf(error);
  }
}

async function pollUnderLease(
  options: PollOptions,
  world: PollWorld,
  progress: Progress,
): Promise<PollOutcome> {
  const { pipeline, leaseMs } = options;
  const { states: store, clock } = world;
  const taken = await store.acquire({ pipeline, nowMs: clock.nowMs(), leaseMs });
  if (taken.kind === 'held') return { kind: 'lease-held', untilMs: taken.untilMs };
  if (taken.kind === 'paused') return { kind: 'paused', ...taken.pause };
  const { lease, state, failing } = taken;
  progress.failures = failing?.count;
  const endOf = (outcome: PollOutcome) => {
    const { everyMs } = options;
    const [atMs, roll] = [clock.nowMs(), world.chance()];
    const ended = pollEnd(outcome, { pages: progress.pages, atMs, failing, everyMs, roll });
    progress.failures = ended.succeeded ? 0 : (ended.failing?.count ?? failing?.count);
    return ended;
  };
  const backpressure = pollGate(options, state.sent, world);
  const sent = () => backpressure?.text();
  const quiet = sourceQuiet(clock);
  const keeper = quietKeeper(leaseKeeper({ lease, state, leaseMs }, { store, clock, sent }), quiet);
  let end: PollEnd | undefined;
  try {
    if (state.notBeforeMs > clock.nowMs()) {
      return { kind: 'parked', notBeforeMs: state.notBeforeMs };
    }
    if (failing !== undefined && failing.retryAtMs > clock.nowMs() && !world.isByHand) {
      return { kind: 'parked', notBeforeMs: failing.retryAtMs };
    }
    const cursor = withoutOldWay(decodeCursor(state.cursor), options, world);
    const writer = backpressure?.watch(world.writer) ?? world.writer;
    const watched = { ...world, writer };
    const { epoch } = lease;
    let counter = 0;
    const { count = () => ++counter } = world;
    const counting = { options, world, epoch, count };
    const snapshot = options.snapshot ? snapshotRun(counting) : tokenKeys(counting);
    const scope = { options, world: watched, progress, keeper, epoch, cursor, count, snapshot };
    const outcome = await pollFeeds(scope, (feed) => pollPages({ ...feed, quiet, backpressure }));
    end = endOf(outcome);
    return outcome;
  } catch (error) {
    end = endOf(failureOf(error));
    throw error;
  } finally {
    // A lease that is not given back runs out by itself.
    await keeper.release(end).catch(() => undefined);
  }
}

type WatchedScope = QuietScope & { readonly backpressure: Backpressure | undefined };

async function pollPages(scope: WatchedScope): Promise<PollOutcome> {
  const source = heedfulSource(scope);
  const ahead = pageAhead(source);
  try {
    return await pollPagesWith(source, ahead, scope);
  } finally {
    ahead.close();
  }
}

async function pollPagesWith(
  heedful: PageSource,
  ahead: PageAhead,
  scope: WatchedScope,
): Promise<PollOutcome> {
  const { options, world, progress, keeper, backpressure, snapshot, quiet } = scope;
  const { pipeline, source } = options;
  const reader = pageReader(scope);
  let again = beginAgain(scope);
  let cursor = (await snapshot?.resume(scope.cursor)) ?? scope.cursor;
  let inARow = { refusals: 0, failures: 0 };
  let passes = 0;
  const nowMs = options.untilMs ?? world.clock.nowMs();

  for (;;) {
    const isOver = progress.pages > 0 && leftMs(world) < PAGE_MS_MIN;
    if (isOver || world.signal?.aborted) return outOfTime(cursor);
    const held = await backpressure?.ask();
    if (held !== undefined) return held;
    if (!(await keeper.ensure(pageTimeoutMs(scope) + options.putTimeoutMs))) {
      return { kind: 'lease-lost' };
    }

    const from = cursor;
    const asked = runAsk(cursor, source, nowMs);
    const requestOf = (token: string | undefined) => ({
      ...pageRequest(source, asked.query, token),
      timeoutMs: pageTimeoutMs(scope),
    });
    const place = placeToAsk(cursor, source);
    const unless = await snapshot?.unlessOf(cursor);
    const answer = await (ahead.take(place) ??
      heedful.fetchPage({ ...requestOf(place), ...(unless && { unless }) }));
    switch (answer.kind) {
      case 'unchanged':
        return { kind: 'caught-up' };
      case 'page': {
        inARow = { refusals: 0, failures: 0 };
        const step = await reader.read(answer, { ...asked, cursor }, (next) => {
          if (
            quiet.leftMs() === 0 &&
            (answer.chars ?? 0) <= PAGE_AHEAD_CHARS_MAX &&
            leftMs(world) >= PAGE_MS_MIN
          ) {
            ahead.begin(next, requestOf(next));
          }
        });
        if (step.kind !== 'saved') return step;
        cursor = step.cursor;
        if (cursor.run === null && scope.isOneRun) return { kind: 'caught-up' };
        const isWhole = cursor.run === null && !step.isBroken;
        const moved = { from, to: cursor };
        if (isWhole && !goesOn(asked, moved, { source, progress, nowMs })) {
          return { kind: 'caught-up' };
        }
        if (isWhole) {
          again = beginAgain(scope);
          passes = 0;
        }
        if (isWhole || cursor.run !== null) break;
        if (++passes === PASSES_MAX) return { kind: 'failed', detail: ROWS_MOVED };
        world.report({ event: 'RunRestarted', pipeline, detail: ROWS_MOVED });
        break;
      }
      case 'spent':
        return leaveOff(answer, cursor, scope);
      case 'wait': {
        const refusals = ++inARow.refusals;
        const end = await waitOrPark(answer, { refusals, cursor, scope });
        if (end) return end;
        break;
      }
      case 'unavailable': {
        const end = await pauseOrFail(answer.detail, ++inARow.failures, scope);
        if (end) return end;
        break;
      }
      case 'refused': {
        const next = again(answer, cursor);
        if ('kind' in next) return next;
        cursor = next;
        if (!scope.isOneRun) break;
        const isSaved = await keeper.save({ cursor: encodeCursor(cursor), notBeforeMs: 0 });
        return { kind: isSaved ? 'caught-up' : 'lease-lost' };
      }
    }
  }
}
