/** Functions for tests: an asset directory written for one test, run in real processes. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createFunctions } from '#local/lambda/functions/create-functions';
import type { FunctionsDeps, LocalFunctions } from '#local/lambda/functions/create-functions';
import type { InvocationReport } from '#local/lambda/functions/function-pool';
import type { FunctionSettings } from '#local/lambda/functions/function-settings';
import type { LogLine } from '#local/lambda/functions/invocation-log';
import type { Clock } from '#local/contracts';

export const realClock: Clock = {
  nowMs: () => Date.now(),
  setTimer(delayMs, fire) {
    const timer = setTimeout(fire, delayMs);
    return () => clearTimeout(timer);
  },
};

/** An asset directory holding `index.mjs`. */
export function asset(source: string, fileName = 'index.mjs'): string {
  const dir = mkdtempSync(join(tmpdir(), 'penstock-asset-'));
  writeFileSync(join(dir, fileName), source);
  return dir;
}

export function settingsOf(source: string, over: Partial<FunctionSettings> = {}): FunctionSettings {
  return {
    name: 'penstock-dev-orders-poll',
    arn: 'arn:aws:lambda:eu-west-1:000000000000:function:penstock-dev-orders-poll',
    assetDir: asset(source),
    handler: 'index.handler',
    environment: {},
    memoryMb: 256,
    timeoutSec: 20,
    ...over,
  };
}

export interface Bench {
  readonly functions: LocalFunctions;
  /** What the function wrote. */
  readonly lines: LogLine[];
  /** What Lambda wrote. */
  readonly platform: LogLine[];
  readonly reports: InvocationReport[];
  /** Invokes the one function; the event defaults to `{}`. */
  invoke(event?: unknown): ReturnType<LocalFunctions['invoke']>;
}

/** One function in a cloud of its own, ended with the test. */
export function bench(settings: FunctionSettings, deps: Partial<FunctionsDeps> = {}): Bench {
  const lines: LogLine[] = [];
  const platform: LogLine[] = [];
  const reports: InvocationReport[] = [];
  const functions = createFunctions({
    region: 'eu-west-1',
    aws: () => ({ AWS_ENDPOINT_URL: 'http://127.0.0.1:4566', AWS_ACCESS_KEY_ID: 'local' }),
    clock: realClock,
    onLog: (line) => (line.isPlatform === true ? platform : lines).push(line),
    onReport: (report) => reports.push(report),
    ...deps,
  });
  onTestFinished(() => functions.stop(0));
  functions.add(settings);
  return {
    functions,
    lines,
    platform,
    reports,
    invoke: (event = {}) => functions.invoke(settings.name, JSON.stringify(event)),
  };
}

/** Resolves when the condition holds; the test's own timeout bounds it. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
