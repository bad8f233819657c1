/**
 * Reads a source as a whole, time after time: what of it changed, and what is gone.
 *
 * Whatever is published is written down before, as a part of the next ledger, and the ledger in force
 * gives way only once all of it is confirmed. So a poll that dies at any step leaves behind what it may
 * have published: those keys are known, and published again whatever they hold.
 */
import { assert } from '#core/assert';
import { timestampOfMs } from '#core/record/timestamp';
import type { Cursor, PageEnd } from '#core/source/cursor';
import { emptyLedger, isSameLedger } from '#core/source/ledger';
import type { Ledger, LedgerName } from '#core/source/ledger';
import { ledgerFault } from '#core/source/ledger-bounds';
import { settleSnapshot } from '#core/source/settle-snapshot';
import type { SnapshotRules } from '#core/source/settle-snapshot';
import { partNames, withPart } from '#core/source/snapshot-cursor';
import type { Validators } from '#core/source/snapshot-cursor';
import type { PageAnswer } from '#ports/page-source';
import { deleteGone } from './delete-gone.ts';
import { ledgerWriter, resumeParts } from './ledger-parts.ts';
import { doubtNames, loadLedger } from './load-ledger.ts';
import type { PollOptions, PollOutcome, PollWorld } from './poll-options.ts';
import type { SendPage } from './send-page.ts';
import { knownAnswer, unlessOf } from './snapshot-asked.ts';
import { sweepLedgers } from './sweep-ledgers.ts';

/** Deletes of one run: they are sent within one poll, or sent again. */
export const REMOVED_MAX = 50_000;

/** A row as a snapshot knows it. */
export interface SnapshotRow {
  /** Undefined where it was refused before its key was read. */
  readonly key: string | undefined;
  readonly digest: string;
  /** Undefined where it is the key. */
  readonly partitionKey: string | undefined;
  /** It is published as a delete. */
  readonly isGone: boolean;
}

export interface PageKept {
  readonly kind: 'kept';
  /** What the cursor holds of the snapshot, beside what it holds of every source. */
  readonly place: Partial<Pick<Cursor, 'boundary' | 'snapshot'>>;
  readonly ofRun: Pick<PageEnd, 'snapshot'>;
  /** What somebody should hear once the cursor is saved. */
  readonly complaint: string | undefined;
  /** Tidies up once the cursor is saved. */
  readonly saved: () => Promise<void>;
}

export interface PublishedPage {
  readonly before: Cursor;
  readonly answer: Extract<PageAnswer, { kind: 'page' }>;
  /** Broken: it was the last, and rows moved while the run read them. */
  readonly end: 'more' | 'complete' | 'broken';
  readonly send: SendPage;
}

export interface AnnouncedPage {
  readonly isLast: boolean;
  /** Something of it is published. */
  readonly isNews: boolean;
}

export interface SnapshotRun {
  /** Goes on where the cursor's run was left, or begins anew where that is not to be had. */
  resume(cursor: Cursor): Promise<Cursor>;
  /** What the first request of a run is conditional on; undefined where it is to be answered in any case. */
  unlessOf(cursor: Cursor): Promise<Validators | undefined>;
  /** A page of that cursor's run has come: it knows then what its rows are held against. */
  begin(cursor: Cursor): Promise<void>;
  /**
   * Notes a row of the page; true where there is nothing of it to publish, undefined where what is
   * remembered of earlier pages tells.
   */
  isKnown(row: SnapshotRow): boolean | undefined;
  /** Writes the page down before it is published; a sentence where no ledger could hold the snapshot. */
  announce(page: AnnouncedPage): Promise<string | undefined>;
  /** The page is published: what the cursor is to hold, or what ends the poll instead. */
  keep(page: PublishedPage): Promise<PageKept | PollOutcome>;
}

export interface SnapshotScope {
  readonly options: PollOptions;
  readonly world: PollWorld;
  readonly epoch: number;
  /** Numbers the records seen under the lease. */
  readonly count: () => number;
}

