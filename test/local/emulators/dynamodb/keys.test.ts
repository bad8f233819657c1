import { expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { A, askDynamo, invalid } from './ask-dynamo.ts';

const dynamo = askDynamo();
const { put, get } = dynamo;
const refusedPut = (item: Readonly<Record<string, object>>, words: string, table?: string) =>
  expect(put(item, table)).rejects.toMatchObject(invalid(words));
const refusedGet = (key: Readonly<Record<string, object>>, words: string, table?: string) =>
  expect(get(key, table)).rejects.toMatchObject(invalid(words));

ruleTest('dynamodb', 'key-in-item', async () => {
  await refusedPut({ x: { S: 'a' } }, 'Missing the key pk in the item');
  await refusedPut(A, 'Missing the key at in the item', 'events');
  await refusedPut({ pk: { N: '1' } }, 'Type mismatch for key pk expected: S actual: N');
});

for (const [key, table] of [
  [{}, 'orders'],
  [{ pk: { N: '1' } }, 'orders'],
  [{ ...A, x: { S: 'a' } }, 'orders'],
  [A, 'events'],
  [{ ...A, at: { S: '1' } }, 'events'],
] as const) {
  ruleTest(
    'dynamodb',
    'key-parameter',
    () => refusedGet(key, 'The provided key element does not match the schema', table),
    `${JSON.stringify(key)} of ${table}`,
  );
}

ruleTest('dynamodb', 'key-not-empty', async () => {
  const words =
    'The AttributeValue for a key attribute cannot contain an empty string value. Key: pk';
  await refusedPut({ pk: { S: '' } }, `One or more parameter values are not valid. ${words}`);
  await refusedGet({ pk: { S: '' } }, `One or more parameter values were invalid: ${words}`);
});

ruleTest('dynamodb', 'partition-key-size', async () => {
  await put({ pk: { S: 'é'.repeat(1_024) } });
  const words = 'Size of hashkey has exceeded the maximum size limit of2048 bytes';
  await refusedPut({ pk: { S: 'x'.repeat(2_049) } }, words);
  await refusedGet({ pk: { S: 'x'.repeat(2_049) } }, words);
});

ruleTest('dynamodb', 'sort-key-size', async () => {
  dynamo.dynamo.createTable({
    TableName: 'state',
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'B' },
    ],
  });
  const key = (bytes: number) => ({ ...A, sk: { B: Buffer.alloc(bytes).toString('base64') } });
  await put(key(1_024), 'state');
  await refusedPut(
    key(1_025),
    'Aggregated size of all range keys has exceeded the size limit of 1024 bytes',
    'state',
  );
});

ruleTest('dynamodb', 'number-keys-equal', async () => {
  await put({ ...A, at: { N: '1.50' }, n: { N: '1' } }, 'events');
  expect(await get({ ...A, at: { N: '15e-1' } }, 'events')).toMatchObject({ at: { N: '1.5' } });
});

ruleTest('dynamodb', 'table-missing', async () => {
  const missing = { name: 'ResourceNotFoundException' };
  await expect(put(A, 'nowhere')).rejects.toMatchObject({
    ...missing,
    message: 'Requested resource not found',
  });
  await expect(dynamo.ask('DescribeTable', { TableName: 'nowhere' })).rejects.toMatchObject({
    ...missing,
    message: 'Requested resource not found: Table: nowhere not found',
  });
});

ruleTest('dynamodb', 'table-by-arn', async () => {
  const arn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/orders';
  await put(A, arn);
  expect(await get(A)).toEqual(A);
  const elsewhere = arn.replace('123456789012', '210987654321');
  await expect(put(A, elsewhere)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});

for (const name of ['ab', 'a'.repeat(256), 'a b c', 'naïve']) {
  ruleTest(
    'dynamodb',
    'table-name',
    () => refusedPut(A, 'Table/index names must be between 3 and 255 characters long', name),
    name.slice(0, 10),
  );
}

ruleTest('dynamodb', 'checks-before-table', async () => {
  await refusedPut({ pk: { N: 'one' } }, 'cannot be converted to a numeric value', 'nowhere');
  const bad = { TableName: 'nowhere', Key: A, ProjectionExpression: 'a b' };
  await expect(dynamo.ask('GetItem', bad)).rejects.toMatchObject(invalid('Syntax error'));
});

for (const [input, words] of [
  [
    {},
    "2 validation errors detected: Value null at 'tableName' failed to satisfy constraint: Member must not be null; Value null at 'key' failed",
  ],
  [
    { TableName: 'orders' },
    "1 validation error detected: Value null at 'key' failed to satisfy constraint: Member must not be null",
  ],
  [
    { TableName: 'orders', Key: A, ReturnConsumedCapacity: 'ALL' },
    "Value 'ALL' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]",
  ],
  [
    { TableName: '', Key: A },
    "Value '' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 1",
  ],
] as const) {
  ruleTest(
    'dynamodb',
    'constraint-words',
    () => expect(dynamo.ask('GetItem', input)).rejects.toMatchObject(invalid(words)),
    words.slice(0, 60),
  );
}

for (const [input, words] of [
  [{ TableName: 1 }, 'NUMBER_VALUE cannot be converted to String'],
  [{ TableName: 'orders', Key: [] }, 'Unrecognized collection type Map'],
  [
    { TableName: 'orders', Key: A, ConsistentRead: 'yes' },
    'STRING_VALUE cannot be converted to Boolean',
  ],
] as const) {
  ruleTest(
    'dynamodb',
    'parameter-serialization',
    () =>
      expect(dynamo.ask('GetItem', input)).rejects.toMatchObject(
        invalid(words, 'SerializationException'),
      ),
    words,
  );
}

for (const [operation, input] of [
  ['UpdateItem', { Key: A, AttributeUpdates: {} }],
  ['PutItem', { Item: A, Expected: { x: { Exists: false } } }],
  ['PutItem', { Item: A, ConditionalOperator: 'AND' }],
  ['GetItem', { Key: A, AttributesToGet: ['x'] }],
  ['Query', { KeyConditions: {} }],
  ['Query', { QueryFilter: {} }],
  ['Scan', { ScanFilter: {} }],
] as const) {
  const parameter = Object.keys(input).at(-1) ?? '';
  ruleTest(
    'dynamodb',
    'legacy-parameters',
    () =>
      expect(dynamo.ask(operation, { TableName: 'orders', ...input })).rejects.toMatchObject(
        invalid(`emulator limit: parameter ${parameter} is not supported by the local cloud`),
      ),
    `${operation}, ${parameter}`,
  );
}
