/**
 * Sequence numbers in the form that Kinesis gives them: 56 decimal digits that begin with 49.
 *
 * In hexadecimal: `2`, nine digits of the shard's birth in seconds, the last digit of its index,
 * sixteen of a counter, eleven of the arrival in seconds, eight of the index, and `2`. So they rise
 * with the counter inside a shard, and from a parent to its children, which are born later.
 */

export interface ShardOrigin {
  readonly index: number;
  readonly bornSec: number;
}

/** Closes a shard: above the number of any record in it. */
export const COUNTER_LAST = 0x7fff_ffff_ffff_ffffn;

const PATTERN = /^(0|[1-9]\d{0,128})$/;
const COUNTER_SHIFT = 80n;
const COUNTER_MASK = 0xffff_ffff_ffff_ffffn;
const BIRTH_SHIFT = 148n;

/** Number the records of one shard; `counter` starts at 1, and 0 is the shard's start itself. */
export function sequenceNumber(
  origin: ShardOrigin,
  counter: number | bigint,
  arrivalSec: number,
): string {
  return (
    shardPart(origin) +
    (BigInt(counter) << COUNTER_SHIFT) +
    (BigInt(arrivalSec) << 36n)
  ).toString();
}

const parts = new WeakMap<ShardOrigin, bigint>();

/** What all numbers of a shard share. */
function shardPart(origin: ShardOrigin): bigint {
  let part = parts.get(origin);
  if (part === undefined) {
    const { bornSec, index } = origin;
    part =
      (2n << 184n) +
      (BigInt(bornSec) << BIRTH_SHIFT) +
      (BigInt(index & 0xf) << 144n) +
      (BigInt(index) << 4n) +
      2n;
    parts.set(origin, part);
  }
  return part;
}

/**
 * Read the counter out of a number of this shard.
 *
 * @returns undefined when the number is malformed or of another shard.
 */
export function counterOf(origin: ShardOrigin, text: string): bigint | undefined {
  if (!PATTERN.test(text)) return undefined;
  const value = BigInt(text);
  const counter = (value >> COUNTER_SHIFT) & COUNTER_MASK;
  const arrivalSec = (value >> 36n) & 0xfff_ffff_ffffn;
  const rebuilt = shardPart(origin) + (counter << COUNTER_SHIFT) + (arrivalSec << 36n);
  return rebuilt === value ? counter : undefined;
}

/** The second in a number of any shard; undefined when it is none. */
export function arrivalSecOf(text: string): number | undefined {
  if (!PATTERN.test(text)) return undefined;
  const value = BigInt(text);
  const isOurs = value >> 185n === 1n && (value & 0xfn) === 2n;
  return isOurs ? Number((value >> 36n) & 0xfff_ffff_ffffn) : undefined;
}
