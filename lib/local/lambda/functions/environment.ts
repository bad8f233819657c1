/** One environment of a function: a child process and its Runtime API, one invocation at a time. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '#local/contracts';
import { environmentVariables } from './environment-variables.ts';
import type { FunctionSettings } from './function-settings.ts';
import { exited, responseTooLarge, thrown, timedOut } from './invocation-failure.ts';
import { invocationLog } from './invocation-log.ts';
import type { InvocationAnswer, LogLine } from './invocation-log.ts';
import { openRuntimeApi } from './runtime-api.ts';
import type { RuntimeReport } from './runtime-api.ts';
import { spawnRuntime } from './spawn-runtime.ts';

/** @source Lambda developer guide, "Lambda execution environment": Init is limited to 10 s. */
const INIT_MS_MAX = 10_000;

export interface EnvironmentDeps {
  readonly region: string;
  readonly aws: Readonly<Record<string, string>>;
  readonly compileCacheDir: string;
  /** Real time: the function's process lives in it. */
  readonly clock: Clock;
  onLog(line: LogLine): void;
  /** The process is gone; nothing more comes from this environment. */
  onGone(): void;
}

export interface Environment {
  readonly pid: number | undefined;
  /** Runs one invocation; the one before must have been answered. */
  invoke(payload: Uint8Array | string): Promise<InvocationAnswer>;
  /** Resolves true once the runtime asks for work, false when it is gone. */
  ready(): Promise<boolean>;
  kill(): void;
  /** Resolves when the process and its output have ended. */
  readonly gone: Promise<void>;
}

interface Running {
  readonly requestId: string;
  settle(answer: Omit<InvocationAnswer, 'requestId' | 'logTail'>): void;
}

/** Starts the process; the module of the handler is imported at once. */
export async function startEnvironment(
  settings: FunctionSettings,
  deps: EnvironmentDeps,
): Promise<Environment> {
  const { clock } = deps;
  let running: Running | undefined;
  let initError: Extract<RuntimeReport, { kind: 'init-error' }> | undefined;
  let readyWaiters: ((isReady: boolean) => void)[] = [];
  let state: 'busy' | 'ready' | 'gone' = 'busy';

  const tell = (next: 'ready' | 'gone'): void => {
    state = next;
    cancelInit();
    const waiters = readyWaiters;
    readyWaiters = [];
    for (const waiter of waiters) waiter(next === 'ready');
  };
  const api = await openRuntimeApi((report) => {
    if (report.kind === 'ready' && state !== 'gone') tell('ready');
    else if (report.kind === 'init-error') initError = report;
    else if (report.kind !== 'ready') running?.settle(answerOf(report));
  });
  const log = invocationLog(settings.name, deps.onLog);
  const runtime = spawnRuntime({
    cwd: settings.assetDir,
    env: environmentVariables(settings, {
      runtimeApi: api.address,
      region: deps.region,
      logStreamName: logStreamName(clock.nowMs()),
      aws: deps.aws,
      compileCacheDir: deps.compileCacheDir,
    }),
    memoryMb: settings.memoryMb,
    onStdout: log.stdout.push,
    onStderr: log.stderr.push,
  });
  let end: Awaited<typeof runtime.gone> = { code: null, signal: null };
  const gone = runtime.gone.then((how) => {
    end = how;
    log.end();
    api.close();
    tell('gone');
    running?.settle({ result: failureOfEnd(running.requestId), rssKbMax: undefined });
    deps.onGone();
  });
  const cancelInit = clock.setTimer(INIT_MS_MAX, runtime.kill);

  const failureOfEnd = (requestId: string) =>
    initError === undefined
      ? exited(requestId, end)
      : thrown(initError.payload, initError.errorType);

  const ready = (): Promise<boolean> =>
    state === 'busy'
      ? new Promise((resolve) => readyWaiters.push(resolve))
      : Promise.resolve(state === 'ready');

  return {
    pid: runtime.pid,
    gone,
    ready,
    kill() {
      // At once, so that nobody gives work to a process that is about to end.
      tell('gone');
      runtime.kill();
    },
    async invoke(payload) {
      const requestId = randomUUID();
      if (!(await ready())) {
        await gone;
        return {
          requestId,
          result: failureOfEnd(requestId),
          rssKbMax: undefined,
          logTail: log.tail(),
        };
      }
      log.begin(requestId);
      state = 'busy';
      return new Promise((resolve) => {
        const settle: Running['settle'] = (answer) => {
          cancelTimeout();
          running = undefined;
          resolve({ ...answer, requestId, logTail: log.tail() });
        };
        const timeoutMs = settings.timeoutSec * 1000;
        const cancelTimeout = clock.setTimer(timeoutMs, () => {
          log.platform(
            `${requestId} Task timed out after ${settings.timeoutSec.toFixed(2)} seconds`,
          );
          runtime.kill();
          const result = timedOut(requestId, settings.timeoutSec);
          void gone.then(() => settle({ result, rssKbMax: undefined }));
          running = undefined;
        });
        running = { requestId, settle };
        api.give({
          requestId,
          deadlineMs: clock.nowMs() + timeoutMs,
          functionArn: settings.arn,
          traceId: traceId(clock.nowMs()),
          payload,
        });
      });
    },
  };
}

function answerOf(report: Exclude<RuntimeReport, { kind: 'ready' | 'init-error' }>) {
  switch (report.kind) {
    case 'response':
      return {
        result: { kind: 'ok', payload: report.payload } as const,
        rssKbMax: report.rssKbMax,
      };
    case 'error':
      return { result: thrown(report.payload, report.errorType), rssKbMax: undefined };
    case 'too-large':
      return { result: responseTooLarge(), rssKbMax: undefined };
  }
}

function logStreamName(nowMs: number): string {
  const day = new Date(nowMs).toISOString().slice(0, 10).replaceAll('-', '/');
  return `${day}/[$LATEST]${randomBytes(16).toString('hex')}`;
}

function traceId(nowMs: number): string {
  const epochHex = Math.floor(nowMs / 1000)
    .toString(16)
    .padStart(8, '0');
  const root = `1-${epochHex}-${randomBytes(12).toString('hex')}`;
  return `Root=${root};Parent=${randomBytes(8).toString('hex')};Sampled=0`;
}
