import { expect } from 'vitest';
import { decodeCursor } from '#core/source/cursor-text';
import { timestampMs } from '#core/record/timestamp';
import type { PollStateStore } from '#ports/poll-state';

/**
 * Checks every save: the boundary never retreats, and stays behind what the source has settled.
 *
 * @param settledMs by the source's clock: its time less the horizon.
 */
export function steadyStates(states: PollStateStore, settledMs: () => number): PollStateStore {
  let highest = '';
  return {
    ...states,
    async save(lease, state, untilMs) {
      const { boundary } = decodeCursor(state.cursor);
      if (boundary !== null) {
        expect(timestampMs(boundary)).toBeLessThanOrEqual(settledMs());
        expect(boundary >= highest).toBe(true);
        highest = boundary;
      }
      return states.save(lease, state, untilMs);
    },
  };
}
