/** The ring of 128-bit hash keys, and which slice of it a key falls into. */
import { hash } from 'node:crypto';

export const HASH_KEY_MAX = (1n << 128n) - 1n;

export interface HashKeyRange {
  readonly startHashKey: bigint;
  /** Inclusive. */
  readonly endHashKey: bigint;
}

/** MD5 of the key's UTF-8 bytes, read as an unsigned big-endian number. */
export function hashKeyOf(partitionKey: string): bigint {
  return BigInt(`0x${hash('md5', partitionKey)}`);
}

/** Cut the whole ring into `count` ranges, equal but for the last, which takes the remainder. */
export function uniformRanges(count: number): readonly HashKeyRange[] {
  const width = (HASH_KEY_MAX + 1n) / BigInt(count);
  return Array.from({ length: count }, (_, index) => ({
    startHashKey: width * BigInt(index),
    endHashKey: index === count - 1 ? HASH_KEY_MAX : width * BigInt(index + 1) - 1n,
  }));
}

/** The range that holds `hashKey`, out of ranges that cover the ring in ascending order. */
export function findRange<R extends HashKeyRange>(
  ranges: readonly R[],
  hashKey: bigint,
): R | undefined {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle];
    if (range === undefined) return undefined;
    if (hashKey < range.startHashKey) high = middle - 1;
    else if (hashKey > range.endHashKey) low = middle + 1;
    else return range;
  }
  return undefined;
}
