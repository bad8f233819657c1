/** Works on many things at once, within a bound. */
import { assert } from '#core/assert';

export interface Bound {
  /** Asked before each start: nothing starts while so many are in flight. At least 1. */
  readonly inFlightMax: () => number;
  /** Asked before each start; the first no is the last question. Always, unless given. */
  readonly mayStart?: () => boolean;
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
  { inFlightMax, mayStart = () => true }: Bound,
  work: (thing: T) => Promise<void>,
): Promise<number> {
  assert(inFlightMax() >= 1, 'at least one thing is worked on at a time');
  const failures: unknown[] = [];
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let started = 0;
  let workers = 0;
  let open = true;

  /** Whether one more may start beside those in flight. */
  function admits(inFlight: number): boolean {
    if (!open || started >= things.length || inFlight >= inFlightMax()) return false;
    return (open = mayStart());
  }

  function hire(): void {
    while (admits(workers)) {
      workers++;
      void workOn();
    }
    if (workers === 0) end();
  }

  async function workOn(): Promise<void> {
    try {
      do {
        const working = work(things[started++] as T);
        // The bound may have risen.
        hire();
        await working;
      } while (admits(workers - 1));
    } catch (failure) {
      failures.push(failure);
      open = false;
    }
    workers--;
    hire();
  }

  hire();
  await ended;
  if (failures.length > 0) throw failures[0];
  return started;
}
