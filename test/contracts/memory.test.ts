import { memoryBackfillStore } from '#adapters/memory/backfill-store';
import { memoryBreakerStore } from '#adapters/memory/breaker-store';
import { memoryCheckpointStore } from '#adapters/memory/checkpoint-store';
import { memoryFeedStates } from '#adapters/memory/feed-states';
import { memoryGivenUpDocuments } from '#adapters/memory/given-up-documents';
import { memoryKeptRecords } from '#adapters/memory/kept-records';
import { memoryLedgers } from '#adapters/memory/ledgers';
import { memoryPollStateStore } from '#adapters/memory/poll-state-store';
import { memoryQuarantine } from '#adapters/memory/quarantine';
import { memoryRateBudget } from '#adapters/memory/rate-budget';
import { memoryRecordTable } from '#adapters/memory/record-table';
import { memoryStreamWriter } from '#adapters/memory/stream-writer';
import { memoryTurns } from '#adapters/memory/turns';
import { memorySecret } from '#adapters/memory/versioned-secret';
import { memoryReplayStore } from '#adapters/memory/replay-store';
import { backfillStoreContract } from './backfill-store.contract.ts';
import { breakerStoreContract } from './breaker-store.contract.ts';
import { checkpointStoreContract } from './checkpoint-store.contract.ts';
import { replayStoreContract } from './replay-store.contract.ts';
import { givenUpDocumentsContract } from './given-up-documents.contract.ts';
import { feedStatesContract } from './feed-states.contract.ts';
import { keptRecordsContract } from './kept-records.contract.ts';
import { ledgersContract } from './ledgers.contract.ts';
import { pollControlContract } from './poll-control.contract.ts';
import { pollStateStoreContract } from './poll-state-store.contract.ts';
import { quarantineContract } from './quarantine.contract.ts';
import { rateBudgetContract } from './rate-budget.contract.ts';
import { recordTableContract } from './record-table.contract.ts';
import { overHandler, overTable } from './open-sinks.ts';
import { sinkContract } from './sink.contract.ts';
import { memoryTable } from './memory-table.ts';
import { recordTableLaws } from './record-table.laws.ts';
import { streamWriterContract } from './stream-writer.contract.ts';
import { turnsContract } from './turns.contract.ts';
import { versionedSecretContract } from './versioned-secret.contract.ts';

streamWriterContract('memory', async () => memoryStreamWriter());
pollStateStoreContract('memory', async () => memoryPollStateStore());
pollControlContract('memory', async () => {
  const states = memoryPollStateStore();
  return { store: states, control: states };
});
rateBudgetContract('memory', async () => memoryRateBudget());
feedStatesContract('memory', async () => memoryFeedStates());
ledgersContract('memory', async () => memoryLedgers());
breakerStoreContract('memory', async () => memoryBreakerStore());
checkpointStoreContract('memory', async () => memoryCheckpointStore());
replayStoreContract('memory', async () => memoryReplayStore());
turnsContract('memory', async () => memoryTurns());
versionedSecretContract('memory', async (text) => {
  const secret = memorySecret(text);
  return { secret, put: async (other) => secret.put(other) };
});
backfillStoreContract('memory', async () => memoryBackfillStore());

recordTableContract('memory', async (ask) => memoryTable(ask));
recordTableLaws('memory', async (ask) => memoryTable(ask), 200);

sinkContract(
  'table in memory',
  overTable(async () => {
    const table = memoryRecordTable();
    return { table, read: async (key) => table.get(key)?.data };
  }),
);
sinkContract('handler of records', overHandler('record'));
sinkContract('handler of runs', overHandler('key'));

quarantineContract('memory', async () => {
  const quarantine = memoryQuarantine();
  return { quarantine, kept: async () => quarantine.kept() };
});

keptRecordsContract('memory', async () => {
  const records = memoryKeptRecords();
  return {
    records,
    async put(record, reason = 'not-json') {
      const key = `${reason} ${record.sequenceNumber}`;
      records.kept.delete(key);
      records.kept.set(key, record);
      return key;
    },
    retired: async () => [...records.retired].map(([key, { end }]) => [key, end] as const),
  };
});

givenUpDocumentsContract('memory', async () => {
  const documents = memoryGivenUpDocuments();
  return {
    documents,
    async leave(document) {
      const key = String(document.atMs);
      documents.documents.set(key, document);
      return key;
    },
  };
});
