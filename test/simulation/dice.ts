/** Chance that can be had again: the same seed throws the same numbers. */
export interface Dice {
  /** In [0, 1). */
  readonly roll: () => number;
  /** A whole number from 0 to below `count`. */
  below(count: number): number;
  /** True once in `of` throws. */
  once(of: number): boolean;
  pick<T>(things: readonly T[]): T;
}

/** @source Mulberry32, public domain. */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  const roll = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(roll() * count);
  return {
    roll,
    below,
    once: (of) => below(of) === 0,
    pick: <T>(things: readonly T[]) => things[below(things.length)] as T,
  };
}
