/** RecordTable in memory: the reference for its contract. */
import { isDelete } from '#core/record/decode-event';
import { compareVersions } from '#core/record/fold';
import type { StreamEvent } from '#core/record/stream-event';
import type { RecordTable, UpsertOutcome } from '#ports/record-table';

export interface MemoryRecordTable extends RecordTable {
  /** What stands for a key: the newest event, or undefined when the key is deleted or unknown. */
  get(key: string): StreamEvent | undefined;
  /** Everything that stands, tombstones too, by key. */
  readonly standing: ReadonlyMap<string, StreamEvent>;
}

/** @param judge what the table can never hold; by default it holds everything. */
export function memoryRecordTable(
  judge: (event: StreamEvent) => UpsertOutcome | undefined = () => undefined,
): MemoryRecordTable {
  const standing = new Map<string, StreamEvent>();
  return {
    standing,
    get(key) {
      const event = standing.get(key);
      return event === undefined || isDelete(event) ? undefined : event;
    },
    async upsert(event) {
      const judged = judge(event);
      if (judged !== undefined) return judged;
      const current = standing.get(event.subject);
      if (current !== undefined && compareVersions(current, event) >= 0) return { kind: 'stale' };
      standing.set(event.subject, event);
      return { kind: 'written' };
    },
  };
}
