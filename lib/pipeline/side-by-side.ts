/** Works on many things at once, within a bound. */
import { assert } from '#core/assert';

export interface Bound {
  /** At most so many are in flight. */
  readonly concurrency: number;
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
  { concurrency, mayStart }: Bound,
  work: (thing: T) => Promise<void>,
): Promise<number> {
  assert(concurrency >= 1, 'at least one thing is worked on at a time');
  const failures: unknown[] = [];
  let started = 0;
  let open = true;

  async function worker(): Promise<void> {
    while (open && started < things.length) {
      if (!mayStart()) {
        open = false;
        return;
      }
      const thing = things[started++] as T;
      try {
        await work(thing);
      } catch (failure) {
        failures.push(failure);
        open = false;
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(concurrency, things.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return started;
}
