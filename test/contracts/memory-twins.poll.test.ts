import { memoryPollStateStore } from '#adapters/memory/poll-state-store';
import { memoryStreamWriter } from '#adapters/memory/stream-writer';
import { pollStateStoreContract } from './poll-state-store.contract.ts';
import { streamWriterContract } from './stream-writer.contract.ts';

streamWriterContract('memory', async () => memoryStreamWriter());
pollStateStoreContract('memory', async () => memoryPollStateStore());
