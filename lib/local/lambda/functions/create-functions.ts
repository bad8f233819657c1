/** Lambda on one machine: each function's environments are child processes behind the Runtime API. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock, FaultPlan, InvokeResult, NewId } from '#local/contracts';
import { RANDOM_ID } from '#local/new-id';
import { functionPool } from './function-pool.ts';
import type { FunctionPool, InvocationReport, PoolDeps } from './function-pool.ts';
import { functionFaults } from './function-settings.ts';
import type { FunctionSettings } from './function-settings.ts';
import { PAYLOAD_BYTES_MAX, requestTooLarge } from './invocation-failure.ts';
import type { LogLine } from './invocation-log.ts';

export interface FunctionsDeps {
  readonly region: string;
  /** Asked at each start of a function's process: its credentials and AWS_ENDPOINT_URL (and _S3 …) of the cloud. */
  aws(functionName: string): Readonly<Record<string, string>>;
  /** Real time: the functions' processes live in it. */
  readonly clock: Clock;
  onLog(line: LogLine): void;
  onReport?(report: InvocationReport): void;
  /** An invocation was refused, as the function's or the account's concurrency was used up. */
  onThrottle?(functionName: string): void;
  /** Default: a directory of this product under the system's temporary one. */
  readonly compileCacheDir?: string;
  /** A warm environment that had no work for this long is ended. Default: five minutes. */
  readonly idleMs?: number;
  /** Invocations at once over all functions, as the account's limit. Default: 64. */
  readonly concurrencyMax?: number;
  readonly newId?: NewId;
  readonly faults?: Pick<FaultPlan, 'onInvoke'>;
  /** Default: a function's environments are child processes. */
  poolOf?(settings: FunctionSettings, deps: PoolDeps): FunctionPool | undefined;
}

export interface LocalFunctions {
  /** @throws {Error} saying everything Lambda would refuse, or that the name is taken. */
  add(settings: FunctionSettings): void;
  /** `clientContext` is JSON, as the handler's context has it. */
  invoke(
    functionName: string,
    payload: Uint8Array | string,
    clientContext?: string,
  ): Promise<InvokeResult>;
  list(): readonly FunctionSettings[];
  /**
   * Changes a function: invocations that run go on as they began, and the next start anew.
   *
   * @throws {Error} saying everything Lambda would refuse.
   */
  update(functionName: string, change: Partial<FunctionSettings>): FunctionSettings;
  has(functionName: string): boolean;
  /** Invocations that are being worked on. */
  running(): number;
  /** Process ids of the environments that live. */
  pids(): readonly number[];
  /**
   * Takes no new work, waits for what runs (at most `graceMs`; default: the functions' own
   * timeouts), then kills every process.
   */
  stop(graceMs?: number): Promise<void>;
}

const IDLE_MS = 5 * 60_000;
const CONCURRENCY_MAX = 64;

export function createFunctions(deps: FunctionsDeps): LocalFunctions {
  const pools = new Map<string, FunctionPool>();
  const known = new Map<string, FunctionSettings>();
  /** Those that were changed, too: what runs in them is not cut off. */
  const everyPool = new Set<FunctionPool>();
  const inFlight = new Set<Promise<unknown>>();
  let stopping = false;
  let placesFree = deps.concurrencyMax ?? CONCURRENCY_MAX;

  const poolDeps = {
    region: deps.region,
    aws: deps.aws,
    clock: deps.clock,
    newId: deps.newId ?? RANDOM_ID,
    onInvoke: deps.faults?.onInvoke,
    onLog: deps.onLog,
    onReport: deps.onReport ?? (() => {}),
    compileCacheDir: deps.compileCacheDir ?? join(tmpdir(), 'penstock-compile-cache'),
    idleMs: deps.idleMs ?? IDLE_MS,
    takePlace() {
      if (placesFree === 0) return false;
      placesFree--;
      return true;
    },
    returnPlace() {
      placesFree++;
    },
  };

  const open = (settings: FunctionSettings): void => {
    known.set(settings.name, settings);
    const pool = deps.poolOf?.(settings, poolDeps) ?? functionPool(settings, poolDeps);
    pools.set(settings.name, pool);
    everyPool.add(pool);
  };

  return {
    add(settings) {
      const faults = functionFaults(settings);
      if (pools.has(settings.name)) faults.push('a function of this name exists');
      if (faults.length > 0) throw new Error(`function ${settings.name}: ${faults.join('; ')}`);
      open(settings);
    },
    list: () => [...known.values()],
    update(functionName, change) {
      const before = known.get(functionName);
      const old = pools.get(functionName);
      if (before === undefined || old === undefined) throw missing(functionName);
      const settings = { ...before, ...change };
      const faults = functionFaults(settings);
      if (faults.length > 0) throw new Error(faults.join('; '));
      open(settings);
      old.retire?.();
      return settings;
    },
    has: (functionName) => pools.has(functionName),
    running: () => inFlight.size,
    pids: () => [...pools.values()].flatMap((pool) => pool.pids()),
    async invoke(functionName, payload, clientContext) {
      const pool = pools.get(functionName);
      if (pool === undefined) throw missing(functionName);
      if (stopping) return { kind: 'throttled' };
      const bytes = Buffer.byteLength(payload);
      if (bytes > PAYLOAD_BYTES_MAX) return requestTooLarge();
      const work = pool.invoke(payload, clientContext);
      inFlight.add(work);
      try {
        const result = await work;
        if (result.kind === 'throttled') deps.onThrottle?.(functionName);
        return result;
      } finally {
        inFlight.delete(work);
      }
    },
    async stop(graceMs) {
      stopping = true;
      const finished = Promise.allSettled(inFlight);
      if (graceMs === undefined) await finished;
      else await Promise.race([finished, passed(deps.clock, graceMs)]);
      await Promise.all([...everyPool].map((pool) => pool.kill()));
      await Promise.allSettled(inFlight);
    },
  };
}

function missing(functionName: string): Error {
  return new Error(`there is no function ${functionName}`);
}

function passed(clock: Clock, durationMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimer(durationMs, resolve);
  });
}
