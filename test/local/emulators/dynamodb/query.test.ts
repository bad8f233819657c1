import { beforeEach, expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { A, askDynamo, invalid } from './ask-dynamo.ts';
import type { Item } from './ask-dynamo.ts';

const dynamo = askDynamo();
const TIMES = ['-12.5', '-3', '0', '9', '10', '100'];

beforeEach(async () => {
  for (const at of TIMES.toReversed()) {
    for (const pk of ['a', 'b']) {
      await dynamo.put({ pk: { S: pk }, at: { N: at }, even: { BOOL: at !== '9' } }, 'events');
    }
  }
});

const query = (condition: string, values: object = {}, more: object = {}) =>
  dynamo.ask('Query', {
    TableName: 'events',
    KeyConditionExpression: condition,
    ...more,
    ExpressionAttributeValues: { ':pk': { S: 'a' }, ...values },
    ...(/#at/.test(JSON.stringify([condition, more]))
      ? { ExpressionAttributeNames: { '#at': 'at' } }
      : {}),
  });
const times = ({ Items }: { Items?: unknown }) =>
  (Items as readonly Record<string, { N: string }>[]).map((item) => item['at']?.N);
const n = (text: string) => ({ N: text });

for (const [condition, values, expected] of [
  ['pk = :pk', {}, TIMES],
  ['pk = :pk AND #at = :x', { ':x': n('9.0') }, ['9']],
  ['pk = :pk AND #at < :x', { ':x': n('9') }, ['-12.5', '-3', '0']],
  ['pk = :pk AND #at <= :x', { ':x': n('9') }, ['-12.5', '-3', '0', '9']],
  ['#at > :x AND pk = :pk', { ':x': n('9') }, ['10', '100']],
  [':pk = pk AND :x <= #at', { ':x': n('9') }, ['9', '10', '100']],
  [
    '(pk = :pk) AND (#at BETWEEN :x AND :y)',
    { ':x': n('-3'), ':y': n('10') },
    ['-3', '0', '9', '10'],
  ],
] as const) {
  ruleTest(
    'dynamodb',
    'query-conditions',
    async () => expect(times(await query(condition, values))).toEqual(expected),
    condition,
  );
}

ruleTest('dynamodb', 'sort-order-number', async () => {
  expect(times(await query('pk = :pk', {}, { ScanIndexForward: false }))).toEqual(
    TIMES.toReversed(),
  );
});

ruleTest('dynamodb', 'sort-order-text', async () => {
  dynamo.dynamo.createTable({
    TableName: 'state',
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
    ],
  });
  for (const sk of ['shard-é', 'shard-1', 'shard-', 'Shard-2', 'sharding', 'shard-😀', 'shard-ﬀ']) {
    await dynamo.put({ ...A, sk: { S: sk } }, 'state');
  }
  const { Items } = await dynamo.ask('Query', {
    TableName: 'state',
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :start)',
    ExpressionAttributeValues: { ':pk': { S: 'a' }, ':start': { S: 'shard-' } },
  });
  expect((Items as readonly Record<string, { S: string }>[]).map(({ sk }) => sk?.S)).toEqual(
    // In the order of UTF-8, which is not that of JavaScript's text.
    ['shard-', 'shard-1', 'shard-é', 'shard-ﬀ', 'shard-😀'],
  );
});

ruleTest('dynamodb', 'page-limit', async () => {
  const seen: (string | undefined)[] = [];
  let ExclusiveStartKey: unknown;
  let pages = 0;
  do {
    const page = await query(
      'pk = :pk',
      {},
      { ScanIndexForward: false, Limit: 4, ExclusiveStartKey },
    );
    seen.push(...times(page));
    ExclusiveStartKey = page['LastEvaluatedKey'];
    pages += 1;
  } while (ExclusiveStartKey !== undefined);
  expect(seen).toEqual(TIMES.toReversed());
  expect(pages).toBe(2);
});

ruleTest(
  'dynamodb',
  'page-limit',
  async () => {
    const page = await query('pk = :pk', {}, { Limit: 6 });
    expect(page['LastEvaluatedKey']).toEqual({ ...A, at: n('100') });
    const { LastEvaluatedKey: ExclusiveStartKey } = page;
    expect(await query('pk = :pk', {}, { ExclusiveStartKey })).toEqual({
      Items: [],
      Count: 0,
      ScannedCount: 0,
    });
  },
  'a page that ends with the last item says nothing of the end',
);

ruleTest('dynamodb', 'filter-after-limit', async () => {
  const filter = { FilterExpression: 'even = :yes', Limit: 5 };
  const page = await query('pk = :pk', { ':yes': { BOOL: true } }, filter);
  expect([page['Count'], page['ScannedCount']]).toEqual([4, 5]);
  expect(page['LastEvaluatedKey']).toEqual({ ...A, at: n('10') });
});

ruleTest('dynamodb', 'filter-without-keys', async () => {
  await expect(query('pk = :pk', {}, { FilterExpression: 'pk = :pk' })).rejects.toMatchObject(
    invalid(
      'Filter Expression can only contain non-primary key attributes: Primary key attribute: pk',
    ),
  );
  const nested = { FilterExpression: 'NOT (size(#at) = :pk)' };
  await expect(query('pk = :pk', {}, nested)).rejects.toMatchObject(
    invalid('Primary key attribute: at'),
  );
});

