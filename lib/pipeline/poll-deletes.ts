/**
 * A second feed, each row of which is a delete.
 *
 * It is read to its end before the feed of records is asked at all. A key that was deleted and created
 * again is in both: seen in this order, its delete comes first, and the record that came after it stands.
 *
 * The key may be deleted and created again after the one feed was read, and before the other: then the new
 * record is published first, and a delete without a version takes it away. So the feed of records forgets
 * what it published of a deleted key, and publishes it once more when it reads it again: that it does for
 * as long as its horizon before the deletes were read.
 */
import { assert } from '#core/assert';
import type { Cursor } from '#core/source/cursor';
import { decodeCursor, encodeCursor } from '#core/source/cursor-text';
import { forgetKeys } from '#core/source/forget-keys';
import { sightSet } from '#core/source/sight';
import type { Sight } from '#core/source/sight';
import type { PageSource } from '#ports/page-source';
import { forgottenDeletes } from './forgotten-deletes.ts';
import { withoutOldWay } from './paging-way.ts';
import { failed } from './poll-end.ts';
import type { PollOutcome } from './poll-options.ts';
import { sightsIn } from './read-page.ts';
import type { PollScope } from './read-page.ts';

type PollPages = (scope: PollScope) => Promise<PollOutcome>;

/**
 * Read all feeds of a source to their ends. A run of records that is in the middle is ended first: what it
 * has yet to show may be older than what the deletes say.
 *
 * @param pollPages reads one feed's pages until there are no more.
 */
export async function pollFeeds(scope: PollScope, pollPages: PollPages): Promise<PollOutcome> {
  if (scope.options.deletes === undefined) return pollPages(scope);
  const ended = await endRun(scope, pollPages);
  if (ended.outcome.kind !== 'caught-up') return ended.outcome;
  const read = await pollDeletes({ ...scope, cursor: ended.cursor }, pollPages);
  if (read.outcome.kind !== 'caught-up') return read.outcome;
  const outcome = await pollPages({ ...scope, cursor: read.cursor, sourceMsMax: read.askedMs });
  return outcome.kind === 'caught-up' && read.complaint ? failed(read.complaint) : outcome;
}

async function endRun(scope: PollScope, pollPages: PollPages): Promise<RunEnded> {
  let { cursor } = scope;
  if (cursor.run === null) return { outcome: { kind: 'caught-up' }, cursor };
  const { keeper } = scope;
  const outcome = await pollPages({
    ...scope,
    isOneRun: true,
    keeper: {
      ...keeper,
      async save(state) {
        const isSaved = await keeper.save(state);
        if (isSaved && state.cursor !== undefined) cursor = decodeCursor(state.cursor);
        return isSaved;
      },
    },
  });
  return { outcome, cursor };
}

interface RunEnded {
  readonly outcome: PollOutcome;
  /** Of the feed of records. */
  readonly cursor: Cursor;
}

interface FeedRead extends RunEnded {
  /** The source's clock when the feed was first asked: whatever was deleted since may not have been seen. */
  readonly askedMs: number;
  /** What somebody should hear of it, though all of it is published. */
  readonly complaint?: string | undefined;
}

/** @param scope of the feed of records; it forgets what is to be published again. */
async function pollDeletes(scope: PollScope, pollPages: PollPages): Promise<FeedRead> {
  const { options, world, keeper, progress, epoch } = scope;
  const { deletes: told, ...others } = options;
  const { deletes: feed } = world;
  let { cursor } = scope;
  assert(told !== undefined && feed !== undefined, 'a feed that is named has a source');
  const lease = { pipeline: options.pipeline, epoch };
  const opened = await feed.states.open(lease);
  if (opened === 'lease-lost') {
    return { outcome: { kind: 'lease-lost' }, cursor, askedMs: Infinity };
  }

  let deleted: readonly Sight[] = [];
  const ofFeed = { ...others, ...told, snapshot: undefined };
  const place = withoutOldWay(decodeCursor(opened.cursor), ofFeed, world);
  let askedMs = place.run?.startedAtMs ?? Infinity;
  const source: PageSource = {
    async fetchPage(request) {
      const answer = await feed.source.fetchPage(request);
      if (answer.kind === 'page') askedMs = Math.min(askedMs, answer.startedAtMs);
      return answer;
    },
  };
  const published = new Set(sightsIn(place).flat());
  const comesAgain = forgottenDeletes(told);
  try {
    const outcome = await pollPages({
      ...scope,
      options: ofFeed,
      world: { ...world, source },
      keeper: {
        ...keeper,
        /** A wait that the source asked for holds for both feeds. */
        async save(state) {
          cursor = forgetKeys(cursor, deleted);
          if (deleted.length > 0 || state.notBeforeMs > 0) {
            const { notBeforeMs } = state;
            if (!(await keeper.save({ cursor: encodeCursor(cursor), notBeforeMs }))) return false;
          }
          deleted = [];
          if (state.cursor !== undefined) comesAgain.kept(state.cursor);
          return state.cursor === undefined || feed.states.save(lease, state.cursor);
        },
      },
      cursor: place,
      sights: sightSet,
      onRows(rows) {
        comesAgain.shown(rows);
        const sights = rows.flatMap(({ sight }) => sight ?? []);
        deleted = sights.filter((sight) => !published.has(sight));
      },
    });
    const isFailed = outcome.kind === 'failed';
    const told = isFailed ? { ...outcome, detail: `source.deletes: ${outcome.detail}` } : outcome;
    return { outcome: told, cursor, askedMs, complaint: comesAgain.complaint() };
  } finally {
    // What is said of a poll's boundary is said of the records.
    Object.assign(progress, { boundary: undefined, boundaryMs: undefined, sourceMs: undefined });
  }
}
