/** The one DynamoDB item of a poller. */
import type { Failing } from '#core/source/failing';
import type { PollStanding } from '#ports/poll-control';
import type { Pause } from '#ports/poll-state';
import { assertReadable, readNumber } from './state-item.ts';
import type { Item, ItemPlace } from './state-item.ts';

export function pollItem(tableName: string, pipeline: string): ItemPlace {
  const key = { pk: { S: `poll#${pipeline}` }, sk: { S: 'state' } };
  return { tableName, key, what: `the state of ${pipeline}` };
}

/** @throws {Error} when a newer Penstock wrote the item. */
export function assertPollReadable(pipeline: string, item: Item): void {
  assertReadable(`the poll state of ${pipeline}`, item);
}

/** The mark of an operator, if there is one. */
export function pauseIn(item: Item): Pause | undefined {
  if (item['pausedAtMs'] === undefined) return undefined;
  return { sinceMs: readNumber(item, 'pausedAtMs'), reason: item['pauseReason']?.S };
}

/** What is kept of polls that failed in a row, if the last did. */
export function failingIn(item: Item): Failing | undefined {
  const count = readNumber(item, 'failures');
  if (count === 0) return undefined;
  const sinceMs = readNumber(item, 'failingSinceMs');
  return { count, sinceMs, retryAtMs: readNumber(item, 'retryAtMs') };
}

/** What was published and may wait for consumers, if a poller that tells so has been. */
export function sentIn(item: Item): Pick<PollStanding, 'sent'> {
  const sent = item['sent']?.S;
  return sent === undefined ? {} : { sent };
}

/** Of the last poll that could say how it ended, if there was one. */
export function endIn(item: Item): PollStanding['end'] {
  const outcome = item['outcome']?.S;
  if (outcome === undefined) return undefined;
  return { outcome, atMs: readNumber(item, 'endedAtMs'), detail: item['detail']?.S };
}
