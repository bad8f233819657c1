import { afterAll, expect, test } from 'vitest';
import { eventOf } from '#test/pipeline/consume-world';
import { embeddedEndpoint } from './embedded-endpoint.ts';
import { endpointContract } from './endpoint.contract.ts';
import { endpointPorts } from './endpoint-ports.ts';

const endpoint = await embeddedEndpoint();
afterAll(endpoint.close);

endpointContract('local cloud', async () => endpoint);

// No contract: LocalStack's DynamoDB refuses an item from 405,000 bytes on.
test('a record of 409,000 bytes is written whole', async () => {
  const { table, read } = await endpointPorts(endpoint).records();
  const data = { order_id: '1', note: 'x'.repeat(409_000) };
  expect(await table.upsert(eventOf({ key: '1', version: 1, data }))).toEqual({ kind: 'written' });
  expect(await read('1')).toEqual(data);
});
