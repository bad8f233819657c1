import { expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { A, askDynamo, invalid } from './ask-dynamo.ts';
import { sale, SALES } from './indexed-table.ts';

const dynamo = askDynamo();
const PAID = { ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 6 } };
const hash = [{ AttributeName: 'pk', KeyType: 'HASH' }];
const define = (...names: readonly string[]) =>
  names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' }));
const SIMPLE = {
  TableName: 'simple',
  KeySchema: hash,
  AttributeDefinitions: define('pk'),
  BillingMode: 'PAY_PER_REQUEST',
};
const create = (more: object = {}) => dynamo.ask('CreateTable', { ...SIMPLE, ...more });
const update = (more: object) => dynamo.ask('UpdateTable', { TableName: 'simple', ...more });
const describe = async (TableName = 'simple') =>
  (await dynamo.ask('DescribeTable', { TableName }))['Table'];

ruleTest('dynamodb', 'create-table', async () => {
  const { TableDescription } = await create();
  expect(TableDescription).toMatchObject({ TableName: 'simple', TableStatus: 'CREATING' });
  expect(await describe()).toEqual({
    TableName: 'simple',
    TableArn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/simple',
    TableId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    TableStatus: 'ACTIVE',
    CreationDateTime: dynamo.clock.nowMs / 1_000,
    KeySchema: hash,
    AttributeDefinitions: define('pk'),
    BillingModeSummary: {
      BillingMode: 'PAY_PER_REQUEST',
      LastUpdateToPayPerRequestDateTime: dynamo.clock.nowMs / 1_000,
    },
    ProvisionedThroughput: {
      NumberOfDecreasesToday: 0,
      ReadCapacityUnits: 0,
      WriteCapacityUnits: 0,
    },
    TableSizeBytes: 0,
    ItemCount: 0,
    DeletionProtectionEnabled: false,
  });
});

ruleTest('dynamodb', 'describe-indexes', async () => {
  await dynamo.ask('CreateTable', SALES);
  await dynamo.put(sale('1', { city: 'c1' }), 'sales');
  const IndexArn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/sales/index';
  expect(await describe('sales')).toMatchObject({
    ItemCount: 1,
    LocalSecondaryIndexes: [{ IndexName: 'by-day', ItemCount: 0, IndexArn: `${IndexArn}/by-day` }],
    GlobalSecondaryIndexes: [
      { IndexName: 'by-buyer', IndexStatus: 'ACTIVE' },
      { IndexName: 'by-city', ItemCount: 1, IndexSizeBytes: 4 + 2 + 2 + 1 + 4 + 2 },
      { Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['note'] } },
    ],
  });
});

ruleTest('dynamodb', 'create-table-twice', () =>
  expect(create({ TableName: 'orders' })).rejects.toMatchObject({
    name: 'ResourceInUseException',
    message: 'Table already exists: orders',
  }),
);

for (const [more, words] of [
  [{ BillingMode: undefined }, 'must both be specified when BillingMode is PROVISIONED'],
  [PAID, 'can be specified when BillingMode is PAY_PER_REQUEST'],
] as const) {
  ruleTest(
    'dynamodb',
    'billing-mode',
    () => expect(create(more)).rejects.toMatchObject(invalid(words)),
    words,
  );
}

