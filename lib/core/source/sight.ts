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

export function sightOf({ key, digest }: { key: string; digest: string }): Sight {
  return `${keyDigits(key)}${digest}` as Sight;
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
function keyDigits(key: string): string {
  let bits = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) bits = Math.imul(bits ^ key.charCodeAt(at), 0x01000193);
  return hexByte(bits >>> 24) + hexByte(bits >>> 16) + hexByte(bits >>> 8) + hexByte(bits);
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function hexByte(bits: number): string {
  return HEX[bits & 0xff] as string;
}

/** The key's digits as a number: a map finds that sooner than a text cut out for it. */
function keyBits(sight: Sight): number {
  let bits = 0;
  for (let at = 0; at < KEY_DIGITS; at++) {
    const code = sight.charCodeAt(at);
    bits = (bits << 4) | (code <= 0x39 ? code - 0x30 : code - 0x57);
  }
  return bits;
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
  remember(sight: Sight): void;
  /** How many keys are remembered. */
  size(): number;
}

/** Remembers all that was seen of each key: of deletes of one key, an earlier one is not news after a later. */
export function sightSet(...lists: readonly (readonly Sight[])[]): SightMemory {
  const known = new Set(lists.flat());
  return {
    isLatest: (sight) => known.has(sight),
    remember: (sight) => void known.add(sight),
    size: () => known.size,
  };
}

export function sightMemory(...lists: readonly (readonly Sight[])[]): SightMemory {
  const latest = new Map<number, Sight>();
  const remember = (sight: Sight) => void latest.set(keyBits(sight), sight);
  for (const list of lists) list.forEach(remember);
  return {
    isLatest: (sight) => latest.get(keyBits(sight)) === sight,
    remember,
    size: () => latest.size,
  };
}
