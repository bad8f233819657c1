import { expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { A, askDynamo, invalid } from './ask-dynamo.ts';

const dynamo = askDynamo();
const key = (at: number | string) => ({ pk: { S: `k${at}` } });
const puts = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ PutRequest: { Item: key(at) } }));
const write = (orders: readonly object[], more: object = {}) =>
  dynamo.ask('BatchWriteItem', { RequestItems: { orders }, ...more });
const read = (Keys: readonly object[], more: object = {}, options: object = {}) =>
  dynamo.ask('BatchGetItem', { RequestItems: { orders: { Keys, ...more } }, ...options });
const count = async () => (await dynamo.ask('Scan', { TableName: 'orders' }))['Count'];

ruleTest('dynamodb', 'batch-write', async () => {
  await dynamo.put(key('gone'));
  const answer = await dynamo.ask('BatchWriteItem', {
    RequestItems: {
      orders: [...puts(2), { DeleteRequest: { Key: key('gone') } }],
      events: [{ PutRequest: { Item: { ...A, at: { N: '1' } } } }],
    },
  });
  expect(answer).toEqual({ UnprocessedItems: {} });
  expect(await count()).toBe(2);
  expect(await dynamo.get({ ...A, at: { N: '1' } }, 'events')).toEqual({ ...A, at: { N: '1' } });
});

ruleTest('dynamodb', 'batch-write-count', async () => {
  await write(puts(25));
  await expect(write(puts(26))).rejects.toMatchObject(
    invalid('Map value must satisfy constraint: [Member must have length less than or equal to 25'),
  );
  const two = { orders: puts(13), events: puts(13) };
  await expect(dynamo.ask('BatchWriteItem', { RequestItems: two })).rejects.toMatchObject(
    invalid('Too many items requested for the BatchWriteItem call'),
  );
});

ruleTest(
  'dynamodb',
  'batch-duplicates',
  async () => {
    const twice = [{ PutRequest: { Item: A } }, { DeleteRequest: { Key: A } }];
    await expect(write(twice)).rejects.toMatchObject(
      invalid('Provided list of item keys contains duplicates'),
    );
    expect(await dynamo.get(A)).toBeUndefined();
  },
  '[LOCL-13] written',
);
ruleTest(
  'dynamodb',
  'batch-duplicates',
  () =>
    expect(read([A, A])).rejects.toMatchObject(
      invalid('Provided list of item keys contains duplicates'),
    ),
  'read',
);

ruleTest('dynamodb', 'batch-unconditional', () =>
  expect(
    write([{ PutRequest: { Item: A, ConditionExpression: 'attribute_not_exists(pk)' } }]),
  ).rejects.toMatchObject(invalid('parameter ConditionExpression')),
);

ruleTest('dynamodb', 'batch-one-request', async () => {
  const words =
    'has more than one datatypes set, must contain exactly one of the supported datatypes';
  await expect(write([{}])).rejects.toMatchObject(invalid(words));
  const both = { PutRequest: { Item: A }, DeleteRequest: { Key: A } };
  await expect(write([both])).rejects.toMatchObject(invalid(words));
});

ruleTest('dynamodb', 'batch-write-all-checked', async () => {
  const bad = [...puts(1), { PutRequest: { Item: { x: { S: 'no key' } } } }];
  await expect(write(bad)).rejects.toMatchObject(
    invalid('The provided key element does not match the schema'),
  );
  expect(await count()).toBe(0);
});

ruleTest('dynamodb', 'batch-write-size', () => {
  const large = puts(25).map(({ PutRequest: { Item } }) => ({
    PutRequest: { Item: { ...Item, data: { S: 'x'.repeat(700_000) } } },
  }));
  return expect(write(large)).rejects.toMatchObject(invalid('exceeded the maximum allowed size'));
});

ruleTest('dynamodb', 'batch-get', async () => {
  await write(puts(3));
  const more = { ProjectionExpression: '#p', ExpressionAttributeNames: { '#p': 'pk' } };
  const { Responses, UnprocessedKeys } = await read([key(0), key(2), key('gone')], more);
  expect(Responses).toEqual({ orders: [key(0), key(2)] });
  expect(UnprocessedKeys).toEqual({});
});

ruleTest('dynamodb', 'batch-get-count', async () => {
  const keys = (length: number) => Array.from({ length }, (_, at) => key(at));
  await read(keys(100));
  await expect(read(keys(101))).rejects.toMatchObject(
    invalid(
      "at 'requestItems.orders.member.keys' failed to satisfy constraint: Member must have length less than or equal to 100",
    ),
  );
  const RequestItems = {
    orders: { Keys: keys(60) },
    events: { Keys: keys(60) },
  };
  await expect(dynamo.ask('BatchGetItem', { RequestItems })).rejects.toMatchObject(
    invalid('Too many items requested for the BatchGetItem call'),
  );
});

ruleTest('dynamodb', 'batch-get-size', async () => {
  const keys = Array.from({ length: 42 }, (_, at) => key(at));
  for (const one of keys) await dynamo.put({ ...one, data: { S: 'x'.repeat(409_000) } });
  const more = { ProjectionExpression: 'pk', ConsistentRead: true };
  const { Responses, UnprocessedKeys } = await read(keys, more);
  expect((Responses as { orders: object[] }).orders).toHaveLength(41);
  expect(UnprocessedKeys).toEqual({ orders: { ...more, Keys: [key(41)] } });
});

ruleTest(
  'dynamodb',
  'batch-unprocessed',
  async () => {
    dynamo.faults = { onBatchItem: (_, index) => (index % 5 === 4 ? 'unprocessed' : undefined) };
    const requests = puts(25);
    const { UnprocessedItems } = await write(requests);
    const left = requests.filter((_, at) => at % 5 === 4);
    expect(UnprocessedItems).toEqual({ orders: left });
    expect(await count()).toBe(20);
    dynamo.faults = {};
    expect(await write(left)).toEqual({ UnprocessedItems: {} });
    expect(await count()).toBe(25);
  },
  '[SINK-11] what is sent again is written; our own sink writes item by item, each under a condition',
);
ruleTest(
  'dynamodb',
  'batch-unprocessed',
  async () => {
    await write(puts(2));
    dynamo.faults = {
      onBatchItem: (table, index) =>
        table === 'orders' && index === 0 ? 'unprocessed' : undefined,
    };
    expect(await read([key(0), key(1)])).toEqual({
      Responses: { orders: [key(1)] },
      UnprocessedKeys: { orders: { Keys: [key(0)] } },
    });
  },
  'read',
);

ruleTest('dynamodb', 'batch-nothing-processed', async () => {
  dynamo.faults = { onTable: () => 'throttle' };
  const name = 'ProvisionedThroughputExceededException';
  await expect(write(puts(2))).rejects.toMatchObject({ name });
  await expect(read([key(0)])).rejects.toMatchObject({ name });
});

ruleTest('dynamodb', 'batch-capacity', async () => {
  const more = { ReturnConsumedCapacity: 'TOTAL' };
  expect((await write(puts(3), more))['ConsumedCapacity']).toEqual([
    { TableName: 'orders', CapacityUnits: 3 },
  ]);
  const keys = [key(0), key(1), key('gone')];
  expect((await read(keys, {}, more))['ConsumedCapacity']).toEqual([
    { TableName: 'orders', CapacityUnits: 1.5 },
  ]);
});
