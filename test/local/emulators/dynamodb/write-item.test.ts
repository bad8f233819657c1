import { expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { A, askDynamo, invalid } from './ask-dynamo.ts';
import type { Item } from './ask-dynamo.ts';

const dynamo = askDynamo();
const { put, get, update } = dynamo;
const aItem = (more: Item = {}) => put({ ...A, ...more });

ruleTest('dynamodb', 'put-replaces', async () => {
  await aItem({ n: { N: '1' }, old: { S: 'x' } });
  await aItem({ n: { N: '2' } });
  expect(await get(A)).toEqual({ ...A, n: { N: '2' } });
});

ruleTest('dynamodb', 'get-missing', async () => {
  expect(await dynamo.ask('GetItem', { TableName: 'orders', Key: A })).toEqual({});
});

ruleTest('dynamodb', 'get-projection', async () => {
  await aItem({ n: { N: '1' }, m: { M: { x: { N: '2' }, y: { N: '3' } } } });
  const { Item } = await dynamo.ask('GetItem', {
    TableName: 'orders',
    Key: A,
    ProjectionExpression: 'n, m.#y, gone',
    ExpressionAttributeNames: { '#y': 'y' },
  });
  expect(Item).toEqual({ n: { N: '1' }, m: { M: { y: { N: '3' } } } });
});

ruleTest('dynamodb', 'update-upserts', async () => {
  await update('ADD hits :n', { ':n': { N: '3' } });
  expect(await get(A)).toEqual({ ...A, hits: { N: '3' } });
});

ruleTest(
  'dynamodb',
  'update-upserts',
  async () => {
    await dynamo.ask('UpdateItem', { TableName: 'orders', Key: A });
    expect(await get(A)).toEqual(A);
  },
  'also without an expression',
);

ruleTest('dynamodb', 'delete-missing', async () => {
  expect(await dynamo.ask('DeleteItem', { TableName: 'orders', Key: A })).toEqual({});
});

for (const [operation, ask] of [
  ['PutItem', { Item: A }],
  ['UpdateItem', { Key: A, UpdateExpression: 'REMOVE n' }],
  ['DeleteItem', { Key: A }],
] as const) {
  ruleTest(
    'dynamodb',
    'condition-holds-back',
    async () => {
      await aItem({ n: { N: '1' } });
      const refused = dynamo.ask(operation, {
        TableName: 'orders',
        ...ask,
        ConditionExpression: 'attribute_not_exists(pk)',
      });
      await expect(refused).rejects.toMatchObject({
        name: 'ConditionalCheckFailedException',
        message: 'The conditional request failed',
      });
      expect(await get(A)).toEqual({ ...A, n: { N: '1' } });
    },
    operation,
  );

  ruleTest(
    'dynamodb',
    'condition-failure-shows-old',
    async () => {
      await aItem({ n: { N: '1' } });
      const failing = { TableName: 'orders', ...ask, ConditionExpression: 'attribute_exists(n.x)' };
      await expect(dynamo.ask(operation, failing)).rejects.not.toHaveProperty('members.Item');
      const shown = dynamo.ask(operation, {
        ...failing,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      await expect(shown).rejects.toMatchObject({ members: { Item: { ...A, n: { N: '1' } } } });
    },
    operation,
  );
}

ruleTest('dynamodb', 'condition-without-item', async () => {
  const condition = (ConditionExpression: string) =>
    dynamo.ask('PutItem', { TableName: 'orders', Item: A, ConditionExpression });
  await expect(condition('attribute_exists(pk)')).rejects.toThrow('conditional request failed');
  await condition('attribute_not_exists(pk)');
  expect(await get(A)).toEqual(A);
});

const OLD = { ...A, n: { N: '1' }, s: { S: 'x' } };
for (const [ReturnValues, attributes] of [
  ['NONE', undefined],
  ['ALL_OLD', OLD],
  ['ALL_NEW', { ...OLD, n: { N: '2' }, fresh: { N: '2' } }],
  ['UPDATED_OLD', { n: { N: '1' } }],
  ['UPDATED_NEW', { n: { N: '2' }, fresh: { N: '2' } }],
] as const) {
  ruleTest(
    'dynamodb',
    'update-return-values',
    async () => {
      await put(OLD);
      const set = 'SET n = :two, fresh = :two';
      const { Attributes } = await update(set, { ':two': { N: '2' } }, { ReturnValues });
      expect(Attributes).toEqual(attributes);
    },
    ReturnValues,
  );
}

ruleTest('dynamodb', 'updated-values-nested', async () => {
  await aItem({ m: { M: { x: { N: '1' }, y: { N: '2' } } }, l: { L: [{ N: '1' }, { N: '2' }] } });
  const set = 'SET m.x = :v, l[1] = :v';
  const { Attributes } = await update(set, { ':v': { N: '9' } }, { ReturnValues: 'UPDATED_NEW' });
  expect(Attributes).toEqual({ m: { M: { x: { N: '9' } } }, l: { L: [{ N: '9' }] } });
});

for (const operation of ['PutItem', 'DeleteItem']) {
  const ask = operation === 'PutItem' ? { Item: A } : { Key: A };
  ruleTest(
    'dynamodb',
    'whole-return-values',
    async () => {
      await put(OLD);
      const { Attributes } = await dynamo.ask(operation, {
        TableName: 'orders',
        ...ask,
        ReturnValues: 'ALL_OLD',
      });
      expect(Attributes).toEqual(OLD);
      const refused = dynamo.ask(operation, {
        TableName: 'orders',
        ...ask,
        ReturnValues: 'ALL_NEW',
      });
      await expect(refused).rejects.toMatchObject(
        invalid('ReturnValues can only be ALL_OLD or NONE'),
      );
    },
    operation,
  );
}

ruleTest('dynamodb', 'update-of-key', async () => {
  for (const path of ['pk', 'pk.x']) {
    await expect(update(`SET ${path} = :x`, { ':x': { S: 'b' } })).rejects.toMatchObject(
      invalid('Cannot update attribute pk. This attribute is part of the key'),
    );
  }
});

ruleTest('dynamodb', 'key-path', async () => {
  const words = "list random access '[]' and map lookup '.' are not allowed: Key: pk";
  await expect(update('SET x = pk.x')).rejects.toMatchObject(invalid(words));
  const projected = { TableName: 'orders', Key: A, ProjectionExpression: 'pk[0]' };
  await expect(dynamo.ask('GetItem', projected)).rejects.toMatchObject(invalid(words));
});

/** The condition under which a versioned upsert writes: absent, older, or equal and seen earlier. */
const upsert = (version: string, observed: string) =>
  update(
    'SET #v = :v, #o = :o, #first = if_not_exists(#first, :o)',
    { ':v': { S: version }, ':o': { S: observed } },
    {
      ConditionExpression: 'attribute_not_exists(#v) OR #v < :v OR (#v = :v AND #o < :o)',
      ExpressionAttributeNames: { '#v': '_version', '#o': '_observed', '#first': '_first_seen' },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  );

ruleTest(
  'dynamodb',
  'condition-failure-shows-old',
  async () => {
    const first = await upsert('2', '5');
    const at = (text: string) => ({ S: text });
    expect(first['Attributes']).toEqual({
      ...A,
      _version: at('2'),
      _observed: at('5'),
      _first_seen: at('5'),
    });
    for (const [version, observed] of [
      ['1', '9'],
      ['2', '5'],
      ['2', '4'],
    ] as const) {
      await expect(upsert(version, observed)).rejects.toMatchObject({
        name: 'ConditionalCheckFailedException',
        members: { Item: { _version: at('2') } },
      });
    }
    const later = await upsert('2', '6');
    expect(later['Attributes']).toMatchObject({ _first_seen: at('5') });
    expect((await upsert('3', '1'))['Attributes']).toMatchObject({ _version: at('3') });
  },
  '[SINK-09] the same version again is stale, and the item says by what',
);
