/** KeptRecords in memory: the reference for its contract. */
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
  };
}
