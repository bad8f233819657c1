import { afterAll, describe, expect, test } from 'vitest';
import type { FaultPlan } from '#local/contracts';
import { createDynamoDb } from '#local/emulators/dynamodb/dynamodb';
import { createKinesis } from '#local/emulators/kinesis/kinesis';
import { openStorage } from '#local/storage';
import { SYSTEM_CLOCK } from '#local/system-clock';
import { openWire } from '#local/wire';
import type { PartitionKey } from '#core/record/records';
import { publish } from '#pipeline/publish';
import { testClock } from '#test/pipeline/poll-world';
import { endpointPollStateStore, endpointStreamWriter } from './endpoint-stores.ts';
import { pollStateStoreContract } from './poll-state-store.contract.ts';
import { streamWriterContract } from './stream-writer.contract.ts';

const REGION = 'eu-central-1';
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
});

async function openStream(faults: FaultPlan = {}) {
  const kinesis = createKinesis({
    storage: openStorage(),
    clock: SYSTEM_CLOCK,
    region: REGION,
    accountId: '000000000000',
    faults,
  });
  kinesis.createStream({ Name: 'orders', ShardCount: 2 });
  const wire = await openWire({ targets: { [kinesis.target]: kinesis }, paths: [] });
  closing.push(() => wire.close());
  return { kinesis, writer: endpointStreamWriter({ url: wire.url, region: REGION }, 'orders') };
}

streamWriterContract('local cloud', async () => (await openStream()).writer);

pollStateStoreContract('local cloud', async () => {
  const place = { clock: SYSTEM_CLOCK, region: REGION, accountId: '000000000000' };
  const dynamo = createDynamoDb({ ...place, storage: openStorage(), faults: {} });
  dynamo.createTable({
    TableName: 'state',
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
    ],
  });
  const wire = await openWire({ targets: { [dynamo.target]: dynamo }, paths: [] });
  closing.push(() => wire.close());
  return endpointPollStateStore({ url: wire.url, region: REGION }, 'state');
});

describe('publishing to a stream that fails', () => {
  test('writes every record, and first writes of a key in order', async () => {
    let entry = 0;
    let request = 0;
    const { kinesis, writer } = await openStream({
      onPut: () => (++entry % 5 === 0 ? 'throttle' : entry % 7 === 0 ? 'fail' : undefined),
      onPutRequest: () => (++request % 4 === 0 ? 'timeout-after-write' : undefined),
    });
    const records = Array.from({ length: 200 }, (_, at) => {
      const partitionKey = `key-${at % 17}` as PartitionKey;
      return { partitionKey, bytes: 10, record: { partitionKey, data: new Uint8Array([at]) } };
    });
    const result = await publish(
      records,
      { pipeline: 'orders' },
      {
        writer,
        clock: testClock(),
        chance: () => 0,
        report: () => undefined,
        mayPut: async () => 'granted',
      },
    );
    expect(result.kind).toBe('published');
    expect(result.resent).toBeGreaterThan(20);

    const stored = kinesis
      .listShards('orders')
      .flatMap(
        ({ shardId }) =>
          kinesis.read('orders', shardId, { kind: 'trim-horizon' }, { records: 10_000, bytes: 1e9 })
            .records,
      );
    for (let key = 0; key < 17; key++) {
      const writes = stored.filter((r) => r.partitionKey === `key-${key}`).map((r) => r.data[0]!);
      const firsts = writes.filter((number, at) => writes.indexOf(number) === at);
      const wanted = records.map((_, at) => at).filter((at) => at % 17 === key);
      expect(firsts).toEqual(wanted);
    }
  });
});
