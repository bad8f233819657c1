import type { Chance } from '#ports/chance';

/** The machine's own dice: for jitter, never for secrets. */
export const systemChance: Chance = () => Math.random();
