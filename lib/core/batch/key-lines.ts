/** Behind each key that has a record under way: the younger ones, in order. */
export interface KeyLines<E> {
  /** Whether the entry may go at once; if not, it waits in its key's line. */
  enter(key: string, entry: E): boolean;
  /** The next of a key whose oldest is done, if one waits. */
  leave(key: string): E | undefined;
  /** How many wait, behind all keys. */
  waiting(): number;
  /** How many wait behind the key with the longest line. */
  longest(): number;
  /** All that wait, key by key. */
  entries(): E[];
}

export function keyLines<E>(): KeyLines<E> {
  /** Null while nobody waits: most keys never have a line. */
  const lines = new Map<string, E[] | null>();
  /** How many keys have a line of so many, by how many. */
  const lengths: number[] = [];
  let waiting = 0;
  let longest = 0;

  return {
    enter(key, entry) {
      const line = lines.get(key);
      if (line === undefined) {
        lines.set(key, null);
        return true;
      }
      if (line === null) lines.set(key, [entry]);
      else line.push(entry);
      changed((line?.length ?? 1) - 1, 1);
      return false;
    },
    leave(key) {
      const line = lines.get(key);
      const next = line?.shift();
      if (!line || next === undefined) lines.delete(key);
      else changed(line.length + 1, -1);
      return next;
    },
    waiting: () => waiting,
    longest: () => longest,
    entries: () => [...lines.values()].flatMap((line) => line ?? []),
  };

  /** @param from the length of one line before. */
  function changed(from: number, by: 1 | -1): void {
    waiting += by;
    lengths[from] = (lengths[from] ?? 0) - 1;
    lengths[from + by] = (lengths[from + by] ?? 0) + 1;
    longest = Math.max(longest, from + by);
    while (longest > 0 && (lengths[longest] ?? 0) <= 0) longest--;
  }
}
