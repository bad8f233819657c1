/** What a schedule is made with, as templates and the API both say it. */
import type { JsonInput } from '#local/aws-json';
import { ScheduleExpressionError } from './cron-fields.ts';

export interface Schedule {
  readonly name: string;
  readonly arn: string;
  /** `rate(5 minutes)`, `cron(0 8 * * ? *)` or `at(2026-11-30T08:00:00)`. */
  readonly expression: string;
  readonly zone: string;
  readonly enabled: boolean;
  readonly functionName: string;
  /** JSON text; `<aws.scheduler.…>` in it is replaced. Without it, the event says what ticked. */
  readonly input?: string;
  /** Nothing ticks before, or after. */
  readonly startMs?: number;
  readonly endMs?: number;
  readonly flexibleMinutes?: number;
  readonly retry?: RetryPolicy;
  /** A queue for ticks that came to nothing. */
  readonly deadLetterArn?: string;
}

export interface RetryPolicy {
  readonly attemptsMax: number;
  readonly ageMaxSec: number;
}

/** @source EventBridge Scheduler API 2021-06-30, RetryPolicy; its defaults are its bounds. */
export const RETRY_POLICY: RetryPolicy = { attemptsMax: 185, ageMaxSec: 86_400 };

/** @source EventBridge Scheduler API 2021-06-30, Target: characters of Input. */
const INPUT_BYTES_MAX = 256 * 1_024;

type Members = Readonly<Record<string, unknown>>;

/**
 * Read a schedule's settings.
 *
 * @throws {ScheduleExpressionError} naming what is out of bounds.
 */
export function readSchedule(settings: JsonInput, name: string, arn: string): Schedule {
  const members = (value: unknown): Members => (value ?? {}) as Members;
  const target = members(settings['Target']);
  const window = members(settings['FlexibleTimeWindow']);
  const { Input } = target;
  if (Input !== undefined && Buffer.byteLength(String(Input)) > INPUT_BYTES_MAX) {
    throw wrong('Target.Input', `longer than ${INPUT_BYTES_MAX} bytes`);
  }
  const deadLetterArn = members(target['DeadLetterConfig'])['Arn'];
  return {
    name,
    arn,
    expression: String(settings['ScheduleExpression']),
    zone: String(settings['ScheduleExpressionTimezone'] ?? 'UTC'),
    enabled: readState(settings['State']),
    functionName: String(target['Arn'])
      .replace(/^.*:function:/, '')
      .replace(/:.*$/, ''),
    ...(Input === undefined ? {} : { input: String(Input) }),
    ...readDates(settings),
    ...readWindow(window),
    ...readRetry(target['RetryPolicy']),
    ...(deadLetterArn === undefined ? {} : { deadLetterArn: String(deadLetterArn) }),
  };
}

function readState(state: unknown): boolean {
  if (state !== undefined && state !== 'ENABLED' && state !== 'DISABLED') {
    throw wrong('State', `${String(state)}, neither ENABLED nor DISABLED`);
  }
  return state !== 'DISABLED';
}

/** The API has seconds since 1970, a template text. */
function readDates(settings: Members): { startMs?: number; endMs?: number } {
  const date = (member: string): number | undefined => {
    const value = settings[member];
    if (value === undefined || value === null) return undefined;
    const ms = typeof value === 'number' ? value * 1_000 : Date.parse(String(value));
    if (Number.isNaN(ms)) throw wrong(member, `${String(value)}, which is no date`);
    return ms;
  };
  const [startMs, endMs] = [date('StartDate'), date('EndDate')];
  if (startMs !== undefined && endMs !== undefined && endMs <= startMs) {
    throw wrong('EndDate', 'not after StartDate');
  }
  return {
    ...(startMs === undefined ? {} : { startMs }),
    ...(endMs === undefined ? {} : { endMs }),
  };
}

function readWindow({ Mode, MaximumWindowInMinutes }: Members): { flexibleMinutes?: number } {
  if (Mode !== 'OFF' && Mode !== 'FLEXIBLE') {
    throw wrong('FlexibleTimeWindow.Mode', `${String(Mode)}, neither OFF nor FLEXIBLE`);
  }
  if (Mode === 'OFF') {
    if (MaximumWindowInMinutes === undefined) return {};
    throw wrong('FlexibleTimeWindow.MaximumWindowInMinutes', 'of a window that is OFF');
  }
  const bounds = { min: 1, max: 1_440 };
  const name = 'FlexibleTimeWindow.MaximumWindowInMinutes';
  return { flexibleMinutes: count(name, MaximumWindowInMinutes, bounds) };
}

function readRetry(policy: unknown): { retry?: RetryPolicy } {
  if (policy === undefined || policy === null) return {};
  const { MaximumRetryAttempts, MaximumEventAgeInSeconds } = policy as Members;
  const { attemptsMax, ageMaxSec } = RETRY_POLICY;
  const [attempts, age] = ['MaximumRetryAttempts', 'MaximumEventAgeInSeconds'];
  return {
    retry: {
      attemptsMax: count(attempts, MaximumRetryAttempts ?? attemptsMax, {
        min: 0,
        max: attemptsMax,
      }),
      ageMaxSec: count(age, MaximumEventAgeInSeconds ?? ageMaxSec, { min: 60, max: ageMaxSec }),
    },
  };
}

function count(name: string, value: unknown, { min, max }: { min: number; max: number }): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  throw wrong(name, `${String(value)}, and must be ${min} to ${max}`);
}

function wrong(member: string, what: string): Error {
  return new ScheduleExpressionError(`${member} is ${what}.`);
}
