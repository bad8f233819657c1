/** The environments of one function: warm ones first, new ones up to its concurrency. */
import type { Clock, InvokeResult } from '#local/contracts';
import { startEnvironment } from './environment.ts';
import type { Environment, EnvironmentDeps, InitRules } from './environment.ts';
import type { FunctionSettings } from './function-settings.ts';
import type { InvocationEvent } from './run-invocation.ts';

/** @source Lambda developer guide, "Lambda execution environment": Init is limited to 10 s. */
const INIT_MS_MAX = 10_000;

/** What Lambda's REPORT line says of an invocation. */
export interface InvocationReport {
  readonly functionName: string;
  readonly requestId: string;
  readonly outcome: 'ok' | 'error';
  readonly errorType?: string;
  readonly coldStart: boolean;
  /** From hand-over to answer; without the start of the process. */
  readonly durationMs: number;
  /** Of starting the process and importing the module; only of a cold start. */
  readonly initMs?: number;
  readonly memoryMb: number;
  readonly memoryUsedMbMax?: number;
}

export interface PoolDeps extends Omit<EnvironmentDeps, 'onGone' | 'aws' | 'init'> {
  readonly clock: Clock;
  aws(functionName: string): Readonly<Record<string, string>>;
  /** A warm environment that had no work for this long is ended. */
  readonly idleMs: number;
  /** Takes one place of the account's concurrency; false when none is free. */
  takePlace(): boolean;
  returnPlace(): void;
  onReport(report: InvocationReport): void;
}

export interface FunctionPool {
  invoke(payload: Uint8Array | string, clientContext?: string): Promise<InvokeResult>;
  /** Process ids of the environments that live. */
  pids(): readonly number[];
  /** Invocations that are being worked on. */
  running(): number;
  /** Ends each environment as soon as it has no work. */
  retire?(): void;
  /** Resolves when every environment was killed and has ended. */
  kill(): Promise<void>;
}

export function functionPool(settings: FunctionSettings, deps: PoolDeps): FunctionPool {
  const { clock } = deps;
  const live = new Set<Environment>();
  const warm: { environment: Environment; cancelReaper: () => void }[] = [];
  let running = 0;
  let isKilled = false;
  let isRetired = false;

  const open = async (init: InitRules): Promise<Environment> => {
    const environment = await startEnvironment(settings, {
      ...deps,
      init,
      aws: deps.aws(settings.name),
      onGone() {
        live.delete(environment);
        const place = warm.findIndex((one) => one.environment === environment);
        if (place >= 0) warm.splice(place, 1)[0]?.cancelReaper();
      },
    });
    live.add(environment);
    if (isKilled) environment.kill();
    return environment;
  };

  /** A start that fails is tried again as a part of the invocation, as long as its timeout. */
  const start = async (): Promise<Environment> => {
    const first = await open({ msMax: INIT_MS_MAX, isOfInvocation: false });
    if ((await first.ready()) || isKilled) return first;
    return open({ msMax: settings.timeoutSec * 1_000, isOfInvocation: true });
  };

  const keepWarm = (environment: Environment): void => {
    if (!live.has(environment)) return;
    if (isRetired) {
      environment.kill();
      return;
    }
    warm.push({ environment, cancelReaper: clock.setTimer(deps.idleMs, environment.kill) });
  };

  const takeWarm = async (): Promise<Environment | undefined> => {
    for (let one = warm.pop(); one !== undefined; one = warm.pop()) {
      one.cancelReaper();
      // Only a runtime that asks for work again is whole: one that reported an error may be ending.
      if (await one.environment.ready()) return one.environment;
    }
    return undefined;
  };

  const run = async (event: InvocationEvent): Promise<InvokeResult> => {
    const kept = await takeWarm();
    const environment = kept ?? (await start());
    const answer = await environment.invoke(event);
    const { requestId, result, rssKbMax, logTail, durationMs, initMs } = answer;
    if (result.kind === 'throttled') return result;
    const outcome = result.kind === 'error' ? result : undefined;
    deps.onReport({
      functionName: settings.name,
      requestId,
      outcome: outcome === undefined ? 'ok' : 'error',
      ...(outcome !== undefined && { errorType: outcome.errorType }),
      coldStart: kept === undefined,
      durationMs,
      ...(initMs !== undefined && { initMs }),
      memoryMb: settings.memoryMb,
      ...(rssKbMax !== undefined && { memoryUsedMbMax: Math.ceil(rssKbMax / 1024) }),
    });
    keepWarm(environment);
    return outcome === undefined ? { ...result, logTail } : { ...outcome, requestId, logTail };
  };

  return {
    async invoke(payload, clientContext) {
      if (running >= (settings.reservedConcurrency ?? Infinity)) {
        return { kind: 'throttled', by: 'function' };
      }
      if (!deps.takePlace()) return { kind: 'throttled', by: 'account' };
      running++;
      try {
        return await run({ payload, clientContext });
      } finally {
        running--;
        deps.returnPlace();
      }
    },
    pids: () => [...live].flatMap(({ pid }) => (pid === undefined ? [] : [pid])),
    running: () => running,
    retire() {
      isRetired = true;
      const idle = warm.map(({ environment }) => environment);
      for (const environment of idle) environment.kill();
    },
    async kill() {
      isKilled = true;
      const ending = [...live];
      for (const environment of ending) environment.kill();
      await Promise.all(ending.map(({ gone }) => gone));
    },
  };
}
