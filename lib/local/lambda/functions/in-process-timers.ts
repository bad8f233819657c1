/** Timers that run by an invocation's clock, and everyone else's by the machine's. */
import { currentWorld, runInWorld } from './in-process-scope.ts';
import type { InvocationWorld } from './in-process-world.ts';

type Callback = (...values: unknown[]) => void;
type SetTimer = (fire: Callback, delayMs?: number, ...values: unknown[]) => unknown;
type ClearTimer = (timer: unknown) => void;

const set =
  (isRepeated: boolean) =>
  (machine: SetTimer): SetTimer =>
  (fire, delayMs = 0, ...values) => {
    const world = currentWorld();
    if (world === undefined) return machine(fire, delayMs, ...values);
    // A clock's timer fires in nobody's world.
    const callback = (): void => runInWorld(world, () => fire(...values));
    return worldTimer(world, callback, { delayMs: Math.max(1, delayMs), isRepeated });
  };

const clear =
  (machine: ClearTimer): ClearTimer =>
  (timer) =>
    timer instanceof WorldTimer ? void timer.close() : machine(timer);

/** To put in the place of the globals of their names; each is made of the one there. */
export const WORLD_TIMERS: Readonly<Record<string, (machine: never) => unknown>> = {
  setTimeout: set(false),
  setInterval: set(true),
  clearTimeout: clear,
  clearInterval: clear,
};

/** What `setTimeout` answers, as far as Node's can be used. */
class WorldTimer {
  readonly #arm: () => () => void;
  #cancel: () => void;
  #isReferenced = true;

  constructor(arm: () => () => void) {
    this.#arm = arm;
    this.#cancel = arm();
  }

  close(): this {
    this.#cancel();
    return this;
  }

  refresh(): this {
    this.#cancel();
    this.#cancel = this.#arm();
    return this;
  }

  ref(): this {
    this.#isReferenced = true;
    return this;
  }

  unref(): this {
    this.#isReferenced = false;
    return this;
  }

  hasRef(): boolean {
    return this.#isReferenced;
  }
}

function worldTimer(
  world: InvocationWorld,
  callback: () => void,
  { delayMs, isRepeated }: { delayMs: number; isRepeated: boolean },
): WorldTimer {
  const timer: WorldTimer = new WorldTimer(() =>
    world.setTimer(delayMs, () => {
      if (isRepeated) timer.refresh();
      callback();
    }),
  );
  return timer;
}
