/** How far a backfill has come, as the state of the polls that it is made of. */
import { FRESH_CURSOR } from '#core/source/cursor';
import { encodeCursor } from '#core/source/cursor-text';
import type { Slice } from '#core/source/plan-slices';
import { timestampOfMs } from '#core/record/timestamp';
import type { BackfillPlace } from '#ports/backfill-store';
import type { PollStateStore } from '#ports/poll-state';

export interface PlaceWorld {
  /** Keeps how far it came; false where another has taken the backfill up. */
  move(place: BackfillPlace): Promise<boolean>;
  /** No request of live polls may start before; 0 where none was asked to wait. */
  liveNotBeforeMs(): Promise<number>;
}

export interface PlaceKeeper {
  now(): BackfillPlace;
  /** Keeps that the source is to be left alone until then, whatever becomes of this run. */
  leaveAlone(untilMs: number): Promise<void>;
  /** As one poller's state: who holds it is settled elsewhere. */
  statesOf(slice: Slice): PollStateStore;
}

const NOWHERE: BackfillPlace = { cursor: undefined, sent: undefined, notBeforeMs: 0 };

/** @param before where an earlier run has come to. */
export function placeKeeper(
  { place: before = NOWHERE, epoch }: { readonly place: BackfillPlace | undefined; epoch: number },
  world: PlaceWorld,
): PlaceKeeper {
  let place = before;

  async function move(next: BackfillPlace): Promise<boolean> {
    if (!(await world.move(next))) return false;
    place = next;
    return true;
  }

  return {
    now: () => place,
    async leaveAlone(untilMs) {
      await move({ ...place, notBeforeMs: Math.max(place.notBeforeMs, untilMs) });
    },
    statesOf: ({ fromMs }) => ({
      async acquire({ pipeline }) {
        const fresh = { ...FRESH_CURSOR, boundary: timestampOfMs(fromMs) };
        const { cursor = encodeCursor(fresh), sent } = place;
        // One API answers both: what it asked of either holds for both.
        const notBeforeMs = Math.max(place.notBeforeMs, await world.liveNotBeforeMs());
        return {
          kind: 'acquired',
          lease: { pipeline, epoch, untilMs: Infinity },
          state: { cursor, sent, notBeforeMs },
        };
      },
      async save(lease, { cursor = place.cursor, sent = place.sent, notBeforeMs }) {
        return (await move({ cursor, sent, notBeforeMs })) ? lease : undefined;
      },
      async release(_lease, _end, sent = place.sent) {
        place = { ...place, sent };
      },
    }),
  };
}
