import { expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { A, askDynamo } from './ask-dynamo.ts';
import { sale, SALES } from './indexed-table.ts';

const dynamo = askDynamo();
const TOTAL = { ReturnConsumedCapacity: 'TOTAL' };
const consumed = async (operation: string, input: object) =>
  (await dynamo.ask(operation, { TableName: 'orders', ...TOTAL, ...input }))['ConsumedCapacity'];
const units = (CapacityUnits: number) => ({ TableName: 'orders', CapacityUnits });
const item = (bytes: number) => ({ ...A, data: { S: 'x'.repeat(bytes - 7) } });

ruleTest('dynamodb', 'capacity-on-request', async () => {
  const none = await dynamo.ask('PutItem', { TableName: 'orders', Item: A });
  expect(none).toEqual({});
  const input = { TableName: 'orders', Item: A, ReturnConsumedCapacity: 'INDEXES' };
  expect((await dynamo.ask('PutItem', input))['ConsumedCapacity']).toEqual({
    ...units(1),
    Table: { CapacityUnits: 1 },
  });
});

ruleTest('dynamodb', 'write-units', async () => {
  expect(await consumed('PutItem', { Item: item(1_024) })).toEqual(units(1));
  expect(await consumed('PutItem', { Item: item(1_025) })).toEqual(units(2));
  expect(await consumed('PutItem', { Item: A })).toEqual(units(2));
  expect(await consumed('DeleteItem', { Key: A })).toEqual(units(1));
  expect(await consumed('DeleteItem', { Key: A })).toEqual(units(1));
});

ruleTest('dynamodb', 'read-units', async () => {
  await dynamo.put(item(4_097));
  expect(await consumed('GetItem', { Key: A })).toEqual(units(1));
  expect(await consumed('GetItem', { Key: A, ConsistentRead: true })).toEqual(units(2));
  expect(await consumed('GetItem', { Key: { pk: { S: 'gone' } } })).toEqual(units(0.5));
});

ruleTest('dynamodb', 'page-units', async () => {
  for (let at = 0; at < 10; at++)
    await dynamo.put({ pk: { S: `k${at}` }, x: { S: 'x'.repeat(900) } });
  expect(await consumed('Scan', { Select: 'COUNT' })).toEqual(units(1.5));
});

ruleTest('dynamodb', 'index-write-units', async () => {
  await dynamo.ask('CreateTable', SALES);
  const INDEXES = { TableName: 'sales', ReturnConsumedCapacity: 'INDEXES' };
  const put = async (more: Readonly<Record<string, string>>) =>
    (await dynamo.ask('PutItem', { ...INDEXES, Item: sale('1', more) }))['ConsumedCapacity'];
  const one = { CapacityUnits: 1 };
  const two = { CapacityUnits: 2 };
  const first = { city: 'c1', buyer: 'b1', day: 'd1', note: 'n' };
  const sales = { TableName: 'sales', Table: one };
  expect(await put(first)).toEqual({
    ...sales,
    CapacityUnits: 5,
    LocalSecondaryIndexes: { 'by-day': one },
    GlobalSecondaryIndexes: { 'by-buyer': one, 'by-city': one, 'by-note': one },
  });
  expect(await put({ ...first, note: 'other' })).toEqual({
    ...sales,
    CapacityUnits: 3,
    GlobalSecondaryIndexes: { 'by-buyer': one, 'by-note': one },
  });
  expect(await put({ ...first, note: 'other', city: 'c2' })).toEqual({
    ...sales,
    CapacityUnits: 6,
    GlobalSecondaryIndexes: { 'by-buyer': one, 'by-city': two, 'by-note': two },
  });
});

ruleTest('dynamodb', 'collection-metrics', async () => {
  const SIZE = { ReturnItemCollectionMetrics: 'SIZE' };
  expect(await dynamo.ask('PutItem', { TableName: 'orders', Item: A, ...SIZE })).toEqual({});
  await dynamo.ask('CreateTable', SALES);
  const metrics = { ItemCollectionKey: { shop: { S: 's1' } }, SizeEstimateRangeGB: [0, 1] };
  const put = { TableName: 'sales', Item: sale('1') };
  expect(await dynamo.ask('PutItem', { ...put, ...SIZE })).toEqual({
    ItemCollectionMetrics: metrics,
  });
  const batch = { RequestItems: { sales: [{ PutRequest: { Item: sale('1') } }] }, ...SIZE };
  expect((await dynamo.ask('BatchWriteItem', batch))['ItemCollectionMetrics']).toEqual({
    sales: [metrics],
  });
});
