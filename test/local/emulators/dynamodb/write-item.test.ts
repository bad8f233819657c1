import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  TransactionCanceledException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { AttributeValue, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FaultPlan } from '#local/contracts';
import { openTestDynamo } from './dynamo-cloud.ts';
import type { TestDynamo } from './dynamo-cloud.ts';

const TableName = 'orders';
const KEY = { pk: { S: 'a' } };
let cloud: TestDynamo;
let faults: FaultPlan = {};
beforeEach(async () => {
  faults = {};
  cloud = await openTestDynamo({ faults: { onTable: (...ask) => faults.onTable?.(...ask) } });
});
afterEach(() => cloud.close());

const put = (Item: Record<string, AttributeValue>) =>
  cloud.client.send(new PutItemCommand({ TableName, Item: { ...KEY, ...Item } }));
const get = async (pk = 'a') =>
  (await cloud.client.send(new GetItemCommand({ TableName, Key: { pk: { S: pk } } }))).Item;
const update = (input: Omit<UpdateItemCommandInput, 'TableName' | 'Key'>) =>
  cloud.client.send(new UpdateItemCommand({ TableName, Key: KEY, ...input }));
const invalid = (message: string) => ({
  name: 'ValidationException',
  message: expect.stringContaining(message),
});

test('an item comes back as it was put, its numbers canonical', async () => {
  const item = {
    text: { S: '' },
    amount: { N: '10.00' },
    long: { N: '12345678901234567890.123456789012345678' },
    bytes: { B: Uint8Array.of(0, 255) },
    list: { L: [{ BOOL: false }, { NULL: true as const }] },
    map: { M: { __proto__x: { S: 'x' }, constructor: { N: '1' } } },
    tags: { SS: ['b', 'a'] },
  };
  await put(item);
  expect(await get()).toEqual({ ...KEY, ...item, amount: { N: '10' } });
});

test('an item that is not there is not there', async () => {
  expect(await get('nobody')).toBeUndefined();
});

/** The condition under which the product writes: absent, older, or equal and seen earlier. */
const upsert = (version: string, observed: string) =>
  update({
    UpdateExpression: 'SET #v = :v, #o = :o, #first = if_not_exists(#first, :o)',
    ConditionExpression: 'attribute_not_exists(#v) OR #v < :v OR (#v = :v AND #o < :o)',
    ExpressionAttributeNames: { '#v': '_version', '#o': '_observed', '#first': '_first_seen' },
    ExpressionAttributeValues: { ':v': { S: version }, ':o': { S: observed } },
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });

test('a conditional upsert writes what is newer and refuses the rest with the old item', async () => {
  expect((await upsert('2', '5')).Attributes).toEqual({
    ...KEY,
    _version: { S: '2' },
    _observed: { S: '5' },
    _first_seen: { S: '5' },
  });
  for (const [version, observed] of [
    ['1', '9'],
    ['2', '5'],
    ['2', '4'],
  ] as const) {
    const error = await upsert(version, observed).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConditionalCheckFailedException);
    expect((error as ConditionalCheckFailedException).Item).toMatchObject({ _version: { S: '2' } });
  }
  expect((await upsert('2', '6')).Attributes?.['_first_seen']).toEqual({ S: '5' });
  expect((await upsert('3', '1')).Attributes?.['_version']).toEqual({ S: '3' });
});

test('every operand of an update is read from the item as it was before', async () => {
  await put({ x: { N: '1' }, y: { N: '2' } });
  const { Attributes } = await update({
    UpdateExpression: 'SET x = y, y = x + :by, fresh = y - :by',
    ExpressionAttributeValues: { ':by': { N: '0.1' } },
    ReturnValues: 'UPDATED_NEW',
  });
  expect(Attributes).toEqual({ x: { N: '2' }, y: { N: '1.1' }, fresh: { N: '1.9' } });
});

