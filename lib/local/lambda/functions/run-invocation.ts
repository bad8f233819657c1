/** One invocation in an environment: handed over, waited for, struck by a fault, reported. */
import type { NewId } from '#local/contracts';
import { hexDigits } from '#local/new-id';
import type { EnvironmentDeps } from './environment.ts';
import type { FunctionSettings } from './function-settings.ts';
import { exited, responseTooLarge, thrown, timedOut } from './invocation-failure.ts';
import type { InvocationAnswer, InvocationLog } from './invocation-log.ts';
import { endLine, reportLine, startLine } from './report-line.ts';
import type { RuntimeApi, RuntimeReport } from './runtime-api.ts';
import type { RuntimeProcess } from './spawn-runtime.ts';

export interface InvocationEvent {
  readonly payload: Uint8Array | string;
  readonly clientContext?: string | undefined;
}

type Outcome = Pick<InvocationAnswer, 'result' | 'rssKbMax'>;

interface Running {
  readonly requestId: string;
  readonly onEntered: () => void;
  settle(outcome: Outcome): void;
}

/** What the parts of an environment share. */
export interface Life {
  state: 'busy' | 'ready' | 'gone';
  running: Running | undefined;
  initError: Extract<RuntimeReport, { kind: 'init-error' }> | undefined;
  isInitTooLong: boolean;
  /** Until the first invocation has told it. */
  initMs: number | undefined;
  end: Awaited<RuntimeProcess['gone']>;
  waiters: ((isReady: boolean) => void)[];
}

export interface EnvironmentParts {
  readonly settings: FunctionSettings;
  readonly deps: EnvironmentDeps;
  readonly life: Life;
  readonly api: RuntimeApi;
  readonly log: InvocationLog;
  readonly runtime: RuntimeProcess;
  readonly gone: Promise<void>;
}

export function runInvocation(
  { settings, deps, life, api, log, runtime, gone }: EnvironmentParts,
  requestId: string,
  { payload, clientContext }: InvocationEvent,
): Promise<InvocationAnswer> {
  const { clock } = deps;
  const { initMs } = life;
  life.initMs = undefined;
  life.state = 'busy';
  log.begin(requestId);
  log.platform(startLine(requestId));
  const fault = deps.onInvoke?.(settings.name);
  const timeoutMs = settings.timeoutSec * 1_000 - (deps.init.isOfInvocation ? (initMs ?? 0) : 0);
  return new Promise((resolve) => {
    const givenMs = clock.nowMs();
    let cancelFault = (): void => undefined;
    const settle = ({ result, rssKbMax }: Outcome): void => {
      cancelTimeout();
      cancelFault();
      life.running = undefined;
      const start = initMs === undefined ? {} : { initMs };
      const durationMs = clock.nowMs() - givenMs;
      const memoryUsedMbMax = rssKbMax === undefined ? undefined : Math.ceil(rssKbMax / 1_024);
      const { memoryMb } = settings;
      log.platform(endLine(requestId));
      log.platform(
        reportLine({ requestId, durationMs, memoryMb, memoryUsedMbMax, result, ...start }),
      );
      resolve({ requestId, result, rssKbMax, durationMs, logTail: log.tail(), ...start });
    };
    const cancelTimeout = clock.setTimer(timeoutMs, () => {
      const when = new Date(clock.nowMs()).toISOString();
      log.platform(
        `${when} ${requestId} Task timed out after ${settings.timeoutSec.toFixed(2)} seconds`,
      );
      runtime.kill();
      const result = timedOut(requestId, settings.timeoutSec);
      void gone.then(() => settle({ result, rssKbMax: undefined }));
      life.running = undefined;
    });
    const onEntered = (): void => {
      if (fault?.kind !== 'kill' && fault?.kind !== 'freeze') return;
      const strike = fault.kind === 'kill' ? runtime.kill : runtime.freeze;
      cancelFault = clock.setTimer(fault.afterMs, strike);
    };
    life.running = { requestId, settle, onEntered };
    api.give({
      requestId,
      deadlineMs: clock.nowMs() + timeoutMs,
      functionArn: settings.arn,
      traceId: traceId(clock.nowMs(), deps.newId),
      payload,
      clientContext,
      tellsEntry: fault?.kind === 'kill' || fault?.kind === 'freeze',
      ...(fault?.kind === 'skew' ? { skewMs: fault.skewMs } : {}),
    });
  });
}

/** What is said of an invocation whose process is gone. */
export function failureOfEnd(
  { initError, isInitTooLong, end }: Life,
  requestId: string,
  { timeoutSec }: FunctionSettings,
) {
  if (initError !== undefined) return thrown(initError.payload, initError.errorType);
  return isInitTooLong ? timedOut(requestId, timeoutSec) : exited(requestId, end);
}

export function answerOf(
  report: Exclude<RuntimeReport, { kind: 'ready' | 'entered' | 'init-error' }>,
) {
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

function traceId(nowMs: number, newId: NewId): string {
  const epochHex = Math.floor(nowMs / 1000)
    .toString(16)
    .padStart(8, '0');
  const root = `1-${epochHex}-${hexDigits(newId, 24)}`;
  return `Root=${root};Parent=${hexDigits(newId, 16)};Sampled=0`;
}
