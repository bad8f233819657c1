import { memoryCheckpointStore } from '#adapters/memory/checkpoint-store';
import { memoryQuarantine } from '#adapters/memory/quarantine';
import { memoryRecordTable } from '#adapters/memory/record-table';
import { checkpointStoreContract } from './checkpoint-store.contract.ts';
import { quarantineContract } from './quarantine.contract.ts';
import { recordTableContract } from './record-table.contract.ts';

recordTableContract('memory', async () => {
  const table = memoryRecordTable();
  return { table, read: async (key) => table.get(key)?.data };
});

checkpointStoreContract('memory', async () => memoryCheckpointStore());

quarantineContract('memory', async () => {
  const quarantine = memoryQuarantine();
  return { quarantine, kept: async () => quarantine.kept() };
});
