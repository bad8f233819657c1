import { backfill } from '#pipeline/backfill';
import type { BackfillEnd, BackfillOptions, BackfillWorld } from '#pipeline/backfill';
import type { TestWorld } from './poll-world.ts';

type Told = 'poll' | 'incremental' | 'slices';

export type BackfillAsk = Pick<BackfillOptions, Told> &
  Partial<Omit<BackfillOptions, Told>> &
  Partial<Pick<BackfillWorld, 'move' | 'onWait'>> & {
    readonly liveNotBeforeMs?: number;
  };

/** The first backfill of a pipeline, from its beginning, unless the ask says otherwise; nobody takes it over or ends it. */
export function wholeBackfill(
  world: TestWorld,
  { move = async () => true, liveNotBeforeMs = 0, onWait = () => undefined, ...ask }: BackfillAsk,
): Promise<BackfillEnd> {
  return backfill(
    { place: undefined, epoch: 1, signal: new AbortController().signal, ...ask },
    {
      ...world,
      move,
      liveNotBeforeMs: async () => liveNotBeforeMs,
      onSlice: () => undefined,
      onWait,
    },
  );
}