for (const [select, more, answer] of [
  ['COUNT', {}, { Count: 6, ScannedCount: 6 }],
  ['COUNT', { FilterExpression: 'even = :yes' }, { Count: 5, ScannedCount: 6 }],
] as const) {
  ruleTest(
    'dynamodb',
    'select-count',
    async () => {
      const values = 'FilterExpression' in more ? { ':yes': { BOOL: true } } : {};
      expect(await query('pk = :pk', values, { Select: select, ...more })).toEqual(answer);
    },
    JSON.stringify(more),
  );
}

ruleTest('dynamodb', 'query-projection', async () => {
  const { Items } = await query('pk = :pk', {}, { ProjectionExpression: 'even', Limit: 1 });
  expect(Items).toEqual([{ even: { BOOL: true } }]);
});

for (const [more, words] of [
  [{ Select: 'SPECIFIC_ATTRIBUTES' }, 'Must specify the AttributesToGet or ProjectionExpression'],
  [
    { Select: 'ALL_ATTRIBUTES', ProjectionExpression: 'even' },
    'Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES',
  ],
  [
    { Select: 'COUNT', ProjectionExpression: 'even' },
    'Cannot specify the ProjectionExpression when choosing to get only the Count',
  ],
  [
    { Select: 'ALL_PROJECTED_ATTRIBUTES' },
    'ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName',
  ],
  [{ Select: 'SOME' }, 'Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT,'],
] as const) {
  ruleTest(
    'dynamodb',
    'select-words',
    () => expect(query('pk = :pk', {}, more)).rejects.toMatchObject(invalid(words)),
    JSON.stringify(more),
  );
}

for (const [condition, words] of [
  ['even = :pk', 'Query condition missed key schema element: pk'],
  ['pk = :pk AND even = :pk', 'Query condition missed key schema element: at'],
  ['pk > :pk', 'Query key condition not supported'],
  ['begins_with(pk, :pk)', 'Query key condition not supported'],
  ['pk = :pk OR pk = :pk', 'Invalid operator used in KeyConditionExpression: OR'],
  ['NOT pk = :pk', 'Invalid operator used in KeyConditionExpression: NOT'],
  ['pk IN (:pk)', 'Invalid operator used in KeyConditionExpression: IN'],
  ['pk <> :pk', 'Invalid operator used in KeyConditionExpression: <>'],
  ['contains(pk, :pk)', 'Invalid operator used in KeyConditionExpression: contains'],
  ['pk = :pk AND pk = :pk', 'must only contain one condition per key'],
  ['size(pk) = :pk', 'KeyConditionExpressions cannot contain nested operations'],
  ['pk.x = :pk', 'cannot have conditions on nested attributes'],
  ['pk = #at AND pk = :pk', 'Multiple attribute names used in one condition'],
  [':pk = :pk', 'No key attribute specified'],
  ['begins_with(:pk, pk)', 'begins_with operator must have the key attribute as its first operand'],
  [
    'pk = :pk AND :pk BETWEEN #at AND :pk',
    'BETWEEN operator must have the key attribute as its first',
  ],
  ['pk = :pk AND #at = :pk AND even = :pk', 'Conditions can be of length 1 or 2 only'],
  ['pk = :pk AND #at = :pk', 'Condition parameter type does not match schema type'],
] as const) {
  ruleTest(
    'dynamodb',
    'key-condition-form',
    () => expect(query(condition)).rejects.toMatchObject(invalid(words)),
    condition,
  );
}

ruleTest('dynamodb', 'key-condition-needed', () =>
  expect(dynamo.ask('Query', { TableName: 'events' })).rejects.toMatchObject(
    invalid('Either the KeyConditions or KeyConditionExpression parameter must be specified'),
  ),
);

const inRange = 'pk = :pk AND #at > :x';
for (const [key, condition, words] of [
  [A, 'pk = :pk', 'The provided starting key is invalid'],
  [
    { ...A, at: { S: '1' } },
    'pk = :pk',
    'The provided starting key is invalid: The provided key element',
  ],
  [
    { pk: { S: 'b' }, at: n('1') },
    'pk = :pk',
    'outside query boundaries based on provided conditions',
  ],
  [{ ...A, at: n('1') }, inRange, 'does not match the range key predicate'],
  [{ pk: { S: 'b' }, at: n('10') }, inRange, 'can return at most one row and cannot be restarted'],
] as const) {
  ruleTest(
    'dynamodb',
    'start-key',
    () => {
      const values = condition === inRange ? { ':x': n('9') } : {};
      const more = { ExclusiveStartKey: key as Item };
      return expect(query(condition, values, more)).rejects.toMatchObject(invalid(words));
    },
    words,
  );
}

ruleTest('dynamodb', 'start-key-elsewhere', async () => {
  const more = { ExclusiveStartKey: { ...A, at: n('9.5') } };
  expect(times(await query('pk = :pk', {}, more))).toEqual(['10', '100']);
});
