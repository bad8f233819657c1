import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import {
  ConditionalCheckFailedException,
  DescribeTableCommand,
  GetItemCommand,
  PutItemCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, expect, test } from 'vitest';
import { openStorage } from '#local/storage';
import { ruleTest } from '#test/local/rules/rule-test';
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
const put = (more: object = {}) =>
  cloud.client.send(new PutItemCommand({ TableName: 'orders', Item: { pk: { S: 'a' } }, ...more }));

test('a kept file holds tables and items across a restart', async () => {
  const file = join(folder, 'cloud.sqlite');
  const first = openStorage(file);
  cloud = await openTestDynamo({ storage: first });
  const item = { pk: { S: 'a' }, n: { N: '1.5' } };
  await put({ Item: item });
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

test('a template with a stream of its own is an emulator limit, loudly', async () => {
  cloud = await openTestDynamo();
  expect(() =>
    cloud.dynamo.createTable({ TableName: 'streamed', StreamSpecification: {} }),
  ).toThrow('emulator limit: table property StreamSpecification');
});

ruleTest('dynamodb', 'sdk-errors', async () => {
  cloud = await openTestDynamo();
  await put();
  const condition = { ConditionExpression: 'attribute_not_exists(pk)' };
  const failed = await put({ ...condition, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }).catch(
    (caught: unknown) => caught,
  );
  expect(failed).toBeInstanceOf(ConditionalCheckFailedException);
  expect((failed as ConditionalCheckFailedException).Item).toEqual({ pk: { S: 'a' } });
  const Put = { TableName: 'orders', Item: { pk: { S: 'a' } }, ...condition };
  const cancelled = await cloud.client
    .send(new TransactWriteItemsCommand({ TransactItems: [{ Put }] }))
    .catch((caught: unknown) => caught);
  expect(cancelled).toBeInstanceOf(TransactionCanceledException);
  expect((cancelled as TransactionCanceledException).CancellationReasons).toMatchObject([
    { Code: 'ConditionalCheckFailed' },
  ]);
  await expect(put({ ConditionExpression: 'a b' })).rejects.toMatchObject({
    name: 'ValidationException',
    $metadata: { httpStatusCode: 400 },
  });
});

ruleTest('dynamodb', 'checksum', async () => {
  cloud = await openTestDynamo();
  const answer = await fetch(cloud.url, {
    method: 'POST',
    headers: { 'x-amz-target': 'DynamoDB_20120810.ListTables' },
    body: '{}',
  });
  const body = Buffer.from(await answer.arrayBuffer());
  expect(answer.headers.get('x-amz-crc32')).toBe(String(crc32(body)));
  expect(answer.headers.get('x-amzn-requestid')).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.headers.get('content-type')).toBe('application/x-amz-json-1.0');
});

for (const [operation, body, code] of [
  ['Nothing', '{}', 'com.amazon.coral.service#UnknownOperationException'],
  ['toString', '{}', 'com.amazon.coral.service#UnknownOperationException'],
  ['ListTables', '[]', 'com.amazon.coral.service#SerializationException'],
  ['ListTables', '{', 'com.amazon.coral.service#SerializationException'],
  ['GetItem', '{}', 'com.amazon.coral.validate#ValidationException'],
  [
    'DescribeTable',
    '{"TableName":"nowhere"}',
    'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException',
  ],
] as const) {
  ruleTest(
    'dynamodb',
    'error-codes',
    async () => {
      cloud = await openTestDynamo();
      const answer = await fetch(cloud.url, {
        method: 'POST',
        headers: { 'x-amz-target': `DynamoDB_20120810.${operation}` },
        body,
      });
      expect(answer.status).toBe(400);
      expect(((await answer.json()) as { __type: string }).__type).toBe(code);
    },
    `${operation} of ${body}`,
  );
}

ruleTest('dynamodb', 'any-attribute-name', async () => {
  cloud = await openTestDynamo();
  const body = {
    TableName: 'orders',
    Item: JSON.parse(
      '{"pk":{"S":"a"},"__proto__":{"S":"x"},"constructor":{"M":{"__proto__":{"N":"1"}}},"a b.c":{"S":""}}',
    ) as object,
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
  const updated = await ask('UpdateItem', {
    TableName: 'orders',
    Key: { pk: { S: 'b' } },
    UpdateExpression: 'SET #p = :m, #c = :m',
    ExpressionAttributeNames: { '#p': '__proto__', '#c': 'constructor' },
    ExpressionAttributeValues: { ':m': { M: {} } },
    ReturnValues: 'ALL_NEW',
  });
  expect(await updated.text()).toBe(
    '{"Attributes":{"pk":{"S":"b"},"__proto__":{"M":{}},"constructor":{"M":{}}}}',
  );
});
