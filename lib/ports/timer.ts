/** Calls `ring` once after `durationMs`, at once when it is none; what it returns calls it off. */
export type Timer = (durationMs: number, ring: () => void) => () => void;
