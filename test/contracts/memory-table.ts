/** The table in memory, opened as its contract asks for it. */
import { memoryRecordTable } from '#adapters/memory/record-table';
import type { OpenTable, TableAsk } from './record-table.contract.ts';

export function memoryTable(ask: TableAsk = {}): OpenTable {
  const table = memoryRecordTable(undefined, ask);
  const timeText = (ms: number | undefined) =>
    ms === undefined ? undefined : new Date(ms).toISOString();
  return {
    table,
    writer: () => table,
    read: async (key) => (table.get(key) === undefined ? undefined : table.rows.get(key)?.members),
    times: async (key) => ({
      firstSeen: timeText(table.rows.get(key)?.firstSeenMs),
      updated: timeText(table.rows.get(key)?.updatedMs),
    }),
    write: async (key, others) => table.write(key, others),
  };
}
