/** An operator's pause, in words and as JSON. */
import type { Pause } from '#ports/poll-state';
import { iso } from './text.ts';

export function pauseJson(pause: Pause | undefined): object | null {
  return pause === undefined ? null : { since: iso(pause.sinceMs), reason: pause.reason ?? null };
}

export function pauseText(pause: Pause | undefined): string {
  if (pause === undefined) return 'no';
  const since = `since ${iso(pause.sinceMs)}`;
  return pause.reason === undefined ? since : `${since}: ${pause.reason}`;
}
