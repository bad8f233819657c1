/** Remembers what this process did last, by event id, as far back as its bound. */
export interface DoneLately {
  has(id: string): boolean;
  add(id: string): void;
}

/** @example doneLately(10_000).has('42@7#c0ffee'); // false */
export function doneLately(idsMax: number): DoneLately {
  // A set keeps the order in which its members came.
  const ids = new Set<string>();
  return {
    has: (id) => ids.has(id),
    add(id) {
      ids.add(id);
      if (ids.size <= idsMax) return;
      const [oldest] = ids;
      if (oldest !== undefined) ids.delete(oldest);
    },
  };
}