export function snapshotRun({ options, world, epoch, count }: SnapshotScope): SnapshotRun {
  assert(world.ledgers !== undefined, 'a source that is read as a whole has ledgers');
  const { ledgers, digest, report } = world;
  const { pipeline } = options;
  const { nextName, write } = ledgerWriter(ledgers, epoch);
  let known: Ledger = emptyLedger();
  let isLoaded = false;
  let seen = emptyLedger();
  let page = emptyLedger();
  let changed = emptyLedger();
  let written: LedgerName | undefined;

  async function settle({ before, answer, send }: PublishedPage): Promise<PageKept | PollOutcome> {
    const settled = settleSnapshot({ known, seen }, rulesOf(options));
    const { gone, waiting, complaint } = settled;
    if (gone.size > 0) {
      await write(inDoubt(gone));
      const atMs = answer.startedAtMs;
      const stopped = await deleteGone(gone, { options, digest, epoch, count, send, atMs });
      if (stopped !== undefined) return stopped;
    }
    const standing = before.snapshot?.ledger;
    const isSame = standing !== undefined && isSameLedger(known, settled.ledger);
    const ledger = isSame ? standing : await write(settled.ledger);
    const unless =
      complaint === undefined && waiting === 0 ? unlessNext({ before, answer }) : undefined;
    const boundary = timestampOfMs(before.run?.startedAtMs ?? answer.startedAtMs);
    const keys = seen.rows.size;
    return {
      kind: 'kept',
      place: { boundary, snapshot: { ledger, ...(unless && { unless }) } },
      ofRun: {},
      complaint,
      async saved() {
        report({ event: 'SnapshotSettled', pipeline, keys, removed: gone.size, waiting });
        await sweepLedgers(ledgers, { epoch, ledger });
      },
    };
  }

  const unlessNext = ({ before, answer }: Pick<PublishedPage, 'before' | 'answer'>) =>
    before.run === null ? knownAnswer(answer, options, digest) : before.run.snapshot?.unless;

  return {
    resume: (cursor) =>
      resumeParts(cursor, seen, {
        ledgers,
        pipeline,
        report,
        what: 'the snapshot that was being read',
      }),

    async unlessOf(cursor) {
      const unless = unlessOf(cursor, options, digest);
      if (unless === undefined) return undefined;
      const doubts = await doubtNames(ledgers, cursor.snapshot?.ledger, []);
      return doubts.length === 0 ? unless : undefined;
    },

    async begin({ run, snapshot: standing = {} }) {
      if (run === null) seen = emptyLedger();
      [page, changed] = [emptyLedger(), emptyLedger()];
      if (run !== null && isLoaded) return;
      const parts = partNames(run?.snapshot?.parts ?? []);
      known = await loadLedger(ledgers, { pipeline, standing, parts, nextName });
      isLoaded = true;
    },

    isKnown({ key, digest: content, partitionKey }) {
      if (key === undefined) {
        const isKnown = seen.refused.has(content) || known.refused.has(content);
        seen.refused.add(content);
        page.refused.add(content);
        return isKnown;
      }
      const latest = seen.rows.get(key) ?? known.rows.get(key);
      const row =
        partitionKey === undefined ? { digest: content } : { digest: content, partitionKey };
      seen.rows.set(key, row);
      page.rows.set(key, row);
      if (latest?.digest === content) return true;
      changed.rows.set(key, row);
      return false;
    },

    async announce({ isLast }) {
      const fault = ledgerFault(seen);
      if (fault !== undefined) return fault;
      if (!isLast) written = await write(page);
      else if (changed.rows.size > 0) await write(changed);
      return undefined;
    },

    async keep(ended) {
      if (ended.end === 'complete') return settle(ended);
      const kept = { kind: 'kept', place: {}, complaint: undefined, saved: NOTHING } as const;
      if (ended.end === 'broken') return { ...kept, ofRun: {} };
      assert(written !== undefined, 'a page is written down before it is published');
      const parts = withPart(ended.before.run?.snapshot?.parts ?? [], written);
      const unless = unlessNext(ended);
      return { ...kept, ofRun: { snapshot: { parts, ...(unless && { unless }) } } };
    },
  };
}

const NOTHING = async () => undefined;

function rulesOf({ snapshot, source }: PollOptions): SnapshotRules {
  assert(snapshot !== undefined, 'a source that is read as a whole says so');
  return {
    shareMax: snapshot.shareMax,
    missesMin: source.pagination.kind === 'none' ? 1 : 2,
    removedMax: REMOVED_MAX,
  };
}

/** They may come back before anybody knows that their deletes were published. */
function inDoubt(gone: Ledger['rows']): Ledger {
  const rows = new Map([...gone].map(([key, row]) => [key, { ...row, digest: '' }]));
  return { rows, refused: new Set() };
}
