import { memoryBreakerStore } from '#adapters/memory/breaker-store';
import { memoryCheckpointStore } from '#adapters/memory/checkpoint-store';
import { memoryPollStateStore } from '#adapters/memory/poll-state-store';
import { memoryQuarantine } from '#adapters/memory/quarantine';
import { memoryRecordTable } from '#adapters/memory/record-table';
import { memoryStreamWriter } from '#adapters/memory/stream-writer';
import { breakerStoreContract } from './breaker-store.contract.ts';
import { checkpointStoreContract } from './checkpoint-store.contract.ts';
import { pollControlContract } from './poll-control.contract.ts';
import { pollStateStoreContract } from './poll-state-store.contract.ts';
import { quarantineContract } from './quarantine.contract.ts';
import { recordTableContract } from './record-table.contract.ts';
import { streamWriterContract } from './stream-writer.contract.ts';

streamWriterContract('memory', async () => memoryStreamWriter());
pollStateStoreContract('memory', async () => memoryPollStateStore());
pollControlContract('memory', async () => {
  const states = memoryPollStateStore();
  return { store: states, control: states };
});
breakerStoreContract('memory', async () => memoryBreakerStore());
checkpointStoreContract('memory', async () => memoryCheckpointStore());

recordTableContract('memory', async () => {
  const table = memoryRecordTable();
  return { table, read: async (key) => table.get(key)?.data };
});

quarantineContract('memory', async () => {
  const quarantine = memoryQuarantine();
  return { quarantine, kept: async () => quarantine.kept() };
});
