/** Chance as an argument: a number in [0, 1). */
export type Chance = () => number;
