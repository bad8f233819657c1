import { beforeEach, expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { askDynamo, invalid } from './ask-dynamo.ts';
import { queryIndex, sale, SALES } from './indexed-table.ts';

const dynamo = askDynamo();
beforeEach(async () => {
  await dynamo.ask('CreateTable', SALES);
});

const put = (...ask: Parameters<typeof sale>) => dynamo.put(sale(...ask), 'sales');
const from = async (...ask: Parameters<typeof queryIndex> extends [unknown, ...infer R] ? R : []) =>
  (await queryIndex(dynamo, ...ask))['Items'];
const full = { day: 'd1', buyer: 'b1', city: 'c1', note: 'n', more: 'm' };
const keys = { shop: { S: 's1' }, id: { S: '1' } };

for (const [index, key, item] of [
  ['by-buyer', ['buyer', 'b1'], sale('1', full)],
  ['by-city', ['city', 'c1'], { ...keys, city: { S: 'c1' } }],
  ['by-note', ['city', 'c1'], { ...keys, city: { S: 'c1' }, buyer: { S: 'b1' }, note: { S: 'n' } }],
  ['by-day', ['shop', 's1'], { ...keys, day: { S: 'd1' } }],
] as const) {
  ruleTest(
    'dynamodb',
    'index-projection',
    async () => {
      await put('1', full);
      expect(await from(index, key)).toEqual([item]);
      const { Items } = await dynamo.ask('Scan', { TableName: 'sales', IndexName: index });
      expect(Items).toEqual([item]);
    },
    index,
  );
}

ruleTest('dynamodb', 'index-sparse', async () => {
  await put('1', { buyer: 'b1' });
  await put('2', { buyer: 'b1', day: 'd1' });
  expect(await from('by-buyer', ['buyer', 'b1'])).toEqual([sale('2', { buyer: 'b1', day: 'd1' })]);
});

ruleTest('dynamodb', 'index-follows', async () => {
  await put('1', full);
  const Key = keys;
  const update = (UpdateExpression: string, values?: object) =>
    dynamo.ask('UpdateItem', {
      TableName: 'sales',
      Key,
      UpdateExpression,
      ...(values === undefined ? {} : { ExpressionAttributeValues: values }),
    });
  await update('SET buyer = :b, more = :m', { ':b': { S: 'b2' }, ':m': { S: 'changed' } });
  expect(await from('by-buyer', ['buyer', 'b1'])).toEqual([]);
  expect(await from('by-buyer', ['buyer', 'b2'])).toMatchObject([{ more: { S: 'changed' } }]);
  await update('REMOVE city');
  expect(await from('by-city', ['city', 'c1'])).toEqual([]);
  await dynamo.ask('DeleteItem', { TableName: 'sales', Key });
  expect(await from('by-buyer', ['buyer', 'b2'])).toEqual([]);
});

ruleTest('dynamodb', 'index-pages', async () => {
  for (const id of ['3', '1', '2']) await put(id, { city: 'c1', buyer: 'b', day: 'd' });
  for (const ScanIndexForward of [true, false]) {
    const seen: unknown[] = [];
    let ExclusiveStartKey: unknown;
    do {
      const more = { Limit: 1, ScanIndexForward, ExclusiveStartKey };
      const page = await queryIndex(dynamo, 'by-buyer', ['buyer', 'b'], more);
      seen.push(...(page['Items'] as readonly { id: { S: string } }[]).map(({ id }) => id.S));
      ExclusiveStartKey = page['LastEvaluatedKey'];
      if (seen.length === 1) {
        const id = { S: String(seen[0]) };
        const [buyer, day, shop] = ['b', 'd', 's1'].map((S) => ({ S }));
        expect(ExclusiveStartKey).toEqual({ shop, id, buyer, day });
      }
    } while (ExclusiveStartKey !== undefined);
    expect(seen.toSorted()).toEqual(['1', '2', '3']);
  }
});

ruleTest('dynamodb', 'index-not-unique', async () => {
  await put('1', { city: 'c1' });
  await put('2', { city: 'c1' });
  expect(await from('by-city', ['city', 'c1'])).toHaveLength(2);
});

ruleTest('dynamodb', 'index-consistent-read', async () => {
  const ConsistentRead = true;
  const global = queryIndex(dynamo, 'by-city', ['city', 'c1'], { ConsistentRead });
  await expect(global).rejects.toMatchObject(
    invalid('Consistent reads are not supported on global secondary indexes'),
  );
  const scan = { TableName: 'sales', IndexName: 'by-city', ConsistentRead };
  await expect(dynamo.ask('Scan', scan)).rejects.toMatchObject(invalid('Consistent reads'));
  expect(await from('by-day', ['shop', 's1'], { ConsistentRead })).toEqual([]);
});

ruleTest('dynamodb', 'index-unknown', () =>
  expect(queryIndex(dynamo, 'by-none', ['city', 'c1'])).rejects.toMatchObject(
    invalid('The table does not have the specified index: by-none'),
  ),
);

ruleTest('dynamodb', 'global-index-not-projected', async () => {
  const all = queryIndex(dynamo, 'by-city', ['city', 'c1'], { Select: 'ALL_ATTRIBUTES' });
  await expect(all).rejects.toMatchObject(
    invalid(
      'Select type ALL_ATTRIBUTES is not supported for global secondary index by-city because its projection type is not ALL',
    ),
  );
  const some = queryIndex(dynamo, 'by-city', ['city', 'c1'], { ProjectionExpression: 'id, note' });
  await expect(some).rejects.toMatchObject(
    invalid('Global secondary index by-city does not project [note]'),
  );
});

ruleTest('dynamodb', 'local-index-fetches', async () => {
  await put('1', full);
  expect(await from('by-day', ['shop', 's1'], { Select: 'ALL_ATTRIBUTES' })).toEqual([
    sale('1', full),
  ]);
  const some = { ProjectionExpression: 'note', ReturnConsumedCapacity: 'INDEXES' };
  const page = await queryIndex(dynamo, 'by-day', ['shop', 's1'], some);
  expect(page['Items']).toEqual([{ note: { S: 'n' } }]);
  expect(page['ConsumedCapacity']).toEqual({
    TableName: 'sales',
    CapacityUnits: 1,
    Table: { CapacityUnits: 0.5 },
    LocalSecondaryIndexes: { 'by-day': { CapacityUnits: 0.5 } },
  });
});

const wrong = (value: object) => ({ ...sale('1'), city: value });
ruleTest('dynamodb', 'index-key-type', async () => {
  await expect(dynamo.put(wrong({ N: '1' }), 'sales')).rejects.toMatchObject(
    invalid('Type mismatch for Index Key city Expected: S Actual: N IndexName: by-city'),
  );
  await dynamo.put({ ...sale('1'), number: { N: '1' } }, 'sales');
  const update = (UpdateExpression: string, values?: object) =>
    dynamo.ask('UpdateItem', {
      TableName: 'sales',
      Key: keys,
      UpdateExpression,
      ...(values === undefined ? {} : { ExpressionAttributeValues: values }),
    });
  for (const expression of ['SET city = :v', 'ADD city :v', 'SET city = gone + :v']) {
    await expect(update(expression, { ':v': { N: '1' } })).rejects.toMatchObject(
      invalid('Type mismatch for Index Key city Expected: S Actual: N'),
    );
  }
  const names = { ExpressionAttributeNames: { '#n': 'number' } };
  const copy = { TableName: 'sales', Key: keys, UpdateExpression: 'SET city = #n', ...names };
  await expect(dynamo.ask('UpdateItem', copy)).rejects.toMatchObject(
    invalid(
      'The update expression attempted to update the secondary index key to unsupported type',
    ),
  );
});

ruleTest('dynamodb', 'index-key-empty', async () => {
  await expect(dynamo.put(wrong({ S: '' }), 'sales')).rejects.toMatchObject(
    invalid('cannot contain an empty string value. IndexName: by-city, IndexKey: city'),
  );
});

ruleTest('dynamodb', 'index-key-size', async () => {
  await expect(dynamo.put(wrong({ S: 'x'.repeat(2_049) }), 'sales')).rejects.toMatchObject(
    invalid('Size of hashkey has exceeded the maximum size limit of2048 bytes'),
  );
});

ruleTest(
  'dynamodb',
  'key-path',
  () => {
    const ask = { TableName: 'sales', Key: keys, UpdateExpression: 'REMOVE city.x' };
    return expect(dynamo.ask('UpdateItem', ask)).rejects.toMatchObject(
      invalid('are not allowed: IndexKey: city'),
    );
  },
  'of an index too',
);

ruleTest('dynamodb', 'index-start-key', async () => {
  const words = 'The provided starting key is invalid';
  const start = (key: object) =>
    queryIndex(dynamo, 'by-city', ['city', 'c1'], { ExclusiveStartKey: key });
  await expect(start(keys)).rejects.toMatchObject(invalid(words));
  const [c1, c2] = [{ S: 'c1' }, { S: 'c2' }];
  await expect(start({ ...keys, city: c2 })).rejects.toMatchObject(
    invalid('outside query boundaries'),
  );
  expect((await start({ ...keys, city: c1 }))['Items']).toEqual([]);
});

ruleTest('dynamodb', 'index-from-template', async () => {
  dynamo.dynamo.createTable({
    ...SALES,
    TableName: 'global',
    Replicas: [{ Region: 'eu-west-1', DeletionProtectionEnabled: true }],
  });
  await dynamo.put(sale('1', full), 'global');
  const { Items } = await dynamo.ask('Scan', { TableName: 'global', IndexName: 'by-city' });
  expect(Items).toEqual([{ ...keys, city: { S: 'c1' } }]);
});

ruleTest('dynamodb', 'index-of-changed-template', async () => {
  const [buyer] = SALES.GlobalSecondaryIndexes;
  const template = { ...SALES, TableName: 'kept', GlobalSecondaryIndexes: [buyer] };
  const used = ['shop', 'id', 'day', 'buyer'];
  const AttributeDefinitions = SALES.AttributeDefinitions.filter(({ AttributeName }) =>
    used.includes(AttributeName),
  );
  dynamo.dynamo.createTable({ ...template, AttributeDefinitions });
  await dynamo.put(sale('1', full), 'kept');
  dynamo.dynamo.createTable({ ...SALES, TableName: 'kept' });
  const scan = (IndexName: string) => dynamo.ask('Scan', { TableName: 'kept', IndexName });
  expect((await scan('by-city'))['Count']).toBe(1);
  expect((await scan('by-buyer'))['Count']).toBe(1);
  dynamo.dynamo.createTable({ ...template, AttributeDefinitions });
  await expect(scan('by-city')).rejects.toMatchObject(invalid('does not have the specified index'));
});
