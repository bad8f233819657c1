/** ReplayStore in memory: the reference for its contract. */
import { AwsError } from '#adapters/aws/aws-error';
import type { OfConsumer } from '#ports/breaker-store';
import type { ReplayPlace, ReplayRun, ReplayStore } from '#ports/replay-store';

export function memoryReplayStore(): ReplayStore {
  const runs = new Map<string, ReplayRun>();
  const places = new Map<string, { readonly epoch: number; readonly place: ReplayPlace }>();
  const keyOf = ({ pipeline, consumer }: OfConsumer): string =>
    JSON.stringify([pipeline, consumer]);
  const placesOf = (of: OfConsumer, { startedAtMs }: ReplayRun): string =>
    `${keyOf(of)} ${startedAtMs} `;
  return {
    async read(of) {
      const run = runs.get(keyOf(of));
      if (run === undefined) return undefined;
      const own = [...places].filter(([key]) => key.startsWith(placesOf(of, run)));
      return {
        run,
        places: own.map(([, { place }]) => place).sort((a, b) => (a.shardId < b.shardId ? -1 : 1)),
      };
    },
    async save(of, run, seenEpoch) {
      if (runs.get(keyOf(of))?.epoch !== seenEpoch) return false;
      runs.set(keyOf(of), run);
      return true;
    },
    async move(of, run, place) {
      const key = placesOf(of, run) + place.shardId;
      if ((places.get(key)?.epoch ?? 0) > run.epoch) {
        throw new AwsError('Another run has taken the replay up', {
          retryable: false,
          cause: null,
        });
      }
      places.set(key, { epoch: run.epoch, place });
    },
  };
}
