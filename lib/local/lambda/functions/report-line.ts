/** The lines that Lambda itself writes into a function's log. */
import type { InvokeResult } from '#local/contracts';

export interface ReportFacts {
  readonly requestId: string;
  readonly durationMs: number;
  /** Of a start of the process within this invocation. */
  readonly initMs?: number;
  readonly memoryMb: number;
  readonly memoryUsedMbMax: number | undefined;
  readonly result: InvokeResult;
}

export function startLine(requestId: string): string {
  return `START RequestId: ${requestId} Version: $LATEST`;
}

export function endLine(requestId: string): string {
  return `END RequestId: ${requestId}`;
}

/**
 * What an invocation took; its start is billed with it.
 *
 * @source Lambda Developer Guide, "Working with Lambda function logs": the REPORT line.
 */
export function reportLine(facts: ReportFacts): string {
  const { requestId, durationMs, initMs, memoryMb, memoryUsedMbMax, result } = facts;
  const billedMs = Math.ceil(durationMs + (initMs ?? 0));
  const parts = [
    `REPORT RequestId: ${requestId}`,
    `Duration: ${durationMs.toFixed(2)} ms`,
    `Billed Duration: ${billedMs} ms`,
    `Memory Size: ${memoryMb} MB`,
    ...(memoryUsedMbMax === undefined ? [] : [`Max Memory Used: ${memoryUsedMbMax} MB`]),
    ...(initMs === undefined ? [] : [`Init Duration: ${initMs.toFixed(2)} ms`]),
    ...statusOf(result),
  ];
  return `${parts.join('\t')}\t`;
}

/** Of a start that failed, before any invocation. */
export function initReportLine(durationMs: number, status: 'timeout' | 'error'): string {
  return `INIT_REPORT Init Duration: ${durationMs.toFixed(2)} ms\tPhase: init\tStatus: ${status}\t`;
}

/** A handler that throws has run to its end; what ended the process is told. */
function statusOf(result: InvokeResult): readonly string[] {
  if (result.kind !== 'error') return [];
  if (result.errorType === 'Sandbox.Timedout') return ['Status: timeout'];
  const isOfRuntime = /^(Runtime|Function)\./.test(result.errorType);
  return isOfRuntime ? ['Status: error', `Error Type: ${result.errorType}`] : [];
}