const range = (name: string) => ({ AttributeName: name, KeyType: 'RANGE' });
for (const [more, words] of [
  [{ KeySchema: [range('pk')] }, 'The first KeySchemaElement is not a HASH key type'],
  [
    { KeySchema: [...hash, ...hash], AttributeDefinitions: define('pk', 'x') },
    'have the same name',
  ],
  [
    {
      KeySchema: [...hash, { AttributeName: 'x', KeyType: 'HASH' }],
      AttributeDefinitions: define('pk', 'x'),
    },
    'The second KeySchemaElement is not a RANGE key type',
  ],
  [
    { AttributeDefinitions: define('x') },
    'Some index key attributes are not defined in AttributeDefinitions. Keys: [pk], AttributeDefinitions: [x]',
  ],
  [
    { AttributeDefinitions: define('pk', 'x') },
    'does not exactly match number of attributes defined in AttributeDefinitions',
  ],
  [{ KeySchema: [...hash, range('x')] }, 'Some index key attribute have no definition'],
  [
    { AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'M' }] },
    'Member must satisfy enum value set: [B, N, S]',
  ],
  [
    { KeySchema: [{ AttributeName: 'x'.repeat(256), KeyType: 'HASH' }] },
    'Member must have length less than or equal to 255',
  ],
] as const) {
  ruleTest(
    'dynamodb',
    'key-schema',
    () => expect(create(more)).rejects.toMatchObject(invalid(words)),
    words,
  );
}

const index = (
  IndexName: string,
  KeySchema: readonly object[],
  Projection: object = { ProjectionType: 'ALL' },
) => ({ IndexName, KeySchema, Projection });
const both = { KeySchema: [...hash, range('sk')], AttributeDefinitions: define('pk', 'sk', 'x') };
for (const [more, words] of [
  [
    { LocalSecondaryIndexes: [index('one', hash)] },
    'Table KeySchema does not have a range key, which is required',
  ],
  [
    { ...both, LocalSecondaryIndexes: [index('one', hash)] },
    'Index KeySchema does not have a range key for index: one',
  ],
  [
    {
      ...both,
      LocalSecondaryIndexes: [index('one', [{ AttributeName: 'x', KeyType: 'HASH' }, range('sk')])],
    },
    'does not have the same leading hash key as table KeySchema for index: one',
  ],
  [{ GlobalSecondaryIndexes: [] }, 'List of GlobalSecondaryIndexes is empty'],
  [
    { GlobalSecondaryIndexes: [index('one', hash), index('one', hash)] },
    'Duplicate index name: one',
  ],
  [{ GlobalSecondaryIndexes: [index('one', hash, {})] }, 'Unknown ProjectionType: null'],
  [
    {
      GlobalSecondaryIndexes: [
        index('one', hash, { ProjectionType: 'ALL', NonKeyAttributes: ['x'] }),
      ],
    },
    'ProjectionType is ALL, but NonKeyAttributes is specified',
  ],
  [
    { GlobalSecondaryIndexes: [index('one', [{ AttributeName: 'x', KeyType: 'HASH' }])] },
    'Some index key attributes are not defined',
  ],
  [
    { GlobalSecondaryIndexes: [{ ...index('one', hash), ...PAID }] },
    'ProvisionedThroughput should not be specified for index: one',
  ],
  [
    { GlobalSecondaryIndexes: [index('a b', hash)] },
    'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+',
  ],
] as const) {
  ruleTest(
    'dynamodb',
    'index-schema',
    () => expect(create(more)).rejects.toMatchObject(invalid(words)),
    words,
  );
}

const many = (count: number, KeySchema: readonly object[], Projection?: object) =>
  Array.from({ length: count }, (_, at) => index(`index-${at}`, KeySchema, Projection));
ruleTest('dynamodb', 'index-count', async () => {
  const local = [...hash, range('sk')];
  await create({ GlobalSecondaryIndexes: many(20, hash) });
  const name = { TableName: 'other' };
  await expect(create({ ...name, GlobalSecondaryIndexes: many(21, hash) })).rejects.toMatchObject(
    invalid('GlobalSecondaryIndex count exceeds the per-table limit of 20'),
  );
  const table = { ...name, KeySchema: local, AttributeDefinitions: define('pk', 'sk') };
  await expect(create({ ...table, LocalSecondaryIndexes: many(6, local) })).rejects.toMatchObject(
    invalid('Number of LocalSecondaryIndexes exceeds per-table limit of 5'),
  );
});

