/** How many keys are written at once: half as many where the table throttles, then one more at a time. */

/** Writes that go well before one more key is let in. */
const WRITES_PER_STEP = 16;

export interface KeysInFlight {
  /** At least 1. */
  readonly limit: number;
  /** Written since the limit last changed. */
  readonly written: number;
  /** How often it was halved. */
  readonly halvings: number;
}

/** @param max at least 1. */
export function firstKeys(max: number): KeysInFlight {
  return { limit: max, written: 0, halvings: 0 };
}

/** After a write that was not throttled. */
export function afterWrite(keys: KeysInFlight, max: number): KeysInFlight {
  if (keys.limit >= max) return keys;
  const written = keys.written + 1;
  return written < WRITES_PER_STEP
    ? { ...keys, written }
    : { ...keys, written: 0, limit: keys.limit + 1 };
}

/**
 * After a throttled write: those that were under way together count once.
 *
 * @param begun the halvings there had been when it began.
 */
export function afterThrottle(keys: KeysInFlight, begun: number): KeysInFlight {
  if (begun < keys.halvings) return keys;
  return { limit: Math.max(1, Math.floor(keys.limit / 2)), written: 0, halvings: begun + 1 };
}
