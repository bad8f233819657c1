/** What a poller remembers of a record it published: which one, and which content. */

declare const brand: unique symbol;

/** Eight hex digits of the record's key, then the sixteen of its content. */
export type Sight = string & { readonly [brand]: 'Sight' };

const KEY_DIGITS = 8;

/**
 * How many sights a cursor holds in each of its lists; older ones are forgotten, and published again.
 *
 * @source DynamoDB: an item holds 400 KB. 3 × 4,000 sights of 27 bytes take 324 KB: what was seen, and
 * a run's window and ties.
 */
export const SIGHTS_MAX = 4_000;

/** @param key as `keyBits` gives it. */
export function sightOf(key: number, digest: string): Sight {
  return `${hexByte(key >>> 24)}${hexByte(key >>> 16)}${hexByte(key >>> 8)}${hexByte(key)}${digest}` as Sight;
}

/** Stands for the key, as well as so few digits can. */
export function keyOf(sight: Sight): string {
  return sight.slice(0, KEY_DIGITS);
}

/**
 * 32 bits of a key, cheaply: two keys that share them cost a duplicate, so nobody gains by it.
 *
 * @source FNV-1a, over UTF-16 units.
 */
export function keyBits(key: string): number {
  let bits = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) bits = Math.imul(bits ^ key.charCodeAt(at), 0x01000193);
  return bits | 0;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function hexByte(bits: number): string {
  return HEX[bits & 0xff] as string;
}

/** Append, and forget the oldest beyond the limit. Mutates `sights`, which the caller owns. */
export function rememberSight(sights: Sight[], sight: Sight): void {
  sights.push(sight);
  if (sights.length > SIGHTS_MAX) sights.shift();
}

/**
 * The newest content seen of each key. A content that came back after another (A, B, A within one
 * tick of the source's clock) is not the one seen last, so it is published again.
 *
 * Two keys may share eight digits: then one forgets the other, which costs a duplicate.
 */
export interface SightMemory {
  isLatest(sight: Sight): boolean;
  /** Remembers a content of a key (its `keyBits`), and says whether it was the latest before. */
  note(key: number, digest: string): boolean;
  /** How many keys are remembered. */
  size(): number;
}

/** Remembers all that was seen of each key: of deletes of one key, an earlier one is not news after a later. */
export function sightSet(...lists: readonly (readonly Sight[])[]): SightMemory {
  const known = new Set(lists.flat());
  return {
    isLatest: (sight) => known.has(sight),
    note(key, digest) {
      const sight = sightOf(key, digest);
      const isKnown = known.has(sight);
      known.add(sight);
      return isKnown;
    },
    size: () => known.size,
  };
}

export function sightMemory(...lists: readonly (readonly Sight[])[]): SightMemory {
  const latest = new Map<number, string>();
  for (const list of lists) for (const sight of list) latest.set(bitsIn(sight), digestIn(sight));
  return {
    isLatest: (sight) => latest.get(bitsIn(sight)) === digestIn(sight),
    note(key, digest) {
      if (latest.get(key) === digest) return true;
      latest.set(key, digest);
      return false;
    },
    size: () => latest.size,
  };
}

function bitsIn(sight: Sight): number {
  return Number.parseInt(keyOf(sight), 16) | 0;
}

function digestIn(sight: Sight): string {
  return sight.slice(KEY_DIGITS);
}
