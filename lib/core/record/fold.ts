/** Which of two versions of a key stands: the rule of every table, in one place. */

/** The part of an event that decides which of a key's versions stands. */
export interface Versioned {
  /** Sortable: text order is version order. */
  readonly version: string;
  /** Sortable: among equal versions the newest seen stands. */
  readonly observed: string;
}

/** Negative when `a` gives way to `b`, positive when it stands against it, zero for equals. */
export function compareVersions(a: Versioned, b: Versioned): number {
  return compareText(a.version, b.version) || compareText(a.observed, b.observed);
}

/**
 * Order the versions of one key newest first; equals keep the order they came in.
 *
 * The first is the fold of them all. The others matter only if the first cannot be stored.
 */
export function newestFirst<T>(
  things: readonly T[],
  versionOf: (thing: T) => Versioned,
): readonly T[] {
  if (things.length < 2) return things;
  return things.toSorted((a, b) => compareVersions(versionOf(b), versionOf(a)));
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
