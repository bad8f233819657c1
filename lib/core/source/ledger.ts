/** What a snapshot of a source held: enough to see what the next changed, and what it lacks. */

/** Where a ledger rests: the lease it was written under, and its place among what was written under that. */
export interface LedgerName {
  readonly epoch: number;
  readonly number: number;
}

/** The same text for the same name, and for no other. @example ledgerId({ epoch: 3, number: 1 }); // '3-1' */
export function ledgerId({ epoch, number }: LedgerName): string {
  return `${epoch}-${number}`;
}

/** Negative when `a` was written before `b`. */
export function compareLedgerNames(a: LedgerName, b: LedgerName): number {
  return a.epoch - b.epoch || a.number - b.number;
}

/** A key of the snapshot. */
export interface LedgerRow {
  /** Stands for the content that was published last; empty where that is in doubt. */
  readonly digest: string;
  /** Decides the shard; undefined where it is the key. */
  readonly partitionKey?: string | undefined;
  /** The latest snapshot lacked the key, for the first time. */
  readonly isMissed?: true | undefined;
  /** Of a part: the source told that the key is deleted. */
  readonly isGone?: true | undefined;
}

export interface Ledger {
  readonly rows: ReadonlyMap<string, LedgerRow>;
  /** Rows that were refused, each by the digest of its content: their keys are not known. */
  readonly refused: ReadonlySet<string>;
}

export interface MutableLedger extends Ledger {
  readonly rows: Map<string, LedgerRow>;
  readonly refused: Set<string>;
}

export function emptyLedger(): MutableLedger {
  return { rows: new Map(), refused: new Set() };
}

export function isSameLedger(a: Ledger, b: Ledger): boolean {
  if (a.rows.size !== b.rows.size || a.refused.size !== b.refused.size) return false;
  for (const [key, { digest, isMissed }] of a.rows) {
    const other = b.rows.get(key);
    if (other?.digest !== digest || other.isMissed !== isMissed) return false;
  }
  return [...a.refused].every((digest) => b.refused.has(digest));
}

/** The form written here; a reader that meets a newer one must not take it for less. */
const LEDGER_VERSION = 1;

/**
 * Write a ledger, or a part of one: a line for its form, then a line for each row. Of a row it holds no
 * more than the key and the partition key.
 */
export function encodeLedger({ rows, refused }: Ledger): string {
  const lines = [JSON.stringify({ v: LEDGER_VERSION })];
  for (const [key, { digest, partitionKey = null, isMissed, isGone }] of rows) {
    const short = partitionKey === null ? [key, digest] : [key, digest, partitionKey];
    const mark = isGone ? GONE : MISSED;
    lines.push(JSON.stringify(isGone || isMissed ? [key, digest, partitionKey, mark] : short));
  }
  // No key is empty.
  for (const digest of refused) lines.push(JSON.stringify(['', digest]));
  return lines.join('\n');
}

const MISSED = 1;
const GONE = 2;

type StoredRow = [key: string, digest: string, partitionKey?: string | null, mark?: number];

/**
 * Read what `encodeLedger` wrote into a ledger, over the rows of the same keys.
 *
 * @throws {Error} when a newer Penstock wrote it, or when it is none.
 */
export function decodeLedger(text: string, { rows, refused } = emptyLedger()): MutableLedger {
  const [head = '', ...lines] = text.split('\n');
  const { v } = JSON.parse(head) as { readonly v?: unknown };
  if (v !== LEDGER_VERSION) {
    const form = JSON.stringify(v);
    throw new Error(
      `the ledger has form ${form}, this Penstock reads ${LEDGER_VERSION}: deploy the one that wrote it`,
    );
  }
  for (const line of lines) {
    const [key, digest, partitionKey, mark] = JSON.parse(line) as StoredRow;
    if (key === '') refused.add(digest);
    else {
      rows.set(key, {
        digest,
        ...(partitionKey ? { partitionKey } : {}),
        ...(mark === MISSED ? { isMissed: true } : {}),
        ...(mark === GONE ? { isGone: true } : {}),
      });
    }
  }
  return { rows, refused };
}

/**
 * Take into `ledger` what was meant to be published since it was written, and may have been: such keys
 * are known, and their content is not, whatever they hold next. What is deleted may live still.
 */
export function addDoubts(ledger: MutableLedger, part: Ledger): void {
  for (const [key, { digest, isGone: _told, ...row }] of part.rows) {
    const known = ledger.rows.get(key);
    if (known === undefined || known.digest !== digest) {
      ledger.rows.set(key, { ...row, digest: '' });
    }
  }
}

/** Take into `ledger` what was published since it was written. */
export function addPart(ledger: MutableLedger, part: Ledger): void {
  for (const [key, row] of part.rows) {
    if (row.isGone) ledger.rows.delete(key);
    else ledger.rows.set(key, row);
  }
}
