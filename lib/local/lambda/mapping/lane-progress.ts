/** How far a lane has come, and the window that is open there; saved together. */
import type { ReadFrom } from '#local/contracts';
import type { LanePlace } from './lane-places.ts';
import { isBeyond } from './passed-before.ts';
import type { WindowState } from './tumbling-window.ts';

export interface LaneProgress {
  window(): WindowState | undefined;
  /** A window's state counts from the next `moveTo` on: what it is made of is done only then. */
  setWindow(window: WindowState): void;
  /** Everything up to this record is finished, given up or dropped. */
  moveTo(sequenceNumber: string): void;
  closeWindow(): void;
  end(): void;
}

export function laneProgress(
  start: Exclude<LanePlace, { kind: 'ended' }>,
  save: (place: LanePlace) => void,
): LaneProgress {
  let { passed, window, ...place }: typeof start = start;
  const keep = (): void =>
    save({
      ...(place satisfies ReadFrom),
      ...(window === undefined ? {} : { window }),
      ...(passed === undefined ? {} : { passed }),
    });
  return {
    window: () => window,
    setWindow(changed) {
      window = changed;
    },
    moveTo(sequenceNumber) {
      place = { kind: 'after', sequenceNumber };
      if (passed !== undefined && isBeyond(sequenceNumber, passed)) passed = undefined;
      keep();
    },
    closeWindow() {
      window = undefined;
      keep();
    },
    end: () => save({ kind: 'ended' }),
  };
}