ruleTest('dynamodb', 'projected-names-count', async () => {
  const names = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);
  const include = (count: number) => ({
    ProjectionType: 'INCLUDE',
    NonKeyAttributes: names(count),
  });
  await create({ GlobalSecondaryIndexes: many(5, hash, include(20)) });
  await expect(
    create({ TableName: 'other', GlobalSecondaryIndexes: many(6, hash, include(20)) }),
  ).rejects.toMatchObject(invalid('exceeds the limit of 100'));
  await expect(
    create({ TableName: 'other', GlobalSecondaryIndexes: many(1, hash, include(21)) }),
  ).rejects.toMatchObject(invalid('Member must have length less than or equal to 20'));
});

ruleTest('dynamodb', 'delete-table', async () => {
  await create();
  await dynamo.put(A, 'simple');
  const { TableDescription } = await dynamo.ask('DeleteTable', { TableName: 'simple' });
  expect(TableDescription).toMatchObject({ TableStatus: 'DELETING' });
  await expect(dynamo.get(A, 'simple')).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  });
  await create();
  expect(await dynamo.get(A, 'simple')).toBeUndefined();
});

ruleTest('dynamodb', 'deletion-protection', async () => {
  await create({ DeletionProtectionEnabled: true });
  const remove = () => dynamo.ask('DeleteTable', { TableName: 'simple' });
  await expect(remove()).rejects.toMatchObject(
    invalid('Resource cannot be deleted as it is currently protected against deletion.'),
  );
  await update({ DeletionProtectionEnabled: false });
  await remove();
});

ruleTest('dynamodb', 'list-tables', async () => {
  await create();
  expect(await dynamo.ask('ListTables', {})).toEqual({
    TableNames: ['events', 'orders', 'simple'],
  });
  const page = await dynamo.ask('ListTables', { Limit: 2 });
  expect(page).toEqual({ TableNames: ['events', 'orders'], LastEvaluatedTableName: 'orders' });
  const rest = { ExclusiveStartTableName: page['LastEvaluatedTableName'] };
  expect(await dynamo.ask('ListTables', rest)).toEqual({ TableNames: ['simple'] });
  await expect(dynamo.ask('ListTables', { Limit: 101 })).rejects.toMatchObject(
    invalid('Member must have value less than or equal to 100'),
  );
});

ruleTest('dynamodb', 'update-billing', async () => {
  await create({ BillingMode: 'PROVISIONED', ...PAID });
  expect(await describe()).not.toHaveProperty('BillingModeSummary');
  await expect(update(PAID)).rejects.toMatchObject(
    invalid('The provisioned throughput for the table will not change.'),
  );
  const { TableDescription } = await update({ BillingMode: 'PAY_PER_REQUEST' });
  expect(TableDescription).toMatchObject({ TableStatus: 'UPDATING' });
  expect(await describe()).toMatchObject({
    TableStatus: 'ACTIVE',
    BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
  });
  await expect(update({ BillingMode: 'PROVISIONED' })).rejects.toMatchObject(
    invalid('ProvisionedThroughput must be specified when BillingMode is PROVISIONED'),
  );
  await update({ BillingMode: 'PROVISIONED', ...PAID });
  expect(await describe()).toMatchObject(PAID);
});

ruleTest('dynamodb', 'update-nothing', () =>
  expect(update({ TableName: 'orders' })).rejects.toMatchObject(
    invalid('At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled'),
  ),
);

const byX = index('by-x', [{ AttributeName: 'x', KeyType: 'HASH' }]);
const addIndex = (TableName = 'simple') =>
  update({
    TableName,
    AttributeDefinitions: define('pk', 'x'),
    GlobalSecondaryIndexUpdates: [{ Create: byX }],
  });