test('an update removes, adds, deletes from sets and goes into what is nested', async () => {
  await put({
    gone: { S: 'x' },
    count: { N: '1' },
    tags: { SS: ['a', 'b'] },
    last: { SS: ['z'] },
    nest: { M: { keep: { S: 'k' }, drop: { S: 'd' } } },
    entries: { L: [{ N: '0' }, { N: '1' }, { N: '2' }] },
  });
  await update({
    UpdateExpression:
      'SET nest.fresh = :one, joined = list_append(entries, :list) REMOVE gone, nest.#d, entries[0], entries[1] ' +
      'ADD #c :one, tags :more DELETE #l :z',
    ExpressionAttributeNames: { '#c': 'count', '#d': 'drop', '#l': 'last' },
    ExpressionAttributeValues: {
      ':one': { N: '1' },
      ':list': { L: [{ N: '9' }] },
      ':more': { SS: ['b', 'c'] },
      ':z': { SS: ['z'] },
    },
  });
  expect(await get()).toEqual({
    ...KEY,
    count: { N: '2' },
    tags: { SS: ['a', 'b', 'c'] },
    nest: { M: { keep: { S: 'k' }, fresh: { N: '1' } } },
    entries: { L: [{ N: '2' }] },
    joined: { L: [{ N: '0' }, { N: '1' }, { N: '2' }, { N: '9' }] },
  });
});

test('an update of what is not there creates it with its key', async () => {
  await update({
    UpdateExpression: 'ADD hits :n',
    ExpressionAttributeValues: { ':n': { N: '3' } },
  });
  expect(await get()).toEqual({ ...KEY, hits: { N: '3' } });
});

test.each<[string, Partial<UpdateItemCommandInput>]>([
  [
    'Cannot update attribute pk',
    { UpdateExpression: 'SET pk = :x', ExpressionAttributeValues: { ':x': { S: 'b' } } },
  ],
  ['overlap', { UpdateExpression: 'REMOVE x, x.y' }],
  ['overlap', { UpdateExpression: 'REMOVE x, #x', ExpressionAttributeNames: { '#x': 'x' } }],
  ['can only be used once', { UpdateExpression: 'REMOVE x REMOVE y' }],
  ['does not exist in the item', { UpdateExpression: 'SET x = y' }],
  [
    'invalid for update',
    { UpdateExpression: 'SET x.y = :n', ExpressionAttributeValues: { ':n': { N: '1' } } },
  ],
  ['reserved keyword: data', { UpdateExpression: 'REMOVE data' }],
  ['emulator limit', { AttributeUpdates: {} }],
  ['emulator limit', { Expected: { x: { Exists: false } }, UpdateExpression: 'REMOVE x' }],
  ['does not match the schema', { Key: { pk: { N: '1' } }, UpdateExpression: 'REMOVE x' }],
  ['does not match the schema', { Key: { pk: { S: 'a' }, sk: { S: 'b' } } }],
  ['empty string', { Key: { pk: { S: '' } } }],
])('an update is refused: %s', async (why, input) => {
  await expect(update(input)).rejects.toMatchObject(invalid(why));
});

test.each<[string, Record<string, AttributeValue>]>([
  ['empty string', { pk: { S: '' } }],
  ['38 significant digits', { n: { N: '1'.repeat(39) } }],
  ['cannot be converted', { n: { N: 'one' } }],
  ['may not be empty', { tags: { SS: [] } }],
  ['duplicates', { tags: { NS: ['1', '1.0'] } }],
  ['must have the value of true', { none: { NULL: false as unknown as true } }],
])('a put is refused: %s', async (why, item) => {
  await expect(put(item)).rejects.toMatchObject(invalid(why));
});

test('an item of 400 KiB is taken, and of one byte more refused', async () => {
  const room = 400 * 1024 - 'pk'.length - 'a'.length - 'data'.length;
  await put({ data: { S: 'x'.repeat(room) } });
  await expect(put({ data: { S: 'x'.repeat(room + 1) } })).rejects.toMatchObject(
    invalid('exceeded the maximum allowed size'),
  );
});

test('a condition holds back a put and a delete too', async () => {
  await put({ n: { N: '1' } });
  const condition = { ConditionExpression: 'attribute_not_exists(pk)' };
  const failed = { name: 'ConditionalCheckFailedException' };
  await expect(
    cloud.client.send(new PutItemCommand({ TableName, Item: KEY, ...condition })),
  ).rejects.toMatchObject(failed);
  await expect(
    cloud.client.send(new DeleteItemCommand({ TableName, Key: KEY, ...condition })),
  ).rejects.toMatchObject(failed);
  const { Attributes } = await cloud.client.send(
    new DeleteItemCommand({ TableName, Key: KEY, ReturnValues: 'ALL_OLD' }),
  );
  expect(Attributes).toEqual({ ...KEY, n: { N: '1' } });
  expect(await get()).toBeUndefined();
});

test('LOCL-13: one key twice in a batch is refused, and nothing is written', async () => {
  const request = {
    RequestItems: { [TableName]: [{ PutRequest: { Item: KEY } }, { DeleteRequest: { Key: KEY } }] },
  };
  await expect(cloud.client.send(new BatchWriteItemCommand(request))).rejects.toMatchObject(
    invalid('duplicates'),
  );
  expect(await get()).toBeUndefined();
});

