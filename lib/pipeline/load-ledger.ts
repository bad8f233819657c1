/** Reads back what is known of a source's latest snapshot, and of what was published since. */
import {
  addDoubts,
  compareLedgerNames,
  decodeLedger,
  emptyLedger,
  encodeLedger,
  ledgerId,
} from '#core/source/ledger';
import type { LedgerName, MutableLedger } from '#core/source/ledger';
import type { SnapshotStanding } from '#core/source/snapshot-cursor';
import type { Ledgers } from '#ports/ledgers';

/** Parts read side by side. */
const CONCURRENCY = 8;

/** Every poll that fails may leave a part: beyond so many they become one. */
const DOUBTS_MAX = 16;

export interface LedgerAsk {
  readonly pipeline: string;
  readonly standing: SnapshotStanding;
  /** Parts of the run at hand: what they hold is not in doubt. */
  readonly parts: readonly LedgerName[];
  /** Gives the next free name. */
  readonly nextName: () => LedgerName;
}

/**
 * Load the ledger in force, and blank what was written to be published since: a poll may have died
 * after it published, and before it saved.
 *
 * @throws {Error} when the ledger is gone: nothing would ever delete what vanished since.
 */
export async function loadLedger(
  ledgers: Ledgers,
  { pipeline, standing: { ledger: name, isStale }, parts, nextName }: LedgerAsk,
): Promise<MutableLedger> {
  const text = name && (await ledgers.get(name));
  if (name !== undefined && text === undefined && isStale !== true) {
    throw new Error(
      'the ledger of the latest snapshot is gone from its bucket, and with it the keys that the table holds: ' +
        `\`penstock cursor reset ${pipeline}\` goes on without it, and what vanished from the source meanwhile stays in the table`,
    );
  }
  const known = text === undefined ? emptyLedger() : decodeLedger(text);
  const doubts = emptyLedger();
  const names = await doubtNames(ledgers, name, parts);
  for (const part of await readAll(ledgers, names)) {
    if (part === undefined) continue;
    addDoubts(known, decodeLedger(part));
    if (names.length > DOUBTS_MAX) addDoubts(doubts, decodeLedger(part));
  }
  if (names.length > DOUBTS_MAX) {
    await ledgers.put(nextName(), encodeLedger(doubts));
    for (const one of names) await ledgers.remove(one);
  }
  if (isStale === true) {
    for (const [key, row] of known.rows) known.rows.set(key, { ...row, digest: '' });
    known.refused.clear();
  }
  return known;
}

/** What was written since the ledger in force, and is no part of the run at hand. */
export async function doubtNames(
  ledgers: Ledgers,
  inForce: LedgerName | undefined,
  parts: readonly LedgerName[],
): Promise<readonly LedgerName[]> {
  const own = new Set(parts.map(ledgerId));
  return (await ledgers.names()).filter(
    (name) =>
      (inForce === undefined || compareLedgerNames(name, inForce) > 0) && !own.has(ledgerId(name)),
  );
}

/** Texts in the order of their names. */
export async function readAll(
  ledgers: Ledgers,
  names: readonly LedgerName[],
): Promise<readonly (string | undefined)[]> {
  const texts: (string | undefined)[] = [];
  for (let at = 0; at < names.length; at += CONCURRENCY) {
    const some = names.slice(at, at + CONCURRENCY);
    texts.push(...(await Promise.all(some.map((name) => ledgers.get(name)))));
  }
  return texts;
}
