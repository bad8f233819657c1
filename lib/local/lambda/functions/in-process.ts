/** The environments of a function whose handler is in this process: no child, and the cloud's time. */
import type { Chance, Clock, FaultPlan, InvokeResult, NewId } from '#local/contracts';
import { hexDigits } from '#local/new-id';
import { environmentVariables } from './environment-variables.ts';
import type { FunctionPool, InvocationReport } from './function-pool.ts';
import type { FunctionSettings } from './function-settings.ts';
import { answerOf, contextOf } from './in-process-answer.ts';
import type { InProcessHandler, RunResult } from './in-process-answer.ts';
import { outsideWorlds, runInWorld } from './in-process-scope.ts';
import { openWorld } from './in-process-world.ts';
import type { OpenWorld, WorldOptions } from './in-process-world.ts';
import { exited, timedOut } from './invocation-failure.ts';
import { invocationLog } from './invocation-log.ts';
import type { InvocationLog, LogLine } from './invocation-log.ts';
import { endLine, reportLine, startLine } from './report-line.ts';

export interface InProcessDeps {
  readonly region: string;
  aws(functionName: string): Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly newId: NewId;
  /** What handlers draw from; absent: the machine's dice. */
  readonly seeded?: { readonly chance: Chance; readonly newId: NewId } | undefined;
  readonly faults: Pick<FaultPlan, 'onInvoke'>;
  readonly fetch: WorldOptions['fetch'];
  onLog(line: LogLine): void;
  onReport(report: InvocationReport): void;
  takePlace(): boolean;
  returnPlace(): void;
}

/** Also tells whether it is at work: that is, not waiting for the clock or for the cloud. */
export type InProcessPool = FunctionPool & { isBusy(): boolean };

interface Open {
  readonly world: OpenWorld;
  readonly sinceMs: number;
  kill(): void;
}

interface Invocation {
  readonly requestId: string;
  readonly log: InvocationLog;
  readonly logStreamName: string;
  readonly event: { readonly payload: string; readonly clientContext: string | undefined };
}

/** Of the machine: a handler that waits for nothing of the cloud is waited for so long. */
const PATIENCE_MS = 2_000;

export function inProcessPool(
  settings: FunctionSettings,
  handler: InProcessHandler,
  deps: InProcessDeps,
): InProcessPool {
  const open = new Set<Open>();
  const day = new Date(deps.clock.nowMs()).toISOString().slice(0, 10).replaceAll('-', '/');
  const logStreamName = `${day}/[$LATEST]${hexDigits(deps.newId, 32)}`;
  let environmentsMade = 0;

  const run = async (event: Invocation['event']): Promise<InvokeResult> => {
    const requestId = deps.newId();
    const startedMs = deps.clock.nowMs();
    const coldStart = open.size >= environmentsMade;
    if (coldStart) environmentsMade += 1;
    const log = invocationLog(settings.name, (line) => outsideWorlds(() => deps.onLog(line)));
    log.begin(requestId);
    log.platform(startLine(requestId));
    const invocation = { requestId, log, logStreamName, event };
    const result = await resultOf(invocation, { settings, handler, deps, open });
    log.end();
    const { memoryMb } = settings;
    const durationMs = deps.clock.nowMs() - startedMs;
    const start = coldStart ? { initMs: 0 } : {};
    const facts = { requestId, durationMs, memoryMb, ...start };
    log.platform(endLine(requestId));
    log.platform(reportLine({ ...facts, memoryUsedMbMax: undefined, result }));
    const failure = result.kind === 'error' ? result : undefined;
    deps.onReport({
      functionName: settings.name,
      outcome: failure === undefined ? 'ok' : 'error',
      ...(failure !== undefined && { errorType: failure.errorType }),
      coldStart,
      ...facts,
    });
    const logTail = log.tail();
    return failure === undefined ? { ...result, logTail } : { ...failure, requestId, logTail };
  };

  return {
    async invoke(payload, clientContext) {
      if (open.size >= (settings.reservedConcurrency ?? Infinity)) {
        return { kind: 'throttled', by: 'function' };
      }
      if (!deps.takePlace()) return { kind: 'throttled', by: 'account' };
      const text = typeof payload === 'string' ? payload : Buffer.from(payload).toString();
      try {
        return await run({ payload: text, clientContext });
      } finally {
        deps.returnPlace();
      }
    },
    pids: () => [],
    running: () => open.size,
    isBusy: () =>
      [...open].some(
        ({ world, sinceMs }) => !world.isWaiting() && machineMs() - sinceMs < PATIENCE_MS,
      ),
    async kill() {
      for (const { kill } of open) kill();
    },
  };
}

/** Of the machine's own time, whatever a handler is told. */
const machineMs = (): number => performance.now();

interface RunPlace {
  readonly settings: FunctionSettings;
  readonly handler: InProcessHandler;
  readonly deps: InProcessDeps;
  readonly open: Set<Open>;
}

/** What comes first: the answer, the end of its time, or a fault. */
function resultOf(invocation: Invocation, place: RunPlace): Promise<RunResult> {
  const { settings, handler, deps, open } = place;
  const { clock } = deps;
  const fault = deps.faults.onInvoke?.(settings.name);
  const deadlineMs = clock.nowMs() + settings.timeoutSec * 1_000;
  const world = worldOf(invocation, place, fault?.kind === 'skew' ? fault.skewMs : 0);
  return new Promise((resolve) => {
    const end = (result: RunResult): void => {
      if (!open.delete(one)) return;
      for (const cancel of cancels) cancel();
      world.end();
      resolve(result);
    };
    const { requestId } = invocation;
    const kill = (): void => end(exited(requestId, { code: null, signal: 'SIGKILL' }));
    let isFrozen = false;
    const freeze = (): void => {
      isFrozen = true;
      world.end();
    };
    const timeOut = (): void => {
      const when = new Date(clock.nowMs()).toISOString();
      const seconds = settings.timeoutSec.toFixed(2);
      invocation.log.platform(`${when} ${requestId} Task timed out after ${seconds} seconds`);
      end(timedOut(requestId, settings.timeoutSec));
    };
    const one: Open = { world, sinceMs: machineMs(), kill };
    open.add(one);
    const cancels = [clock.setTimer(settings.timeoutSec * 1_000, timeOut)];
    if (fault?.kind === 'kill') cancels.push(clock.setTimer(fault.afterMs, kill));
    if (fault?.kind === 'freeze') cancels.push(clock.setTimer(fault.afterMs, freeze));
    const { clientContext, payload } = invocation.event;
    const facts = { ...invocation, clientContext, deadlineMs, nowMs: clock.nowMs };
    const context = contextOf(settings, facts);
    const write = (line: string): void => world.write(`${line}\n`);
    const answer = runInWorld(world, () => answerOf(handler, { payload, context, write }));
    void answer.then((result) => (isFrozen ? undefined : end(result)));
  });
}

function worldOf(
  { log, logStreamName }: Invocation,
  { settings, deps }: RunPlace,
  skewMs: number,
): OpenWorld {
  return openWorld({
    clock: deps.clock,
    fetch: deps.fetch,
    ...deps.seeded,
    skewMs,
    environment: variablesOf(settings, deps, logStreamName),
    write: (text) => log.stdout.push(Buffer.from(text)),
  });
}

function variablesOf(
  settings: FunctionSettings,
  { region, aws }: Pick<InProcessDeps, 'region' | 'aws'>,
  logStreamName: string,
): Record<string, string | undefined> {
  const place = { runtimeApi: '', region, logStreamName, aws: aws(settings.name) };
  return environmentVariables(settings, { ...place, compileCacheDir: '' });
}
