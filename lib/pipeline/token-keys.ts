/**
 * Notes the keys that may live of a source that is asked by token, so that a full read shows which are gone.
 *
 * The keys of a page are written down as a part before it is published, and the cursor names that part
 * once all of the page is confirmed. Parts become one ledger now and then. A part that no cursor names was left by a
 * poll that died or a read that was given up: what it publishes is known, and what it deletes is too.
 */
import { assert } from '#core/assert';
import type { Cursor } from '#core/source/cursor';
import { addDoubts, addPart, decodeLedger, emptyLedger, ledgerId } from '#core/source/ledger';
import type { Ledger, LedgerName, MutableLedger } from '#core/source/ledger';
import { ledgerFault } from '#core/source/ledger-bounds';
import type { Pagination } from '#core/source/pagination';
import { settleFullRead } from '#core/source/settle-full-read';
import { partCount, partNames, withPart } from '#core/source/snapshot-cursor';
import type { PartRange, SnapshotStanding } from '#core/source/snapshot-cursor';
import { deleteGone } from './delete-gone.ts';
import { ledgerWriter, resumeParts } from './ledger-parts.ts';
import { doubtNames, readAll } from './load-ledger.ts';
import { REMOVED_MAX } from './snapshot-run.ts';
import type { PageKept, PublishedPage, SnapshotRun, SnapshotScope } from './snapshot-run.ts';
import { sweepLedgers } from './sweep-ledgers.ts';

/** Within a run that has no end for long, so many times as many parts are left as at an end. */
const PARTS_WITHIN_RUN = 16;

/** Where rows may move between two pages, one that lives may be passed over. */
const MOVING: ReadonlySet<Pagination['kind']> = new Set(['page', 'offset', 'link']);

