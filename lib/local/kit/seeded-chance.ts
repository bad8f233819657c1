/** Chance that a number begins: the same number, the same chance. */
import { createHash } from 'node:crypto';
import type { Chance } from '#local/contracts';

/**
 * Make one stream of chance of a seed; `purpose` keeps the streams apart, so that drawing more of
 * one leaves the others as they were.
 *
 * @source Doty-Humphrey, PractRand: sfc32, 128 bits of state.
 */
export function seededChance(seed: number | string, purpose = ''): Chance {
  const digest = createHash('sha256').update(`${seed}\n${purpose}`).digest();
  let [a, b, c, counter] = [0, 4, 8, 12].map((at) => digest.readInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ];
  return () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
}
