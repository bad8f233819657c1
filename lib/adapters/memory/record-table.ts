/** RecordTable in memory: the reference for its contract. */
import { isDelete } from '#core/record/decode-event';
import { standAfter } from '#core/record/fold';
import type { Standing } from '#core/record/fold';
import type { JsonObject } from '#core/record/json';
import { renameMembers } from '#core/record/rename-members';
import type { MemberNames } from '#core/record/rename-members';
import type { StreamEvent } from '#core/record/stream-event';
import type { RecordTable, UpsertOutcome } from '#ports/record-table';

export interface MemoryRow {
  /** The record's members, and beside them what others wrote. */
  readonly members: JsonObject;
  /** Names of the members that are the record's. */
  readonly own: readonly string[];
  readonly firstSeenMs: number;
  readonly updatedMs: number;
}

export interface MemoryRecordTable extends RecordTable {
  /** What stands for a key: the newest event, or undefined when the key is deleted or unknown. */
  get(key: string): StreamEvent | undefined;
  /** Everything that stands, tombstones too, by key. */
  readonly standing: ReadonlyMap<string, StreamEvent>;
  /** The version that it stands by: of a delete without one, the last known. */
  readonly versions: ReadonlyMap<string, Standing>;
  /** How it stands there. */
  readonly rows: ReadonlyMap<string, MemoryRow>;
  /** Writes attributes that are somebody else's beside a record that stands. */
  write(key: string, attributes: JsonObject): void;
}

export interface MemoryTableOptions {
  readonly mode?: 'replace' | 'merge';
  readonly attributes?: MemberNames;
  readonly nowMs?: () => number;
}

/** @param judge what the table can never hold; by default it holds everything. */
export function memoryRecordTable(
  judge: (event: StreamEvent) => UpsertOutcome | undefined = () => undefined,
  { mode = 'replace', attributes = {}, nowMs = () => 0 }: MemoryTableOptions = {},
): MemoryRecordTable {
  const standing = new Map<string, StreamEvent>();
  const versions = new Map<string, Standing>();
  const rows = new Map<string, MemoryRow>();
  return {
    standing,
    versions,
    rows,
    get(key) {
      const event = standing.get(key);
      return event === undefined || isDelete(event) ? undefined : event;
    },
    write(key, others) {
      const row = rows.get(key);
      if (row !== undefined) rows.set(key, { ...row, members: { ...row.members, ...others } });
    },
    async upsert(event) {
      const judged = judge(event);
      if (judged !== undefined) return judged;
      const { subject } = event;
      const version = standAfter(versions.get(subject), event);
      if (version === undefined) return { kind: 'stale' };
      const renamed = renameMembers(isDelete(event) ? {} : event.data, attributes);
      if (renamed.kind === 'clash') {
        const detail = `two members would be named \`${renamed.name}\``;
        return { kind: 'refused', reason: 'field-name-not-allowed', detail };
      }
      const { record } = renamed;
      const row = rows.get(subject);
      const updatedMs = nowMs();
      standing.set(subject, event);
      versions.set(subject, version);
      rows.set(subject, {
        members: mode === 'merge' ? { ...othersIn(row), ...record } : record,
        own: Object.keys(record),
        firstSeenMs: row?.firstSeenMs ?? updatedMs,
        updatedMs,
      });
      return { kind: 'written' };
    },
  };
}

function othersIn({ members, own }: MemoryRow = NO_ROW): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !own.includes(name)));
}

const NO_ROW: MemoryRow = { members: {}, own: [], firstSeenMs: 0, updatedMs: 0 };
