/** Finds the key that a misspelt one was meant to be. */

/**
 * Find the valid key that is fewest edits away; undefined when none is near.
 *
 * @example nearestKey('nxt', ['param', 'next']); // 'next'
 */
export function nearestKey(written: string, valid: readonly string[]): string | undefined {
  const near = valid
    .map((key) => ({ key, edits: editsBetween(written.toLowerCase(), key.toLowerCase()) }))
    .filter(({ key, edits }) => edits <= Math.max(written.length, key.length) / 2)
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.key;
}

/** Characters inserted, left out, changed, or swapped with their neighbour (Damerau). */
function editsBetween(from: string, to: string): number {
  const edits = new Map<string, number>();
  const at = (row: number, column: number): number =>
    Math.min(row, column) <= 0 ? Math.max(row, column) : (edits.get(`${row} ${column}`) ?? 0);
  for (let row = 1; row <= from.length; row++) {
    for (let column = 1; column <= to.length; column++) {
      const changed = from[row - 1] === to[column - 1] ? 0 : 1;
      const swapped = from[row - 2] === to[column - 1] && from[row - 1] === to[column - 2];
      edits.set(
        `${row} ${column}`,
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + changed,
          row > 1 && column > 1 && swapped ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(from.length, to.length);
}
