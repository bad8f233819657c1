import { breakerStoreContract } from './breaker-store.contract.ts';
import { checkpointStoreContract } from './checkpoint-store.contract.ts';
import { dynamoItemsContract } from './dynamo-items.contract.ts';
import { endpointPorts } from './endpoint-ports.ts';
import type { Endpoint, EndpointPorts } from './endpoint-ports.ts';
import { feedStatesContract } from './feed-states.contract.ts';
import { givenUpDocumentsContract } from './given-up-documents.contract.ts';
import { keptRecordsContract } from './kept-records.contract.ts';
import { ledgersContract } from './ledgers.contract.ts';
import { pollControlContract } from './poll-control.contract.ts';
import { pollStateStoreContract } from './poll-state-store.contract.ts';
import { quarantineContract } from './quarantine.contract.ts';
import { rateBudgetContract } from './rate-budget.contract.ts';
import { recordTableContract } from './record-table.contract.ts';
import { backfillStoreContract } from './backfill-store.contract.ts';
import { replayStoreContract } from './replay-store.contract.ts';
import { overTable } from './open-sinks.ts';
import { sinkContract } from './sink.contract.ts';
import { recordTableLaws } from './record-table.laws.ts';
import { streamWriterContract } from './stream-writer.contract.ts';
import { turnsContract } from './turns.contract.ts';
import { versionedSecretContract } from './versioned-secret.contract.ts';

/**
 * What every endpoint of AWS's services promises to our adapters: the contract of every port.
 *
 * @param open is asked once, when the first test begins.
 */
export function endpointContract(name: string, open: () => Promise<Endpoint>): void {
  let opened: Promise<EndpointPorts> | undefined;
  const ports = () => (opened ??= open().then(endpointPorts));

  streamWriterContract(name, async () => (await (await ports()).stream()).writer);
  pollStateStoreContract(name, async () => (await (await ports()).pollState()).store);
  pollControlContract(name, async () => (await ports()).pollState());
  rateBudgetContract(name, async () => (await ports()).rates());
  feedStatesContract(name, async () => (await ports()).feedStates());
  ledgersContract(name, async () => (await ports()).ledgers());
  breakerStoreContract(name, async () => (await (await ports()).breakers()).store);
  checkpointStoreContract(name, async () => (await (await ports()).checkpoints()).store);
  replayStoreContract(name, async () => (await ports()).replays());
  backfillStoreContract(name, async () => (await ports()).backfills());
  recordTableContract(name, async (ask) => (await ports()).records(ask));
  recordTableLaws(name, async (ask) => (await ports()).records(ask));
  sinkContract(
    `table of ${name}`,
    overTable(async () => (await ports()).records()),
  );
  quarantineContract(name, async () => (await ports()).quarantine());
  keptRecordsContract(name, async () => (await ports()).keptRecords());
  givenUpDocumentsContract(name, async () => (await ports()).givenUpDocuments());
  turnsContract(name, async () => (await ports()).turns());
  versionedSecretContract(name, async (text) => (await ports()).versionedSecret(text));
  dynamoItemsContract(name, ports);
}
