/** What follows from a snapshot that was read to its end. */
import { judgeOrphans } from './judge-orphans.ts';
import type { Ledger, LedgerRow } from './ledger.ts';

export interface SnapshotRules {
  /** Share of the known keys, 0 to 1, that one snapshot may lack; undefined: none is ever removed. */
  readonly shareMax: number | undefined;
  /** In how many snapshots in a row a key must be missing: rows that move between two pages may be passed over. */
  readonly missesMin: 1 | 2;
  /** How many keys one snapshot removes; the others go with the next. */
  readonly removedMax: number;
}

export interface Settled {
  /** What the next snapshot is held against, once `gone` is removed. */
  readonly ledger: Ledger;
  readonly gone: ReadonlyMap<string, LedgerRow>;
  /** Keys that it lacks, and that stay for now. */
  readonly waiting: number;
  /** Why none is removed; undefined where nothing stands in the way. */
  readonly complaint: string | undefined;
}

/**
 * Decide what a complete snapshot removes: what it lacks, unless it lacks too much to be believed, or a
 * row in it could not be read, which may be any of them. What is not removed stays known.
 */
export function settleSnapshot(read: SnapshotRead, rules: SnapshotRules): Settled {
  const { known, seen } = read;
  const { shareMax, missesMin, removedMax } = rules;
  const gone = new Map<string, LedgerRow>();
  if (shareMax === undefined) return { ledger: seen, gone, waiting: 0, complaint: undefined };
  const missing = [...known.rows].filter(([key]) => !seen.rows.has(key));
  const complaint = missing.length === 0 ? undefined : doubt(missing.length, { ...read, shareMax });
  const rows = new Map(seen.rows);
  for (const [key, row] of missing) {
    const isGone = complaint === undefined && (missesMin === 1 || row.isMissed === true);
    if (isGone && gone.size < removedMax) gone.set(key, row);
    else rows.set(key, complaint === undefined ? { ...row, isMissed: true } : row);
  }
  const ledger = { rows, refused: seen.refused };
  return { ledger, gone, waiting: missing.length - gone.size, complaint };
}

export interface SnapshotRead {
  readonly known: Ledger;
  readonly seen: Ledger;
}

/** Why a snapshot is not believed; undefined where it is. */
function doubt(
  gone: number,
  { known, seen, shareMax }: SnapshotRead & { readonly shareMax: number },
): string | undefined {
  const verdict = judgeOrphans({ known: known.rows.size, gone, shareMax });
  if (verdict.kind === 'refused') return verdict.detail;
  const refused = seen.refused.size;
  if (refused === 0) return undefined;
  return (
    `a complete read of the source lacked ${gone} of ${known.rows.size} known records, and ${refused} of its records ` +
    'were refused, which may be theirs: none is removed until all can be read, or the map of the pipeline leaves them out'
  );
}
