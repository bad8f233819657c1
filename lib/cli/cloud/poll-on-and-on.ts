/** Polls again and again, where a schedule fires once a minute or never. */
import { setTimeout as pause } from 'node:timers/promises';
import type { SignedFetch } from '#adapters/aws/signed-fetch';
import { invokePoll } from '#cli/invoke-poll';

/** At least; and as long as the run took: who consumes wants to run as well. */
const GAP_MS = 250;

/**
 * Invoke each function as soon as its last run has ended; one that fails is tried again.
 *
 * @returns what ends it, once no run is under way.
 */
export function pollOnAndOn(
  lambda: SignedFetch,
  functions: readonly string[],
): () => Promise<void> {
  const ending = new AbortController();
  const poll = async (name: string): Promise<void> => {
    while (!ending.signal.aborted) {
      const startedMs = performance.now();
      await invokePoll(lambda, name).catch(() => undefined);
      const tookMs = performance.now() - startedMs;
      await pause(Math.max(GAP_MS, tookMs), undefined, { signal: ending.signal }).catch(
        () => undefined,
      );
    }
  };
  const loops = functions.map(poll);
  return async () => {
    ending.abort();
    await Promise.all(loops);
  };
}
