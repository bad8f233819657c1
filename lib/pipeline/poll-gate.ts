/** What a poll asks before each page, where its file says that consumers are heeded. */
import { assert } from '#core/assert';
import { backpressure } from './backpressure.ts';
import type { Backpressure } from './backpressure.ts';
import type { PollOptions, PollWorld } from './poll-options.ts';

/**
 * @param sent what was published and may wait for consumers, as it was saved.
 * @returns undefined where nobody looks.
 */
export function pollGate(
  { pipeline, behind }: PollOptions,
  sent: string | undefined,
  { checkpoints, clock, report, sentByOthers }: PollWorld,
): Backpressure | undefined {
  if (behind === undefined) return undefined;
  assert(checkpoints !== undefined, 'who is to heed consumers can read how far they are');
  return backpressure(pipeline, behind, sent, { checkpoints, clock, report, sentByOthers });
}
