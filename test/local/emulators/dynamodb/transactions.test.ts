import { expect } from 'vitest';
import { openStorage } from '#local/storage';
import { ruleTest } from '#test/local/rules/rule-test';
import { A, askDynamo, invalid } from './ask-dynamo.ts';
import { createTestDynamo } from './dynamo-cloud.ts';

const dynamo = askDynamo();
const TableName = 'orders';
const key = (pk: string) => ({ pk: { S: pk } });
const add = (pk: string, more: object = {}) => ({
  Put: {
    TableName,
    Item: { ...key(pk), ...more },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});
const transact = (TransactItems: readonly object[], more: object = {}) =>
  dynamo.ask('TransactWriteItems', { TransactItems, ...more });
const read = (keys: readonly object[], more: object = {}) =>
  dynamo.ask('TransactGetItems', {
    TransactItems: keys.map((Key) => ({ Get: { TableName, Key } })),
    ...more,
  });

ruleTest('dynamodb', 'transaction-all-or-none', async () => {
  await dynamo.put(A);
  await expect(transact([add('b'), add('a'), add('c')])).rejects.toMatchObject({
    name: 'TransactionCanceledException',
    message:
      'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, None]',
  });
  expect(await dynamo.get(key('b'))).toBeUndefined();
  expect(await transact([add('b'), add('c')])).toEqual({});
  expect(await dynamo.get(key('c'))).toEqual(key('c'));
});

ruleTest('dynamodb', 'transaction-reasons', async () => {
  await dynamo.put({ ...A, n: { S: 'x' } });
  await dynamo.put(key('b'));
  const shown = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
  const exists = 'attribute_not_exists(pk)';
  const refused = transact([
    { ConditionCheck: { TableName, Key: A, ConditionExpression: exists, ...shown } },
    { Delete: { TableName, Key: key('b'), ConditionExpression: exists } },
    { Put: { TableName, Item: key('c') } },
  ]);
  const Message = 'The conditional request failed';
  await expect(refused).rejects.toMatchObject({
    members: {
      CancellationReasons: [
        { Code: 'ConditionalCheckFailed', Message, Item: { ...A, n: { S: 'x' } } },
        { Code: 'ConditionalCheckFailed', Message },
        { Code: 'None' },
      ],
    },
  });
});

ruleTest('dynamodb', 'transaction-validation-reason', async () => {
  await dynamo.put({ ...A, n: { S: 'x' } });
  const update = {
    TableName,
    Key: A,
    UpdateExpression: 'SET n = n + :v',
    ExpressionAttributeValues: { ':v': { N: '1' } },
  };
  await expect(transact([{ Update: update }, add('b')])).rejects.toMatchObject({
    members: {
      CancellationReasons: [
        {
          Code: 'ValidationError',
          Message: 'An operand in the update expression has an incorrect data type',
        },
        { Code: 'None' },
      ],
    },
  });
});

ruleTest('dynamodb', 'transaction-actions', async () => {
  await dynamo.put(A);
  await dynamo.put(key('b'));
  await transact([
    { ConditionCheck: { TableName, Key: A, ConditionExpression: 'attribute_exists(pk)' } },
    { Delete: { TableName, Key: key('b') } },
    {
      Update: {
        TableName,
        Key: key('c'),
        UpdateExpression: 'SET x = :x',
        ExpressionAttributeValues: { ':x': { N: '1' } },
      },
    },
    { Put: { TableName: 'events', Item: { ...A, at: { N: '1' } } } },
  ]);
  expect(await dynamo.get(A)).toEqual(A);
  expect(await dynamo.get(key('b'))).toBeUndefined();
  expect(await dynamo.get(key('c'))).toEqual({ ...key('c'), x: { N: '1' } });
  expect(await dynamo.get({ ...A, at: { N: '1' } }, 'events')).toEqual({ ...A, at: { N: '1' } });
});

for (const [items, words] of [
  [
    [],
    "at 'transactItems' failed to satisfy constraint: Member must have length greater than or equal to 1",
  ],
  [
    Array.from({ length: 101 }, (_, at) => add(`k${at}`)),
    'Member must have length less than or equal to 100',
  ],
  [
    [{ ...add('a'), Delete: { TableName, Key: A } }],
    'TransactItems can only contain one of Check, Put, Update or Delete',
  ],
  [[{}], 'TransactItems can only contain one of Check, Put, Update or Delete'],
  [[{ ConditionCheck: { TableName, Key: A } }], 'conditionExpression'],
  [[{ Update: { TableName, Key: A } }], 'updateExpression'],
] as const) {
  ruleTest(
    'dynamodb',
    'transaction-form',
    () => expect(transact(items)).rejects.toMatchObject(invalid(words)),
    words,
  );
}

ruleTest('dynamodb', 'transaction-hundred', async () => {
  await transact(Array.from({ length: 100 }, (_, at) => add(`k${at}`)));
  expect((await dynamo.ask('Scan', { TableName }))['Count']).toBe(100);
});

ruleTest('dynamodb', 'transaction-same-item', async () => {
  const words = 'Transaction request cannot include multiple operations on one item';
  const check = { TableName, Key: A, ConditionExpression: 'attribute_exists(pk)' };
  await expect(transact([add('a'), { ConditionCheck: check }])).rejects.toMatchObject(
    invalid(words),
  );
  await expect(read([A, A])).rejects.toMatchObject(invalid(words));
});

ruleTest('dynamodb', 'transaction-size', async () => {
  const data = { data: { S: 'x'.repeat(400_000) } };
  await transact(Array.from({ length: 10 }, (_, at) => add(`k${at}`, data)));
  const eleven = Array.from({ length: 11 }, (_, at) => add(`m${at}`, data));
  const words = 'The aggregate size of the items in the transaction exceeds 4 MB';
  await expect(transact(eleven)).rejects.toMatchObject(invalid(words));
  await transact([add('k10', data)]);
  const keys = Array.from({ length: 11 }, (_, at) => key(`k${at}`));
  await expect(read(keys)).rejects.toMatchObject(invalid(words));
});

const token = { ClientRequestToken: 'once' };
ruleTest('dynamodb', 'transaction-token', async () => {
  await transact([add('b')], token);
  expect(await transact([add('b')], token)).toEqual({});
  await expect(transact([add('c')], token)).rejects.toMatchObject({
    name: 'IdempotentParameterMismatchException',
  });
  dynamo.clock.nowMs += 599_999;
  expect(await transact([add('b')], token)).toEqual({});
  dynamo.clock.nowMs += 1;
  await expect(transact([add('b')], token)).rejects.toMatchObject({
    name: 'TransactionCanceledException',
  });
});

ruleTest(
  'dynamodb',
  'transaction-token',
  async () => {
    const storage = openStorage();
    dynamo.dynamo = createTestDynamo(dynamo.clock, { storage });
    await transact([add('b')], token);
    dynamo.dynamo = createTestDynamo(dynamo.clock, { storage });
    expect(await transact([add('b')], token)).toEqual({});
  },
  'across a restart',
);

ruleTest(
  'dynamodb',
  'transaction-token',
  async () => {
    await dynamo.put(key('b'));
    await expect(transact([add('b')], token)).rejects.toThrow('cancelled');
    await dynamo.ask('DeleteItem', { TableName, Key: key('b') });
    await transact([add('b')], token);
    expect(await dynamo.get(key('b'))).toEqual(key('b'));
  },
  'not of a transaction that was cancelled',
);

ruleTest('dynamodb', 'transaction-token-size', () =>
  expect(transact([add('b')], { ClientRequestToken: 'x'.repeat(37) })).rejects.toMatchObject(
    invalid(
      "at 'clientRequestToken' failed to satisfy constraint: Member must have length less than or equal to 36",
    ),
  ),
);

ruleTest('dynamodb', 'transaction-capacity', async () => {
  const more = { ReturnConsumedCapacity: 'TOTAL', ...token };
  const item = add('b', { data: { S: 'x'.repeat(1_100) } });
  expect((await transact([item], more))['ConsumedCapacity']).toEqual([
    { TableName, CapacityUnits: 4, WriteCapacityUnits: 4 },
  ]);
  expect((await transact([item], more))['ConsumedCapacity']).toEqual([
    { TableName, CapacityUnits: 2, ReadCapacityUnits: 2 },
  ]);
  expect(
    (await read([key('b'), key('gone')], { ReturnConsumedCapacity: 'TOTAL' }))['ConsumedCapacity'],
  ).toEqual([{ TableName, CapacityUnits: 4, ReadCapacityUnits: 4 }]);
});

ruleTest('dynamodb', 'transact-get', async () => {
  await dynamo.put({ ...A, n: { N: '1' } });
  expect(await read([key('gone'), A])).toEqual({
    Responses: [{}, { Item: { ...A, n: { N: '1' } } }],
  });
});

ruleTest('dynamodb', 'transaction-throttled', async () => {
  dynamo.faults = { onTable: (table) => (table === 'events' ? 'throttle' : undefined) };
  const event = { Put: { TableName: 'events', Item: { ...A, at: { N: '1' } } } };
  await expect(transact([add('b'), event])).rejects.toMatchObject({
    name: 'TransactionCanceledException',
    members: { CancellationReasons: [{ Code: 'None' }, { Code: 'ThrottlingError' }] },
  });
  expect(await dynamo.get(key('b'))).toBeUndefined();
});
