/** Whose code runs: that of an invocation in this process, or anyone else's. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { InvocationWorld } from './in-process-world.ts';

const scope = new AsyncLocalStorage<InvocationWorld>();

/** The world of whoever calls, if it is a handler in process. */
export function currentWorld(): InvocationWorld | undefined {
  return scope.getStore();
}

export function runInWorld<T>(world: InvocationWorld, work: () => T): T {
  return scope.run(world, work);
}

/** Runs what is the cloud's, whoever called it. */
export function outsideWorlds<T>(work: () => T): T {
  return scope.exit(work);
}
