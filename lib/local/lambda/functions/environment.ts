/** One environment of a function: a child process and its Runtime API, one invocation at a time. */
import type { Clock, FaultPlan, NewId } from '#local/contracts';
import { hexDigits } from '#local/new-id';
import { environmentVariables } from './environment-variables.ts';
import type { FunctionSettings } from './function-settings.ts';
import { invocationLog } from './invocation-log.ts';
import type { InvocationAnswer, InvocationLog, LogLine } from './invocation-log.ts';
import { initReportLine } from './report-line.ts';
import { answerOf, failureOfEnd, runInvocation } from './run-invocation.ts';
import type { InvocationEvent, Life } from './run-invocation.ts';
import { openRuntimeApi } from './runtime-api.ts';
import type { RuntimeApi, RuntimeReport } from './runtime-api.ts';
import { spawnRuntime } from './spawn-runtime.ts';
import type { RuntimeProcess } from './spawn-runtime.ts';

export interface EnvironmentDeps {
  readonly region: string;
  readonly aws: Readonly<Record<string, string>>;
  readonly compileCacheDir: string;
  /** Real time: the function's process lives in it. */
  readonly clock: Clock;
  readonly newId: NewId;
  readonly onInvoke?: FaultPlan['onInvoke'];
  readonly init: InitRules;
  onLog(line: LogLine): void;
  /** The process is gone; nothing more comes from this environment. */
  onGone(): void;
}

export interface InitRules {
  readonly msMax: number;
  /** True: the start is part of the invocation that waits for it, and of its timeout. */
  readonly isOfInvocation: boolean;
}

export interface Environment {
  readonly pid: number | undefined;
  /** Runs one invocation; the one before must have been answered. */
  invoke(event: InvocationEvent): Promise<InvocationAnswer>;
  /** Resolves true once the runtime asks for work, false when it is gone. */
  ready(): Promise<boolean>;
  kill(): void;
  /** Resolves when the process and its output have ended. */
  readonly gone: Promise<void>;
}

/** Starts the process; the module of the handler is imported at once. */
export async function startEnvironment(
  settings: FunctionSettings,
  deps: EnvironmentDeps,
): Promise<Environment> {
  const { clock } = deps;
  const life: Life = {
    state: 'busy',
    running: undefined,
    initError: undefined,
    isInitTooLong: false,
    initMs: undefined,
    end: { code: null, signal: null },
    waiters: [],
  };
  const api = await openRuntimeApi((report) => hear(report));
  const log = invocationLog(settings.name, deps.onLog);
  const runtime = spawn(settings, deps, { api, log });
  const startedMs = clock.nowMs();
  const cancelInit = clock.setTimer(deps.init.msMax, () => {
    life.isInitTooLong = true;
    runtime.kill();
  });

  const tell = (next: 'ready' | 'gone'): void => {
    life.state = next;
    cancelInit();
    const waiters = life.waiters;
    life.waiters = [];
    for (const waiter of waiters) waiter(next === 'ready');
  };
  let wasReady = false;
  const hear = (report: RuntimeReport): void => {
    if (report.kind === 'ready') {
      if (life.state === 'gone') return;
      if (!wasReady) life.initMs = clock.nowMs() - startedMs;
      wasReady = true;
      tell('ready');
    } else if (report.kind === 'init-error') life.initError = report;
    else if (report.kind === 'entered') life.running?.onEntered();
    else life.running?.settle(answerOf(report));
  };
  const gone = runtime.gone.then((how) => {
    life.end = how;
    log.end();
    if (!wasReady && (life.initError !== undefined || life.isInitTooLong)) {
      const status = life.isInitTooLong ? 'timeout' : 'error';
      log.platform(initReportLine(clock.nowMs() - startedMs, status));
    }
    api.close();
    tell('gone');
    life.running?.settle({
      result: failureOfEnd(life, life.running.requestId, settings),
      rssKbMax: undefined,
    });
    deps.onGone();
  });
  const ready = (): Promise<boolean> =>
    life.state === 'busy'
      ? new Promise((resolve) => life.waiters.push(resolve))
      : Promise.resolve(life.state === 'ready');

  return {
    pid: runtime.pid,
    gone,
    ready,
    kill() {
      // At once, so that nobody gives work to a process that is about to end.
      tell('gone');
      runtime.kill();
    },
    async invoke(event) {
      const requestId = deps.newId();
      if (await ready())
        return runInvocation({ settings, deps, life, api, log, runtime, gone }, requestId, event);
      await gone;
      return {
        requestId,
        result: failureOfEnd(life, requestId, settings),
        rssKbMax: undefined,
        logTail: log.tail(),
        durationMs: 0,
      };
    },
  };
}

function spawn(
  settings: FunctionSettings,
  deps: EnvironmentDeps,
  { api, log }: { readonly api: RuntimeApi; readonly log: InvocationLog },
): RuntimeProcess {
  return spawnRuntime({
    cwd: settings.assetDir,
    env: environmentVariables(settings, {
      runtimeApi: api.address,
      region: deps.region,
      logStreamName: logStreamName(deps.clock.nowMs(), deps.newId),
      aws: deps.aws,
      compileCacheDir: deps.compileCacheDir,
    }),
    memoryMb: settings.memoryMb,
    canSkew: deps.onInvoke !== undefined,
    onStdout: log.stdout.push,
    onStderr: log.stderr.push,
  });
}

function logStreamName(nowMs: number, newId: NewId): string {
  const day = new Date(nowMs).toISOString().slice(0, 10).replaceAll('-', '/');
  return `${day}/[$LATEST]${hexDigits(newId, 32)}`;
}
