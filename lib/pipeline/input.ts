/** Hands out what an iterable has at hand, and says when more has come. */

export type InputState =
  /** More may be at hand. */
  | 'open'
  /** Nothing is at hand; `onArrival` is called when that changes. */
  | 'starved'
  | 'ended'
  | 'failed';

export interface Input<T> {
  /** The next item, if it can be had without waiting. */
  take(): T | undefined;
  /** The next item, if it is there within a few turns of the event loop's microtasks. */
  wait(): Promise<T | undefined>;
  state(): InputState;
  /** Why it failed. */
  error(): unknown;
  /** Tells a source that is not at its end that nobody reads on. */
  close(): Promise<void>;
}

/** Turns of the microtask queue that an item which is at hand may take. */
const TURNS = 4;

export function inputOf<T>(
  source: AsyncIterable<T> | Iterable<T>,
  onArrival: () => void,
): Input<T> {
  const iterator =
    Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  let state: InputState = 'open';
  let error: unknown;
  let isAsked = false;
  let arrived: T | undefined;

  return { take, wait, state: () => state, error: () => error, close };

  function take(): T | undefined {
    if (arrived === undefined && state === 'open' && !isAsked) ask();
    const item = arrived;
    arrived = undefined;
    return item;
  }

  async function wait(): Promise<T | undefined> {
    for (let turn = 0; turn < TURNS; turn++) {
      if (!isAsked) break;
      await Promise.resolve();
    }
    if (isAsked) state = 'starved';
    return take();
  }

  function ask(): void {
    try {
      const answer = iterator.next();
      if (answer instanceof Promise) void awaited(answer);
      else settle(answer);
    } catch (cause) {
      fail(cause);
    }
  }

  async function awaited(answer: Promise<IteratorResult<T>>): Promise<void> {
    isAsked = true;
    try {
      settle(await answer);
    } catch (cause) {
      fail(cause);
    }
    isAsked = false;
    if (state === 'starved') state = 'open';
    onArrival();
  }

  function settle(result: IteratorResult<T>): void {
    if (result.done) state = 'ended';
    else arrived = result.value;
  }

  function fail(cause: unknown): void {
    state = 'failed';
    error = cause;
  }

  async function close(): Promise<void> {
    if (state === 'ended' || state === 'failed') return;
    state = 'ended';
    // A generator that waits for something answers only when that comes: it is told, not waited for.
    Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
