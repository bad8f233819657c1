/** The environments of one function: warm ones first, new ones up to its concurrency. */
import type { Clock, InvokeResult } from '#local/contracts';
import { startEnvironment } from './environment.ts';
import type { Environment, EnvironmentDeps } from './environment.ts';
import type { FunctionSettings } from './function-settings.ts';

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

export interface PoolDeps extends Omit<EnvironmentDeps, 'onGone' | 'aws'> {
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
  invoke(payload: Uint8Array | string): Promise<InvokeResult>;
  /** Process ids of the environments that live. */
  pids(): readonly number[];
  /** Invocations that are being worked on. */
  running(): number;
  /** Resolves when every environment was killed and has ended. */
  kill(): Promise<void>;
}

export function functionPool(settings: FunctionSettings, deps: PoolDeps): FunctionPool {
  const { clock } = deps;
  const live = new Set<Environment>();
  const warm: { environment: Environment; cancelReaper: () => void }[] = [];
  let running = 0;
  let isKilled = false;

  const start = async (): Promise<Environment> => {
    const environment = await startEnvironment(settings, {
      ...deps,
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

  const keepWarm = (environment: Environment): void => {
    if (!live.has(environment)) return;
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

  const run = async (payload: Uint8Array | string): Promise<InvokeResult> => {
    const kept = await takeWarm();
    const startedMs = clock.nowMs();
    const environment = kept ?? (await start());
    await environment.ready();
    const readyMs = clock.nowMs();
    const { requestId, result, rssKbMax, logTail } = await environment.invoke(payload);
    const outcome = result.kind === 'error' ? result : undefined;
    deps.onReport({
      functionName: settings.name,
      requestId,
      outcome: outcome === undefined ? 'ok' : 'error',
      ...(outcome !== undefined && { errorType: outcome.errorType }),
      coldStart: kept === undefined,
      durationMs: clock.nowMs() - readyMs,
      ...(kept === undefined && { initMs: readyMs - startedMs }),
      memoryMb: settings.memoryMb,
      ...(rssKbMax !== undefined && { memoryUsedMbMax: Math.ceil(rssKbMax / 1024) }),
    });
    keepWarm(environment);
    return outcome === undefined ? result : { ...outcome, requestId, logTail };
  };

  return {
    async invoke(payload) {
      if (running >= (settings.reservedConcurrency ?? Infinity)) return { kind: 'throttled' };
      if (!deps.takePlace()) return { kind: 'throttled' };
      running++;
      try {
        return await run(payload);
      } finally {
        running--;
        deps.returnPlace();
      }
    },
    pids: () => [...live].flatMap(({ pid }) => (pid === undefined ? [] : [pid])),
    running: () => running,
    async kill() {
      isKilled = true;
      const ending = [...live];
      for (const environment of ending) environment.kill();
      await Promise.all(ending.map(({ gone }) => gone));
    },
  };
}
