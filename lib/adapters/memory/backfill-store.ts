/** BackfillStore in memory: the reference for its contract. */
import type { BackfillPlace, BackfillStore } from '#ports/backfill-store';
import type { HeldJob } from '#ports/held-job';

export function memoryBackfillStore(): BackfillStore {
  const runs = new Map<string, HeldJob>();
  const places = new Map<string, { readonly epoch: number; readonly place: BackfillPlace }>();
  const keyOf = (pipeline: string, { startedAtMs }: HeldJob) => `${pipeline} ${startedAtMs}`;
  return {
    async read(pipeline) {
      const run = runs.get(pipeline);
      return run && { run, places: places.get(keyOf(pipeline, run))?.place };
    },
    async save(pipeline, run, seenEpoch) {
      if (runs.get(pipeline)?.epoch !== seenEpoch) return false;
      runs.set(pipeline, run);
      return true;
    },
    async move(pipeline, run, place) {
      const key = keyOf(pipeline, run);
      if ((places.get(key)?.epoch ?? 0) > run.epoch) return false;
      places.set(key, { epoch: run.epoch, place });
      return true;
    },
  };
}
