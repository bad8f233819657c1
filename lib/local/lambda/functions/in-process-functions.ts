/** The functions of a cloud that run in this process, beside those that have their own. */
import type { FunctionPool, PoolDeps } from './function-pool.ts';
import type { FunctionSettings } from './function-settings.ts';
import { shareGlobals } from './in-process-globals.ts';
import { inProcessPool } from './in-process.ts';
import type { InProcessHandler } from './in-process-answer.ts';
import type { InProcessDeps, InProcessPool } from './in-process.ts';

export interface InProcessFunctions {
  /** Undefined: there is no handler of this name. */
  poolOf(settings: FunctionSettings, deps: PoolDeps): FunctionPool | undefined;
  /** True when a handler is at work, and waits neither for the clock nor for the cloud. */
  isBusy(): boolean;
  /** Invocations of these functions that have not ended. */
  running(): number;
  /** Gives the language's globals back. */
  end(): void;
}

/** @param hasPort false: no other process can reach the cloud, so every function needs a handler. */
export function inProcessFunctions(
  handlers: Readonly<Record<string, InProcessHandler>>,
  deps: Omit<InProcessDeps, keyof PoolDeps> & Pick<InProcessDeps, 'clock'>,
  { hasPort }: { readonly hasPort: boolean },
): InProcessFunctions {
  const pools: InProcessPool[] = [];
  const giveBack = Object.keys(handlers).length > 0 ? shareGlobals() : () => undefined;
  return {
    poolOf({ name, ...settings }, poolDeps) {
      const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
      if (handler === undefined) {
        if (hasPort) return undefined;
        throw new Error(`without a port it needs a handler: handlers['${name}'] is missing`);
      }
      const pool = inProcessPool({ name, ...settings }, handler, { ...poolDeps, ...deps });
      pools.push(pool);
      return pool;
    },
    isBusy: () => pools.some((pool) => pool.isBusy()),
    running: () => pools.reduce((sum, pool) => sum + pool.running(), 0),
    end: giveBack,
  };
}
