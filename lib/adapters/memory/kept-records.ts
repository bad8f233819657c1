/** KeptRecords in memory: the reference for its contract. What was put later stands later in `kept`. */
import type { RecordEnd } from '#core/checkpoint/record-end';
import type { StoredRecord } from '#core/record/records';
import type { KeptRecords } from '#ports/kept-records';

export interface MemoryKeptRecords extends KeptRecords {
  readonly kept: Map<string, StoredRecord>;
  /** What was taken out, by key. */
  readonly retired: Map<string, { readonly record: StoredRecord; readonly end: RecordEnd }>;
}

export function memoryKeptRecords(): MemoryKeptRecords {
  const kept: MemoryKeptRecords['kept'] = new Map();
  const retired: MemoryKeptRecords['retired'] = new Map();
  return {
    kept,
    retired,
    read: async (key) => kept.get(key),
    async retire(key, end) {
      const record = kept.get(key);
      if (record !== undefined) retired.set(key, { record, end });
      kept.delete(key);
    },
    async leaveNewest(keys) {
      const newest = new Map([...kept].map(([key, record]) => [placeOf(record), key]));
      for (const key of keys) {
        const record = kept.get(key);
        if (record !== undefined && newest.get(placeOf(record)) !== key) kept.delete(key);
      }
    },
  };
}

function placeOf({ shardId, sequenceNumber }: StoredRecord): string {
  return `${shardId}-${sequenceNumber}`;
}
