import type { EventOutcome } from '#core/record/to-event';

/** The whole event as it was written; nothing of what is none. */
export function eventText(outcome: EventOutcome): string {
  if (outcome.kind !== 'event' || typeof outcome.data !== 'string') return '';
  return `${outcome.head}${outcome.data}}`;
}
