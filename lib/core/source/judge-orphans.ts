/** Guards against a read that only looks complete. */

export interface FoundGone {
  /** Keys that lived before the read. */
  readonly known: number;
  /** How many of them it did not show. */
  readonly gone: number;
  /** The share of the known, from 0 to 1, that may be gone. */
  readonly shareMax: number;
}

export type OrphanVerdict =
  | { readonly kind: 'removable' }
  | { readonly kind: 'refused'; readonly detail: string };

/**
 * Decide whether what a complete read did not show may be removed: all of it, or nothing.
 *
 * @example judgeOrphans({ known: 100, gone: 30, shareMax: 0.2 }).kind; // 'refused'
 */
export function judgeOrphans({ known, gone, shareMax }: FoundGone): OrphanVerdict {
  if (gone <= known * shareMax) return { kind: 'removable' };
  return {
    kind: 'refused',
    detail:
      `a complete read of the source showed ${known - gone} of ${known} known records; ${gone} are gone, more than ` +
      `source.orphans.shareMax (${shareMax}) allows, so none is removed: raise it for one poll if they are really gone`,
  };
}
