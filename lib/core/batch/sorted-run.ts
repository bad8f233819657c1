/** Entries in rising order of place; added at the end and taken from the front at no cost. */

export interface Placed {
  readonly place: number;
}

export interface SortedRun<E extends Placed> {
  length(): number;
  first(): E | undefined;
  /** @returns the first, which is then no longer there. */
  shift(): E | undefined;
  /** Adds one that may belong anywhere. */
  add(entry: E): void;
  /** Adds several that may belong anywhere. */
  merge(entries: readonly E[]): void;
}

/** What was taken is forgotten once it is this many and more than what is left. */
const FORGET_FROM = 1_024;

export function sortedRun<E extends Placed>(): SortedRun<E> {
  let entries: E[] = [];
  let head = 0;

  function forget(): void {
    entries = entries.slice(head);
    head = 0;
  }

  function merge(more: readonly E[]): void {
    forget();
    entries.push(...more);
    entries.sort((a, b) => a.place - b.place);
  }

  return {
    length: () => entries.length - head,
    first: () => entries[head],
    shift() {
      const entry = entries[head];
      if (entry === undefined) return undefined;
      head++;
      if (head >= FORGET_FROM && head * 2 > entries.length) forget();
      return entry;
    },
    add(entry) {
      const last = entries.at(-1);
      if (last === undefined || last.place < entry.place) entries.push(entry);
      else merge([entry]);
    },
    merge,
  };
}
