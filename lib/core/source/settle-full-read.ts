/** What follows from a full read of a source that is otherwise asked by token. */
import type { Ledger, LedgerRow, MutableLedger } from './ledger.ts';
import { settleSnapshot } from './settle-snapshot.ts';
import type { Settled, SnapshotRules } from './settle-snapshot.ts';

export interface FullRead {
  /** Keys that may live, by all that was published before the read. */
  readonly known: MutableLedger;
  /** What the read showed of each key last: a row, or that it is deleted. */
  readonly shown: Ledger;
}

/**
 * Decide what a complete full read removes: keys that it neither showed nor told to be deleted. What it
 * told is published already: it lives no more, and does not count as missing either.
 */
export function settleFullRead({ known, shown }: FullRead, rules: SnapshotRules): Settled {
  const count = known.rows.size;
  if (shown.rows.size + shown.refused.size === 0 && count > 0) {
    const complaint = `a full read of the source showed nothing, and ${count} records are known: none is removed`;
    return { ledger: known, gone: new Map(), waiting: count, complaint };
  }
  const seen = new Map<string, LedgerRow>();
  for (const [key, row] of shown.rows) {
    if (row.isGone) known.rows.delete(key);
    else seen.set(key, row);
  }
  return settleSnapshot({ known, seen: { rows: seen, refused: shown.refused } }, rules);
}
