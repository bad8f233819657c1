/** Keeps a function from ending, and from beginning too late, while a refresh token is replaced. */
import type { GrantWorld } from './refresh-grant.ts';

/** Lambda stops a function between two calls as it is: an answer that comes meanwhile is lost. */
export function refreshWatch() {
  let timeLeftMs = (): number => Infinity;
  let begun: Promise<unknown> = Promise.resolve();
  const ofGrant: Pick<GrantWorld, 'remainingMs' | 'onBegun'> = {
    remainingMs: () => timeLeftMs(),
    onBegun(refresh) {
      begun = Promise.allSettled([begun, refresh]);
    },
  };
  return {
    ofGrant,
    /** Does the work of one call, and ends no earlier than what it has begun. */
    async until<T>(remainingMs: () => number, work: () => Promise<T>): Promise<T> {
      timeLeftMs = remainingMs;
      try {
        return await work();
      } finally {
        await begun;
      }
    },
  };
}
