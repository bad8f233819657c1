import {
  BatchWriteItemCommand,
  DescribeTableCommand,
  ListTablesCommand,
  QueryCommand,
  ScanCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { AttributeValue, QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestDynamo } from './dynamo-cloud.ts';
import type { TestDynamo } from './dynamo-cloud.ts';

let cloud: TestDynamo;
beforeEach(async () => {
  cloud = await openTestDynamo();
});
afterEach(() => cloud.close());

const TIMES = ['-12.5', '-3', '0', '9', '10', '100'];

async function fillEvents(): Promise<void> {
  const items = TIMES.toReversed().flatMap((at) =>
    ['a', 'b'].map((pk) => ({
      PutRequest: { Item: { pk: { S: pk }, at: { N: at }, parity: { BOOL: at !== '9' } } },
    })),
  );
  await cloud.client.send(new BatchWriteItemCommand({ RequestItems: { events: items } }));
}

const query = (
  condition: string,
  values: Record<string, AttributeValue>,
  more: Partial<QueryCommandInput> = {},
) =>
  cloud.client.send(
    new QueryCommand({
      TableName: 'events',
      KeyConditionExpression: `pk = :pk${condition}`,
      ExpressionAttributeValues: { ':pk': { S: 'a' }, ...values },
      ...more,
      ...(condition.includes('#at') ? { ExpressionAttributeNames: { '#at': 'at' } } : {}),
    }),
  );

const times = (items: Record<string, AttributeValue>[] = []) => items.map(({ at }) => at?.N);

test.each<[string, Record<string, AttributeValue>, string[]]>([
  ['', {}, TIMES],
  [' AND #at = :x', { ':x': { N: '9.0' } }, ['9']],
  [' AND #at < :x', { ':x': { N: '9' } }, ['-12.5', '-3', '0']],
  [' AND #at >= :x', { ':x': { N: '9' } }, ['9', '10', '100']],
  [' AND #at BETWEEN :x AND :y', { ':x': { N: '-3' }, ':y': { N: '10' } }, ['-3', '0', '9', '10']],
])(
  'a query with the condition pk = :pk%s answers in the order of numbers',
  async (condition, values, expected) => {
    await fillEvents();
    expect(times((await query(condition, values)).Items)).toEqual(expected);
  },
);

test('a query goes backwards, page by page', async () => {
  await fillEvents();
  const seen: (string | undefined)[] = [];
  let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
  let pages = 0;
  do {
    const page = await query('', {}, { ScanIndexForward: false, Limit: 4, ExclusiveStartKey });
    seen.push(...times(page.Items));
    ExclusiveStartKey = page.LastEvaluatedKey;
    pages += 1;
  } while (ExclusiveStartKey !== undefined);
  expect(seen).toEqual(TIMES.toReversed());
  expect(pages).toBe(2);
});

test('a filter is applied behind the limit', async () => {
  await fillEvents();
  const page = await query(
    '',
    { ':yes': { BOOL: true } },
    { FilterExpression: 'parity = :yes', Limit: 5 },
  );
  expect([page.Count, page.ScannedCount]).toEqual([4, 5]);
  expect(page.LastEvaluatedKey).toEqual({ pk: { S: 'a' }, at: { N: '10' } });
});

test('a projection answers only what it names', async () => {
  await fillEvents();
  const { Items } = await query('', {}, { ProjectionExpression: 'parity', Limit: 1 });
  expect(Items).toEqual([{ parity: { BOOL: true } }]);
});

test.each<[string, Partial<QueryCommandInput>]>([
  ['missed key schema element: pk', { KeyConditionExpression: 'parity = :pk' }],
  ['key condition not supported', { KeyConditionExpression: 'pk > :pk' }],
  ['Invalid operator', { KeyConditionExpression: 'pk = :pk OR pk = :pk' }],
  ['type does not match', { ExpressionAttributeValues: { ':pk': { N: '1' } } }],
  ['non-primary key attributes', { FilterExpression: 'pk = :pk' }],
  ['emulator limit', { IndexName: 'by-time' }],
  ['starting key is invalid', { ExclusiveStartKey: { pk: { S: 'a' } } }],
])('a query is refused: %s', async (why, more) => {
  await expect(query('', {}, more)).rejects.toMatchObject({
    name: 'ValidationException',
    message: expect.stringContaining(why),
  });
});

test('a sort key of text answers to begins_with', async () => {
  cloud.dynamo.createTable({
    TableName: 'state',
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S',
    })),
  });
  for (const sk of ['shard', 'shard-', 'shard-1', 'shard-é', 'shard.1', 'shar']) {
    await cloud.client.send(
      new PutItemCommand({ TableName: 'state', Item: { pk: { S: 'a' }, sk: { S: sk } } }),
    );
  }
  const { Items } = await cloud.client.send(
    new QueryCommand({
      TableName: 'state',
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :start)',
      ExpressionAttributeValues: { ':pk': { S: 'a' }, ':start': { S: 'shard-' } },
    }),
  );
  expect(Items?.map(({ sk }) => sk?.S)).toEqual(['shard-', 'shard-1', 'shard-é']);
});

test('a scan meets every item once, in pages, and not in the order of keys', async () => {
  const keys = Array.from({ length: 50 }, (_, n) => `key-${String(n).padStart(2, '0')}`);
  for (const pk of keys) {
    await cloud.client.send(new PutItemCommand({ TableName: 'orders', Item: { pk: { S: pk } } }));
  }
  const seen: string[] = [];
  let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
  do {
    const page = await cloud.client.send(
      new ScanCommand({ TableName: 'orders', Limit: 7, ExclusiveStartKey }),
    );
    seen.push(...(page.Items ?? []).map(({ pk }) => pk?.S ?? ''));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  expect(seen.toSorted()).toEqual(keys);
  expect(seen).not.toEqual(keys);
});

test('a page of a scan ends at 1 MiB', async () => {
  for (let n = 0; n < 12; n++) {
    const Item = { pk: { S: `key-${n}` }, data: { S: 'x'.repeat(100_000) } };
    await cloud.client.send(new PutItemCommand({ TableName: 'orders', Item }));
  }
  const page = await cloud.client.send(new ScanCommand({ TableName: 'orders' }));
  expect(page.Count).toBe(11);
  expect(page.LastEvaluatedKey).toEqual({ pk: page.Items?.at(-1)?.['pk'] });
  const rest = await cloud.client.send(
    new ScanCommand({
      TableName: 'orders',
      ExclusiveStartKey: page.LastEvaluatedKey,
      Select: 'COUNT',
    }),
  );
  expect([rest.Count, rest.Items]).toEqual([1, undefined]);
});

test('tables are listed and described', async () => {
  const { TableNames } = await cloud.client.send(new ListTablesCommand({}));
  expect(TableNames).toEqual(['events', 'orders']);
  const { Table } = await cloud.client.send(new DescribeTableCommand({ TableName: 'events' }));
  expect([Table?.TableStatus, Table?.TableArn, Table?.KeySchema?.length]).toEqual([
    'ACTIVE',
    'arn:aws:dynamodb:eu-west-1:123456789012:table/events',
    2,
  ]);
  await expect(
    cloud.client.send(new DescribeTableCommand({ TableName: 'nowhere' })),
  ).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  });
});

test('a table with an index is an emulator limit, loudly', () => {
  expect(() =>
    cloud.dynamo.createTable({ TableName: 'indexed', GlobalSecondaryIndexes: [{}] }),
  ).toThrow('emulator limit');
});
