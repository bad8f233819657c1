/** Which of the versions of a key stands: the rule of every table, in one place. */

/** The part of an event that decides which of a key's versions stands. */
export interface Versioned {
  /** Sortable: text order is version order. Empty: a delete without a version of its own. */
  readonly version: string;
  /** Sortable: among equal versions the newest seen stands. */
  readonly observed: string;
}

/** What stands for a key. */
export interface Standing extends Versioned {
  /**
   * When the key's latest delete without a version was seen: what was seen before it counts for
   * nothing, whatever its version. Undefined where there was none.
   */
  readonly cleared?: string | undefined;
}

/** Negative when `a` gives way to `b`, positive when it stands against it, zero for equals. */
export function compareVersions(a: Versioned, b: Versioned): number {
  return compareText(a.version, b.version) || compareText(a.observed, b.observed);
}

/** Whether an event is a delete without a version: it takes away all that was seen before it. */
export function isClearing({ version }: Versioned): boolean {
  return version === '';
}

/**
 * What stands once an event has come; undefined when it changes nothing.
 *
 * Such a delete keeps the last known version, and whatever is seen later outranks it. Two events of
 * a key that are seen in turn, and come in turn the first time, end alike however often they come again.
 */
export function standAfter(standing: Standing | undefined, event: Versioned): Standing | undefined {
  const { version, observed } = event;
  const { cleared = '' } = standing ?? {};
  if (isClearing(event)) {
    if (standing !== undefined && standing.observed >= observed) return undefined;
    return { version: standing?.version ?? '', observed, cleared: observed };
  }
  if (standing === undefined) return { version, observed };
  if (observed <= cleared) return undefined;
  const isCleared = standing.observed === cleared;
  if (!isCleared && compareVersions(standing, event) >= 0) return undefined;
  return { version, observed, ...(cleared === '' ? {} : { cleared }) };
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

/**
 * Part the versions of one key into layers, to be written one after the other: of each, the first
 * stands for the rest. A delete without a version is a layer's first: what was seen before it gives
 * way to it, and what was seen later is another layer.
 */
export function inLayers<T>(
  things: readonly T[],
  versionOf: (thing: T) => Versioned,
): readonly (readonly T[])[] {
  const [latest] = things
    .filter((thing) => isClearing(versionOf(thing)))
    .toSorted((a, b) => compareText(versionOf(b).observed, versionOf(a).observed));
  if (latest === undefined) return [newestFirst(things, versionOf)];
  const { observed } = versionOf(latest);
  const isLater = (thing: T) => versionOf(thing).observed > observed;
  const elders = things.filter((thing) => thing !== latest && !isLater(thing));
  return [
    [latest, ...newestFirst(elders, versionOf)],
    newestFirst(things.filter(isLater), versionOf),
  ];
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
