import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { clientOptions } from '#adapters/aws/client-options';
import { signedFetch } from '#adapters/aws/signed-fetch';
import { dynamoCheckpointStore } from '#adapters/dynamodb/checkpoint-store';
import { dynamoRecordTable } from '#adapters/dynamodb/record-table';
import { bucketQuarantine } from '#adapters/objects/quarantine';
import { systemClock } from '#adapters/system/clock';
import type { SequenceNumber } from '#core/record/records';
import type { FaultPlan } from '#local/contracts';
import { createDynamoDb } from '#local/emulators/dynamodb/dynamodb';
import { createObjects } from '#local/emulators/objects/objects';
import { openStorage } from '#local/storage';
import { SYSTEM_CLOCK } from '#local/system-clock';
import { openWire } from '#local/wire';
import { consumeWorld, eventOf, recordOf } from '#test/pipeline/consume-world';
import { checkpointStoreContract } from './checkpoint-store.contract.ts';
import { readItem, recordIn } from './read-item.ts';
import { recordTableContract } from './record-table.contract.ts';

const REGION = 'eu-central-1';
const TABLE = 'penstock-dev-orders-audit';
const STATE = 'penstock-dev-state';
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
});

async function openCloud(faults: FaultPlan = {}) {
  const parts = { storage: openStorage(), clock: SYSTEM_CLOCK, region: REGION };
  const dynamo = createDynamoDb({ ...parts, accountId: '000000000000', faults });
  const objects = createObjects(parts);
  objects.buckets.createBucket('box');
  dynamo.createTable({ TableName: TABLE, ...keysOf('order_id') });
  dynamo.createTable({ TableName: STATE, ...keysOf('pk', 'sk') });
  const wire = await openWire({
    targets: { [dynamo.target]: dynamo },
    paths: [{ matches: () => true, handler: objects }],
  });
  closing.push(() => wire.close());

  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const limits = clientOptions({ requestTimeoutMs: 5_000, concurrency: 8 });
  const client = new DynamoDBClient({
    endpoint: wire.url,
    region: REGION,
    credentials,
    ...limits,
  });
  const rules = { tableName: TABLE, keyName: 'order_id', tombstoneDays: 7, clock: systemClock };
  const send = signedFetch('s3', {
    AWS_ENDPOINT_URL: wire.url,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
  return {
    client,
    objects,
    table: dynamoRecordTable(client, rules),
    checkpoints: dynamoCheckpointStore(client, { tableName: STATE }),
    quarantine: bucketQuarantine(send, 'box'),
    read: async (key: string) => recordIn(await readItem(client, TABLE, key)),
  };
}

function keysOf(...names: readonly string[]) {
  return {
    KeySchema: names.map((name, at) => ({ AttributeName: name, KeyType: at ? 'RANGE' : 'HASH' })),
    AttributeDefinitions: names.map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    BillingMode: 'PAY_PER_REQUEST',
  };
}

recordTableContract('local cloud', openCloud);
checkpointStoreContract('local cloud', async () => (await openCloud()).checkpoints);

test('SINK-20: a tombstone carries its end in epoch seconds, and a return removes it', async () => {
  const { client, table } = await openCloud();
  const beforeSec = Math.floor(Date.now() / 1_000);
  await table.upsert(eventOf({ key: '1', version: 3, deleted: true }));
  const tombstone = await readItem(client, TABLE, '1');
  expect(tombstone?.['_deleted']).toEqual({ BOOL: true });
  expect(tombstone?.['_expires']?.N).toMatch(/^\d{10}$/);
  expect(Number(tombstone?.['_expires']?.N) - 7 * 86_400).toBeGreaterThanOrEqual(beforeSec);

  await table.upsert(eventOf({ key: '1', version: 4 }));
  const back = await readItem(client, TABLE, '1');
  expect(back).not.toHaveProperty('_deleted');
  expect(back).not.toHaveProperty('_expires');
});

test('an item that our own rules let through is refused when DynamoDB finds it too large', async () => {
  const { client, table } = await openCloud();
  const data = { order_id: '1', note: 'x'.repeat(409_000) };
  const outcome = await table.upsert(eventOf({ key: '1', version: 1, data }));
  expect(outcome.kind).toBe('written');
  const more = { order_id: '2', note: 'x'.repeat(409_900) };
  const refused = await table.upsert(eventOf({ key: '2', version: 1, data: more }));
  expect(refused).toMatchObject({ kind: 'refused', reason: 'item-too-large' });
  expect(await readItem(client, TABLE, '2')).toBeUndefined();
});

test('a checkpoint of a newer form is left alone, in one sentence', async () => {
  const { client, checkpoints } = await openCloud();
  const who = { pipeline: 'orders', consumer: 'audit' };
  const Item = {
    pk: { S: 'checkpoint#orders#audit' },
    sk: { S: 'shardId-000000000004' },
    v: { N: '2' },
  };
  await client.send(new PutItemCommand({ TableName: STATE, Item }));
  const save = checkpoints.save({
    ...who,
    shardId: 'shardId-000000000004',
    reach: 'frontier',
    sequenceNumber: '7' as SequenceNumber,
    arrivalTimeMs: 1_900_000_000_001,
    atMs: 1_900_000_000_777,
  });
  await expect(save).rejects.toThrow(/form 2.*up to 1/);
  await expect(checkpoints.list(who)).rejects.toThrow(/form 2.*up to 1/);
});

test('through throttles and lost answers every key ends at its newest version', async () => {
  let asked = 0;
  const cloud = await openCloud({
    onTable: () =>
      ++asked % 5 === 0 ? 'throttle' : asked % 7 === 0 ? 'timeout-after-write' : undefined,
  });
  const { table, quarantine, checkpoints } = cloud;
  const world = consumeWorld({ table, quarantine, checkpoints });
  const batch = Array.from({ length: 60 }, (_, at) =>
    at % 20 === 13
      ? recordOf(90 + at, '%%%not json')
      : recordOf(90 + at, eventOf({ key: `k${at % 9}`, version: (at * 7) % 60, data: { at } })),
  );
  let rest: readonly (typeof batch)[number][] = batch;
  for (let attempt = 0; rest.length > 0 && attempt < 40; attempt++) {
    const { resumeAt } = await world.consume(rest);
    rest = rest.slice(
      resumeAt ? rest.findIndex((one) => one.sequenceNumber === resumeAt) : rest.length,
    );
  }
  expect(rest).toEqual([]);
  expect(world.summaries().length).toBeGreaterThan(1);

  for (let key = 0; key < 9; key++) {
    const places = [...batch.keys()].filter((at) => at % 9 === key && at % 20 !== 13);
    const newest = places.reduce((a, b) => ((a * 7) % 60 > (b * 7) % 60 ? a : b));
    expect(recordIn(await untilAnswered(() => readItem(cloud.client, TABLE, `k${key}`)))).toEqual({
      order_id: `k${key}`,
      at: newest,
    });
  }
  expect(cloud.objects.buckets.list('box', 'orders/not-json/')).toHaveLength(3);
});

async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      return await ask();
    } catch {
      // A fault of the plan; the next one is asked.
    }
  }
  return ask();
}