/** @returns undefined where nothing is removed but what the source tells. */
export function tokenKeys({
  options,
  world,
  epoch,
  count,
}: SnapshotScope): SnapshotRun | undefined {
  const { pipeline, orphans, source } = options;
  if (orphans === undefined) return undefined;
  assert(world.ledgers !== undefined, 'a source of which orphans are removed has ledgers');
  const { digest, report, ledgers } = world;
  const { write } = ledgerWriter(ledgers, epoch);
  const { shareMax, keysMax, partsMax } = orphans;
  let isFull = false;
  let isOver = false;
  let shown = emptyLedger();
  let page = emptyLedger();
  let written: LedgerName | undefined;

  /** A new ledger is to be in force, or none if it holds too much. */
  async function replace(
    ledger: Ledger,
    { complaint, saved }: Pick<PageKept, 'complaint'> & { readonly saved?: () => void },
  ): Promise<PageKept> {
    if (ledgerFault(ledger, keysMax) !== undefined) return overflow();
    const name = await write(ledger);
    return {
      ...kept({ ledger: name }),
      complaint,
      async saved() {
        saved?.();
        await sweepLedgers(ledgers, { epoch, ledger: name });
      },
    };
  }

  function overflow(): PageKept {
    return {
      ...kept({ isOver: true }),
      complaint:
        `more keys live at the source than are noted (${keysMax}): what is gone once a token is too old stays in the ` +
        'table, until everything is read anew and fits; `orphans: false` notes none',
      saved: () => sweepLedgers(ledgers, { epoch, ledger: undefined }),
    };
  }

  async function settle({ before, answer, send }: PublishedPage) {
    const parts = before.run?.snapshot?.parts ?? [];
    const own = written === undefined ? parts : withPart(parts, written);
    const { known, lost } = await load(before.snapshot, own);
    const missesMin = MOVING.has(source.pagination.kind) ? 2 : 1;
    const rules = { shareMax, missesMin, removedMax: REMOVED_MAX } as const;
    const { ledger, gone, waiting, complaint } = settleFullRead({ known, shown }, rules);
    const atMs = answer.startedAtMs;
    const stopped = await deleteGone(gone, { options, digest, epoch, count, send, atMs });
    if (stopped !== undefined) return stopped;
    const keys = ledger.rows.size - waiting;
    const settled = {
      event: 'SnapshotSettled',
      pipeline,
      keys,
      removed: gone.size,
      waiting,
    } as const;
    const doubt =
      complaint && `${complaint}; \`penstock cursor reset ${pipeline}\` has everything read anew`;
    return replace(ledger, { complaint: lost ?? doubt, saved: () => report(settled) });
  }

  async function note({ before: { snapshot = {} }, end }: PublishedPage): Promise<PageKept> {
    if (written === undefined) return kept(undefined);
    const parts = withPart(snapshot.parts ?? [], written);
    const standing = { ...snapshot, parts };
    const countMax = end === 'more' ? PARTS_WITHIN_RUN * partsMax : partsMax;
    if (partCount(parts) <= countMax) return kept(standing);
    const { known, lost } = await load(standing, []);
    return replace(known, { complaint: lost });
  }

  /** Every key that may live; `lost`: a sentence where some are not known any more. */
  async function load(
    { ledger: name, parts = [], isStale }: SnapshotStanding = {},
    ofRun: readonly PartRange[],
  ): Promise<{ readonly known: MutableLedger; readonly lost: string | undefined }> {
    const text = name && (await ledgers.get(name));
    const known = text === undefined ? emptyLedger() : decodeLedger(text);
    const sure = new Set(partNames(parts).map(ledgerId));
    const names = await doubtNames(ledgers, name, partNames(ofRun));
    const texts = await readAll(ledgers, names);
    for (const [at, since] of texts.entries()) {
      const add = sure.has(ledgerId(names[at] as LedgerName)) ? addPart : addDoubts;
      if (since !== undefined) add(known, decodeLedger(since));
    }
    const isLost = name !== undefined && text === undefined && isStale !== true;
    return { known, lost: isLost ? LOST : undefined };
  }

  return {
    resume: (cursor) =>
      resumeParts(cursor, shown, {
        ledgers,
        pipeline,
        report,
        what: 'the full read that was under way',
      }),

    unlessOf: async () => undefined,

    async begin({ run, token, snapshot }: Cursor) {
      if (run === null) shown = emptyLedger();
      isFull = run === null ? token === undefined : run.snapshot !== undefined;
      isOver = !isFull && snapshot?.isOver === true;
      page = emptyLedger();
      written = undefined;
    },

    isKnown({ key, digest: content, partitionKey, isGone }) {
      for (const ledger of isFull ? [page, shown] : [page]) {
        if (key === undefined) ledger.refused.add(content);
        else {
          const row = { digest: '', ...(partitionKey && { partitionKey }) };
          ledger.rows.set(key, isGone ? { ...row, isGone } : row);
        }
      }
      return undefined;
    },

    async announce({ isNews }) {
      if (isOver || (isFull && ledgerFault(shown, keysMax) !== undefined)) return undefined;
      const isEmpty = page.rows.size + page.refused.size === 0;
      if (!isEmpty && (isFull || isNews)) written = await write(page);
      return undefined;
    },

    async keep(ended) {
      if (isOver || ended.end === 'broken') return kept(undefined);
      if (!isFull) return note(ended);
      if (ledgerFault(shown, keysMax) !== undefined) return overflow();
      if (ended.end === 'complete') return settle(ended);
      const parts = ended.before.run?.snapshot?.parts ?? [];
      const ofRun = { snapshot: { parts: written ? withPart(parts, written) : parts } };
      return { ...kept(undefined), ofRun };
    },
  };
}

const LOST =
  'the ledger of the keys that live is gone from its bucket: what was deleted at the source meanwhile, ' +
  'and is told no more, stays in the table';

function kept(snapshot: SnapshotStanding | undefined): PageKept {
  const place = snapshot === undefined ? {} : { snapshot };
  return { kind: 'kept', place, ofRun: {}, complaint: undefined, saved: async () => undefined };
}
