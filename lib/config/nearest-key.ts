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

/** Levenshtein's distance: characters inserted, left out or changed. */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    let diagonal = index;
    const next = [index + 1];
    for (let column = 1; column <= to.length; column++) {
      const above = row[column] ?? 0;
      const changed = diagonal + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(changed, above + 1, (next[column - 1] ?? 0) + 1));
      diagonal = above;
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
