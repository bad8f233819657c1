import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  GetItemCommand,
  PutItemCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, expect, test } from 'vitest';
import { openStorage } from '#local/storage';
import { openTestDynamo } from './dynamo-cloud.ts';
import type { TestDynamo } from './dynamo-cloud.ts';

let cloud: TestDynamo;
const folder = mkdtempSync(join(tmpdir(), 'dynamodb-'));
afterEach(async () => {
  await cloud.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = (pk: string) =>
  cloud.client.send(new GetItemCommand({ TableName: 'orders', Key: { pk: { S: pk } } }));

test('a kept file holds tables and items across a restart', async () => {
  const file = join(folder, 'cloud.sqlite');
  const first = openStorage(file);
  cloud = await openTestDynamo({ storage: first });
  const item = { pk: { S: 'a' }, n: { N: '1.5' } };
  await cloud.client.send(new PutItemCommand({ TableName: 'orders', Item: item }));
  const before = await cloud.client.send(new DescribeTableCommand({ TableName: 'orders' }));
  await cloud.close();
  first.close();
  cloud = await openTestDynamo({ storage: openStorage(file) });
  expect((await get('a')).Item).toEqual(item);
  const after = await cloud.client.send(new DescribeTableCommand({ TableName: 'orders' }));
  expect(after.Table?.TableId).toBe(before.Table?.TableId);
  expect(after.Table?.ItemCount).toBe(1);
});

test('a template that changes the keys of a table is refused', async () => {
  cloud = await openTestDynamo();
  expect(() =>
    cloud.dynamo.createTable({
      TableName: 'orders',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    }),
  ).toThrow('other keys');
});

test('time to live turned on later counts for items that are there', async () => {
  cloud = await openTestDynamo();
  await cloud.client.send(
    new CreateTableCommand({
      TableName: 'later',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  const Item = { pk: { S: 'a' }, end: { N: String(cloud.clock.nowMs / 1_000 + 5) } };
  await cloud.client.send(new PutItemCommand({ TableName: 'later', Item }));
  const TimeToLiveSpecification = { AttributeName: 'end', Enabled: true };
  await cloud.client.send(
    new UpdateTimeToLiveCommand({ TableName: 'later', TimeToLiveSpecification }),
  );
  const { TimeToLiveDescription } = await cloud.client.send(
    new DescribeTimeToLiveCommand({ TableName: 'later' }),
  );
  expect(TimeToLiveDescription).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'end' });
  cloud.clock.nowMs += 5_000;
  const { Table } = await cloud.client.send(new DescribeTableCommand({ TableName: 'later' }));
  expect(Table?.ItemCount).toBe(0);
});

test('a deleted table takes its items with it', async () => {
  cloud = await openTestDynamo();
  await cloud.client.send(new PutItemCommand({ TableName: 'orders', Item: { pk: { S: 'a' } } }));
  await cloud.client.send(new DeleteTableCommand({ TableName: 'orders' }));
  await expect(get('a')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  cloud.dynamo.createTable({
    TableName: 'orders',
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  });
  expect((await get('a')).Item).toBeUndefined();
});

test('an answer carries its request id and its checksum', async () => {
  cloud = await openTestDynamo();
  const answer = await fetch(cloud.url, {
    method: 'POST',
    headers: { 'x-amz-target': 'DynamoDB_20120810.ListTables' },
    body: '{}',
  });
  const body = Buffer.from(await answer.arrayBuffer());
  expect(answer.headers.get('x-amz-crc32')).toBe(String(crc32(body)));
  expect(answer.headers.get('x-amzn-requestid')).toMatch(/^[0-9a-f-]{36}$/);
});

test.each([
  ['Nothing', '{}', 'UnknownOperationException'],
  ['toString', '{}', 'UnknownOperationException'],
  ['ListTables', '[]', 'SerializationException'],
  ['ListTables', '{', 'SerializationException'],
])('%s with the body %s is answered %s', async (operation, body, code) => {
  cloud = await openTestDynamo();
  const answer = await fetch(cloud.url, {
    method: 'POST',
    headers: { 'x-amz-target': `DynamoDB_20120810.${operation}` },
    body,
  });
  expect(answer.status).toBe(400);
  expect(((await answer.json()) as { __type: string }).__type).toContain(code);
});

test('items named after members of objects are items like any other', async () => {
  cloud = await openTestDynamo();
  const body = {
    TableName: 'orders',
    Item: JSON.parse(
      '{"pk":{"S":"a"},"__proto__":{"S":"x"},"constructor":{"M":{"__proto__":{"N":"1"}}}}',
    ),
  };
  const ask = (operation: string, content: object) =>
    fetch(cloud.url, {
      method: 'POST',
      headers: { 'x-amz-target': `DynamoDB_20120810.${operation}` },
      body: JSON.stringify(content),
    });
  expect((await ask('PutItem', body)).status).toBe(200);
  const answer = await ask('GetItem', { TableName: 'orders', Key: { pk: { S: 'a' } } });
  expect(await answer.text()).toBe(JSON.stringify({ Item: body.Item }));
});
