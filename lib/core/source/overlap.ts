/**
 * Sees that rows moved while they were read by offset.
 *
 * A row that changes goes to the end, and one that is deleted goes away: whatever lies behind it moves
 * up, and as many rows are never shown to who reads on from an offset. So each page is asked for from a
 * few rows before its place, and must show one of those that stood there. Always true: unless
 * `isBroken`, whatever has not changed since the run began, and lies before its latest page's end, was shown.
 */
export interface Overlap {
  /**
   * The last rows read, each by its mark; the next page is asked for from the first of them. None
   * once nothing stood behind them: what is left to ask is whether that is the end.
   */
  readonly tail: readonly string[];
  /** There may be rows that were never shown: the run must not move the boundary. */
  readonly isBroken: boolean;
}

export interface OverlappingRow {
  /** The same for the same content, and for no other. */
  readonly mark: string;
  /** The next run will read it again, if it is still there. */
  readonly isAskedAgain: boolean;
}

/**
 * Take a page into account.
 *
 * @param before undefined for a run's first page.
 * @param width rows that the next page is to show again; fewer, where the page has no more than that.
 */
export function lapOver(
  before: Overlap | undefined,
  rows: readonly OverlappingRow[],
  width: number,
): Overlap {
  const { tail, isBroken } = before ?? { tail: [], isBroken: false };
  const isShown = rows.some(({ mark }) => tail.includes(mark));
  // Behind the last row there was nothing: what stands there now was put there since.
  const isSeamless = tail.length > 0 ? isShown : rows.every((row) => row.isAskedAgain);
  const isLast = tail.length > 0 && rows.at(-1)?.mark === tail.at(-1);
  const kept = isLast ? 0 : Math.min(width, rows.length - 1);
  return {
    tail: kept > 0 ? rows.slice(-kept).map(({ mark }) => mark) : [],
    isBroken: isBroken || (before !== undefined && !isSeamless),
  };
}
