/** CheckpointStore and CheckpointReader in memory: the reference for its contract. */
import { sortableSequence } from '#core/checkpoint/sortable-sequence';
import type { Checkpoint, CheckpointReader, CheckpointStore } from '#ports/checkpoint-store';

export function memoryCheckpointStore(): CheckpointStore & CheckpointReader {
  const saved = new Map<string, Checkpoint>();
  return {
    async save(place, done) {
      const { pipeline, consumer, shardId, reach, sequenceNumber } = place;
      const key = JSON.stringify([pipeline, consumer, shardId, reach]);
      const current = saved.get(key);
      const doneTotal = (current?.doneTotal ?? 0) + done;
      const isForward =
        current === undefined ||
        sortableSequence(current.sequenceNumber) < sortableSequence(sequenceNumber);
      if (isForward) saved.set(key, { ...place, doneTotal });
      else if (reach === 'highest-finished') saved.set(key, { ...current, doneTotal });
    },
    async list({ pipeline, consumer }) {
      return [...saved]
        .filter(([, one]) => one.pipeline === pipeline && one.consumer === consumer)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, one]) => one);
    },
  };
}
