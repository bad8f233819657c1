/** What a mapping says of its last attempt. */
import type { MappingEvent } from './mapping-event.ts';

/** Undefined where an event says nothing of it. */
export function processingResult(event: MappingEvent): string | undefined {
  switch (event.kind) {
    case 'finished':
      return 'OK';
    case 'retry':
      return event.reason === 'throttled'
        ? 'PROBLEM: Function call was throttled'
        : 'PROBLEM: Function call failed';
    case 'bisected':
    case 'gave-up':
      return 'PROBLEM: Function call failed';
    case 'read-failed':
      return `PROBLEM: ${event.message}`;
    default:
      return undefined;
  }
}