ruleTest('dynamodb', 'add-index', async () => {
  await create();
  await dynamo.put({ ...A, x: { S: 'x1' } }, 'simple');
  await dynamo.put({ pk: { S: 'b' }, x: { N: '1' } }, 'simple');
  await addIndex();
  const scan = () => dynamo.ask('Scan', { TableName: 'simple', IndexName: 'by-x' });
  expect((await scan())['Items']).toEqual([{ ...A, x: { S: 'x1' } }]);
  await update({ GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'by-x' } }] });
  await expect(scan()).rejects.toMatchObject(invalid('does not have the specified index'));
  expect(await describe()).toMatchObject({ AttributeDefinitions: define('pk') });
});

ruleTest('dynamodb', 'one-index-at-a-time', async () => {
  const Create = { ...byX, IndexName: 'other' };
  const two = [{ Create: byX }, { Create }];
  await expect(
    update({
      TableName: 'orders',
      AttributeDefinitions: define('pk', 'x'),
      GlobalSecondaryIndexUpdates: two,
    }),
  ).rejects.toMatchObject({ name: 'LimitExceededException' });
});

ruleTest('dynamodb', 'update-index-unknown', () =>
  expect(
    update({
      TableName: 'orders',
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'gone' } }],
    }),
  ).rejects.toMatchObject({ name: 'ResourceNotFoundException' }),
);

ruleTest('dynamodb', 'continuous-backups', async () => {
  const recovery = async (operation: string, more: object = {}) => {
    const answer = await dynamo.ask(operation, { TableName: 'orders', ...more });
    const { PointInTimeRecoveryDescription } = answer['ContinuousBackupsDescription'] as {
      PointInTimeRecoveryDescription: object;
    };
    return PointInTimeRecoveryDescription;
  };
  expect(await recovery('DescribeContinuousBackups')).toEqual({
    PointInTimeRecoveryStatus: 'DISABLED',
  });
  const since = dynamo.clock.nowMs / 1_000;
  const enable = { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } };
  await recovery('UpdateContinuousBackups', enable);
  dynamo.clock.nowMs += 3_600_000;
  expect(await recovery('DescribeContinuousBackups')).toEqual({
    PointInTimeRecoveryStatus: 'ENABLED',
    RecoveryPeriodInDays: 35,
    EarliestRestorableDateTime: since,
    LatestRestorableDateTime: since + 3_300,
  });
  await expect(
    dynamo.ask('DescribeContinuousBackups', { TableName: 'nowhere' }),
  ).rejects.toMatchObject({ name: 'TableNotFoundException' });
});

ruleTest('dynamodb', 'tags', async () => {
  const ResourceArn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/simple';
  await create({ Tags: [{ Key: 'a', Value: '1' }] });
  const tag = (Key: string, Value: string) =>
    dynamo.ask('TagResource', { ResourceArn, Tags: [{ Key, Value }] });
  await tag('b', '2');
  await tag('a', '3');
  await dynamo.ask('UntagResource', { ResourceArn, TagKeys: ['b', 'none'] });
  expect(await dynamo.ask('ListTagsOfResource', { ResourceArn })).toEqual({
    Tags: [{ Key: 'a', Value: '3' }],
  });
  for (let at = 0; at < 49; at++) await tag(`t${at}`, '');
  await expect(tag('more', '')).rejects.toMatchObject({ name: 'LimitExceededException' });
});

ruleTest('dynamodb', 'account-limits', async () => {
  expect(await dynamo.ask('DescribeLimits', {})).toEqual({
    AccountMaxReadCapacityUnits: 80_000,
    AccountMaxWriteCapacityUnits: 80_000,
    TableMaxReadCapacityUnits: 40_000,
    TableMaxWriteCapacityUnits: 40_000,
  });
  expect(await dynamo.ask('DescribeEndpoints', {})).toEqual({
    Endpoints: [{ Address: 'dynamodb.eu-west-1.amazonaws.com', CachePeriodInMinutes: 1440 }],
  });
});

ruleTest('dynamodb', 'table-streams', () =>
  expect(create({ StreamSpecification: { StreamEnabled: true } })).rejects.toMatchObject(
    invalid('emulator limit: parameter StreamSpecification is not supported by the local cloud'),
  ),
);
