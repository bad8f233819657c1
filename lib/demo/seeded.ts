/** Chance that can be repeated: the same seed draws the same numbers. */
export type Draw = () => number;

/**
 * Make a generator of numbers in [0, 1).
 *
 * @source mulberry32, public domain, Tommy Ettinger 2017.
 */
export function seeded(seed: number): Draw {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Draw a whole number in [0, below). */
export function drawBelow(draw: Draw, below: number): number {
  return Math.floor(draw() * below);
}
