/** Works on many things at once, within a bound. */
import { assert } from '#core/assert';

export interface Bound {
  /** Asked before each start: nothing starts while so many are in flight. At least 1. */
  readonly inFlightMax: () => number;
  /** Asked before each start; the first no is the last question. */
  readonly mayStart: () => boolean;
}

/**
 * Start `work` for each thing in order, and return when nothing is in flight any more.
 *
 * After a failure nothing new starts: work must only throw what no neighbour can survive.
 *
 * @returns how many were started.
 * @throws the first failure, once everything in flight has ended.
 */
export async function sideBySide<T>(
  things: readonly T[],
  { inFlightMax, mayStart }: Bound,
  work: (thing: T) => Promise<void>,
): Promise<number> {
  assert(inFlightMax() >= 1, 'at least one thing is worked on at a time');
  const failures: unknown[] = [];
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let started = 0;
  let inFlight = 0;
  let open = true;

  function startMore(): void {
    while (open && started < things.length && inFlight < inFlightMax()) {
      open = mayStart();
      if (open) void workOn(things[started++] as T);
    }
    if (inFlight === 0) end();
  }

  async function workOn(thing: T): Promise<void> {
    inFlight++;
    try {
      await work(thing);
    } catch (failure) {
      failures.push(failure);
      open = false;
    }
    inFlight--;
    startMore();
  }

  startMore();
  await ended;
  if (failures.length > 0) throw failures[0];
  return started;
}
