/** CheckpointStore and CheckpointReader in memory: the reference for its contract. */
import { sortableSequence } from '#core/checkpoint/sortable-sequence';
import type { Checkpoint, CheckpointReader, CheckpointStore } from '#ports/checkpoint-store';

export function memoryCheckpointStore(): CheckpointStore & CheckpointReader {
  const saved = new Map<string, Checkpoint>();
  return {
    async save(checkpoint) {
      const { pipeline, consumer, shardId, reach, sequenceNumber } = checkpoint;
      const place = JSON.stringify([pipeline, consumer, shardId, reach]);
      const current = saved.get(place);
      const isForward =
        current === undefined ||
        sortableSequence(current.sequenceNumber) < sortableSequence(sequenceNumber);
      if (isForward) saved.set(place, checkpoint);
    },
    async list({ pipeline, consumer }) {
      return [...saved]
        .filter(([, one]) => one.pipeline === pipeline && one.consumer === consumer)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, one]) => one);
    },
  };
}
