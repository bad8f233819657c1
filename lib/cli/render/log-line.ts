/** A line that a function wrote, for a person. */
import type { LogEvent } from '#cli/log-reader';

/** From quiet to loud. */
export const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LEVELS)[number];

type Fields = Readonly<Record<string, unknown>>;

/** What the logger says of itself, beside what happened. */
const LOGGERS_OWN = new Set([
  'level',
  'message',
  'event',
  'service',
  'timestamp',
  'sampling_rate',
  'xray_trace_id',
  'cold_start',
  'function_arn',
  'function_memory_size',
  'function_name',
  'function_request_id',
  'pipeline',
]);

/** The platform's own notes on an invocation that went well. */
const PLATFORM = /^(INIT_START|START RequestId|END RequestId|REPORT RequestId|EXTENSION\t)/;

const FAILED = /Task timed out|Runtime exited|Runtime\.|ERROR/;

/**
 * How loud a line is; undefined for one that tells a person nothing: a metric, or the platform's
 * notes.
 */
export function levelOf({ message }: LogEvent): LogLevel | undefined {
  const json = fieldsIn(message);
  if (json === undefined) {
    if (PLATFORM.test(message)) return undefined;
    return FAILED.test(message) ? 'error' : 'info';
  }
  if ('_aws' in json) return undefined;
  const level = text(json['level']).toLowerCase();
  if (level === 'critical') return 'error';
  return LEVELS.find((known) => known === level) ?? 'info';
}

/** @example '2031-04-16T09:00:00.000Z  INFO   orders-poll  PollEnded  outcome=caught-up pages=3' */
export function logLine(event: LogEvent, { prefix }: { readonly prefix: string }): string {
  const { functionName, message, timestampMs } = event;
  const whose = functionName.startsWith(prefix) ? functionName.slice(prefix.length) : functionName;
  const level = (levelOf(event) ?? 'info').toUpperCase().padEnd(5);
  const json = fieldsIn(message);
  const said = json === undefined ? message : told(json);
  return `${new Date(timestampMs).toISOString()}  ${level}  ${whose}  ${said}`;
}

function told(json: Fields): string {
  const facts = Object.entries(json)
    .filter(([name, value]) => !LOGGERS_OWN.has(name) && value !== '' && value !== null)
    .map(([name, value]) => `${name}=${factText(value)}`);
  return [text(json['event'] ?? json['message']), facts.join(' ')].filter(Boolean).join('  ');
}

/** A text that holds a space is quoted, so that facts stay apart. */
function factText(value: unknown): string {
  if (typeof value === 'string' && !/\s/.test(value)) return value;
  return JSON.stringify(value);
}

function fieldsIn(message: string): Fields | undefined {
  if (!message.startsWith('{')) return undefined;
  try {
    return JSON.parse(message) as Fields;
  } catch {
    return undefined;
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
