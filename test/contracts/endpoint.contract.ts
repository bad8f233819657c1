import { breakerStoreContract } from './breaker-store.contract.ts';
import { checkpointStoreContract } from './checkpoint-store.contract.ts';
import { dynamoItemsContract } from './dynamo-items.contract.ts';
import { endpointPorts } from './endpoint-ports.ts';
import type { Endpoint, EndpointPorts } from './endpoint-ports.ts';
import { pollControlContract } from './poll-control.contract.ts';
import { pollStateStoreContract } from './poll-state-store.contract.ts';
import { quarantineContract } from './quarantine.contract.ts';
import { recordTableContract } from './record-table.contract.ts';
import { streamWriterContract } from './stream-writer.contract.ts';

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
  breakerStoreContract(name, async () => (await (await ports()).breakers()).store);
  checkpointStoreContract(name, async () => (await (await ports()).checkpoints()).store);
  recordTableContract(name, async () => (await ports()).records());
  quarantineContract(name, async () => (await ports()).quarantine());
  dynamoItemsContract(name, ports);
}
