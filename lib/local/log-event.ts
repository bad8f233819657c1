/** A function's line as an event; what is JSON in it is read. */
import type { CloudEvent } from './cloud-event.ts';
import type { LogLine } from './lambda/functions/invocation-log.ts';

export function logEvent(line: LogLine): Extract<CloudEvent, { kind: 'log' }> {
  const json = jsonObjectIn(line.line);
  return { kind: 'log', ...line, ...(json === undefined ? {} : { json }) };
}

function jsonObjectIn(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