test('a batch holds 25 items, and answers those it did not process', async () => {
  const requests = (count: number) => ({
    RequestItems: {
      [TableName]: Array.from({ length: count }, (_, n) => ({
        PutRequest: { Item: { pk: { S: `k${n}` } } },
      })),
    },
  });
  await expect(cloud.client.send(new BatchWriteItemCommand(requests(26)))).rejects.toMatchObject(
    invalid('Too many'),
  );
  let calls = 0;
  faults = { onTable: () => (calls++ % 5 === 4 ? 'throttle' : undefined) };
  const { UnprocessedItems } = await cloud.client.send(new BatchWriteItemCommand(requests(25)));
  expect(UnprocessedItems?.[TableName]).toHaveLength(5);
  faults = {};
  const { Items } = await cloud.client.send(new ScanCommand({ TableName }));
  expect(Items).toHaveLength(20);
  const keys = Array.from({ length: 25 }, (_, n) => ({ pk: { S: `k${n}` } }));
  const { Responses } = await cloud.client.send(
    new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: keys } } }),
  );
  expect(Responses?.[TableName]).toHaveLength(20);
});

test('a transaction writes all or nothing, and says which condition failed', async () => {
  const item = (pk: string) => ({
    TableName,
    Item: { pk: { S: pk } },
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  await put({});
  const error = await cloud.client
    .send(
      new TransactWriteItemsCommand({ TransactItems: [{ Put: item('b') }, { Put: item('a') }] }),
    )
    .catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(TransactionCanceledException);
  expect(
    (error as TransactionCanceledException).CancellationReasons?.map(({ Code }) => Code),
  ).toEqual(['None', 'ConditionalCheckFailed']);
  expect(await get('b')).toBeUndefined();
  const good = {
    TransactItems: [{ Put: item('b') }, { Put: item('c') }],
    ClientRequestToken: 'once',
  };
  await cloud.client.send(new TransactWriteItemsCommand(good));
  await cloud.client.send(new TransactWriteItemsCommand(good));
  expect(await get('c')).toMatchObject({ pk: { S: 'c' } });
});

test('a throttled request changes nothing', async () => {
  faults = { onTable: (_, operation) => (operation === 'PutItem' ? 'throttle' : undefined) };
  await expect(put({})).rejects.toMatchObject({ name: 'ProvisionedThroughputExceededException' });
  expect(await get()).toBeUndefined();
});

test('a request may time out after its write', async () => {
  faults = {
    onTable: (_, operation) => (operation === 'PutItem' ? 'timeout-after-write' : undefined),
  };
  await expect(put({})).rejects.toThrow();
  expect(await get()).toEqual(KEY);
});

test('an item whose time is over is gone; one that ended five years ago stays', async () => {
  const nowSec = cloud.clock.nowMs / 1_000;
  await put({ _expires: { N: String(nowSec + 60) } });
  const item = (pk: string, _expires: AttributeValue) =>
    cloud.client.send(new PutItemCommand({ TableName, Item: { pk: { S: pk }, _expires } }));
  await item('old', { N: String(nowSec - 6 * 365 * 86_400) });
  await item('text', { S: String(nowSec - 60) });
  cloud.clock.nowMs += 59_999;
  expect(await get()).toMatchObject(KEY);
  cloud.clock.nowMs += 1;
  expect(await get()).toBeUndefined();
  expect(await get('old')).toMatchObject({ pk: { S: 'old' } });
  expect(await get('text')).toMatchObject({ pk: { S: 'text' } });
});

test('an update that removes the end keeps the item', async () => {
  await put({ _expires: { N: String(cloud.clock.nowMs / 1_000 + 10) } });
  await update({ UpdateExpression: 'REMOVE #e', ExpressionAttributeNames: { '#e': '_expires' } });
  cloud.clock.nowMs += 100_000;
  expect(await get()).toEqual(KEY);
});

test('consumed capacity counts whole units of 1 KiB', async () => {
  const { ConsumedCapacity } = await cloud.client.send(
    new PutItemCommand({
      TableName,
      Item: { ...KEY, data: { S: 'x'.repeat(1_024) } },
      ReturnConsumedCapacity: 'TOTAL',
    }),
  );
  expect(ConsumedCapacity?.CapacityUnits).toBe(2);
});
