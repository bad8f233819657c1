/** What is asked about queries, scans, batches and tables. */
import { n, onService, onTable, put, s } from './dynamodb-tables.ts';
import type { DynamoQuestion, Step } from './dynamodb-tables.ts';

const EVENTS = ['-12.5', '-3', '0', '9', '10', '100'].map((at) =>
  put({ at: n(at), even: { BOOL: at !== '9' }, x: s(`x${at}`), g: s('g1') }),
);
const query = (condition: string, values: object = {}, more: object = {}): Step => [
  'Query',
  {
    KeyConditionExpression: condition,
    ExpressionAttributeValues: { ':pk': s('a'), ...values },
    ...more,
    ...(/#at/.test(condition) ? { ExpressionAttributeNames: { '#at': 'at' } } : {}),
  },
];
const queries = (id: string, ...step: Parameters<typeof query>): DynamoQuestion =>
  onTable('sorted', `query-${id}`, `a query of ${step[0]} ${JSON.stringify(step[2] ?? '')}`, [
    ...EVENTS,
    query(...step),
  ]);
const COUNT = { Select: 'COUNT' };

const QUERIES: readonly DynamoQuestion[] = [
  queries('all', 'pk = :pk'),
  queries('backwards', 'pk = :pk', {}, { ScanIndexForward: false, Limit: 2 }),
  queries('between', 'pk = :pk AND #at BETWEEN :x AND :y', { ':x': n(-3), ':y': n('9.0') }, COUNT),
  queries('mirrored', ':x < #at AND :pk = pk', { ':x': n(9) }, COUNT),
  queries('limit-at-end', 'pk = :pk', {}, { Limit: 6, ...COUNT }),
  queries(
    'filter',
    'pk = :pk',
    { ':e': { BOOL: true } },
    { FilterExpression: 'even = :e', Limit: 5, ...COUNT },
  ),
  queries('filter-key', 'pk = :pk', {}, { FilterExpression: 'pk = :pk' }),
  queries('start', 'pk = :pk', {}, { ExclusiveStartKey: { pk: s('a'), at: n('9.5') }, ...COUNT }),
  queries('start-elsewhere', 'pk = :pk', {}, { ExclusiveStartKey: { pk: s('b'), at: n(1) } }),
  queries('start-half', 'pk = :pk', {}, { ExclusiveStartKey: { pk: s('a') } }),
  queries(
    'start-out-of-range',
    'pk = :pk AND #at > :x',
    { ':x': n(9) },
    { ExclusiveStartKey: { pk: s('a'), at: n(1) } },
  ),
  queries('missed-key', 'even = :pk'),
  queries('missed-sort-key', 'pk = :pk AND even = :pk'),
  queries('unequal', 'pk > :pk'),
  queries('or', 'pk = :pk OR pk = :pk'),
  queries('different', 'pk <> :pk'),
  queries('in', 'pk IN (:pk)'),
  queries('twice', 'pk = :pk AND pk = :pk'),
  queries('size', 'size(pk) = :pk'),
  queries('nested', 'pk.x = :pk'),
  queries('type', 'pk = :pk AND #at = :pk'),
  queries('three', 'pk = :pk AND #at = :pk AND even = :pk'),
  queries('limit-zero', 'pk = :pk', {}, { Limit: 0 }),
  queries('select', 'pk = :pk', {}, { Select: 'SOME' }),
  onTable('sorted', 'query-none', 'a query without a condition', [['Query']]),
  onTable('sorted', 'query-nothing', 'a query that finds nothing, with its capacity', [
    query('pk = :pk', {}, { ReturnConsumedCapacity: 'TOTAL' }),
  ]),
  onTable('sorted', 'query-capacity', 'the capacity of a query', [
    ...EVENTS,
    query('pk = :pk', {}, { ...COUNT, ReturnConsumedCapacity: 'INDEXES', ConsistentRead: true }),
  ]),
];

const ofIndex = (id: string, IndexName: string, more: object = {}): DynamoQuestion =>
  onTable('indexed', `index-${id}`, `index ${IndexName} ${JSON.stringify(more)}`, [
    ...EVENTS,
    put({ at: n(1), g: s('g1') }),
    query(
      IndexName === 'local' ? 'pk = :pk' : 'g = :pk',
      IndexName === 'local' ? {} : { ':pk': s('g1') },
      { IndexName, ...more },
    ),
  ]);

const INDEXES: readonly DynamoQuestion[] = [
  ofIndex('global', 'global', { Limit: 2 }),
  ofIndex('local', 'local', { Limit: 2 }),
  ofIndex('sparse', 'global', COUNT),
  ofIndex('narrow', 'narrow', COUNT),
  ofIndex('unknown', 'none'),
  ofIndex('consistent', 'global', { ConsistentRead: true }),
  ofIndex('local-fetches', 'local', { Select: 'ALL_ATTRIBUTES', Limit: 1 }),
  ofIndex('narrow-all', 'narrow', { Select: 'ALL_ATTRIBUTES' }),
  ofIndex('narrow-projection', 'narrow', { ProjectionExpression: 'even', Limit: 1 }),
  ofIndex('start', 'global', { ExclusiveStartKey: { pk: s('a'), at: n(1) } }),
  onTable('indexed', 'index-key-type', 'an item with an index key of another type', [
    put({ at: n(1), g: n(1) }),
  ]),
  onTable('indexed', 'index-update-type', 'an update of an index key to another type', [
    [
      'UpdateItem',
      {
        Key: { pk: s('a'), at: n(1) },
        UpdateExpression: 'SET g = :v',
        ExpressionAttributeValues: { ':v': n(1) },
      },
    ],
  ]),
  onTable('indexed', 'index-moves', 'an item that moves within an index', [
    put({ at: n(1), g: s('g1'), x: s('x') }),
    put({ at: n(1), g: s('g2'), x: s('x') }),
    ['Scan', { IndexName: 'global' }],
  ]),
];

const SCANS: readonly DynamoQuestion[] = [
  onTable('plain', 'scan-count', 'a scan that counts', [put({}), ['Scan', COUNT]]),
  onTable('plain', 'scan-filter', 'a scan with a filter on its key', [
    put({ x: n(1) }),
    put({ pk: s('b') }),
    ['Scan', { FilterExpression: 'pk = :b', ExpressionAttributeValues: { ':b': s('b') } }],
  ]),
  onTable('plain', 'scan-segment', 'a segment without their number', [['Scan', { Segment: 1 }]]),
  onTable('plain', 'scan-segments', 'a number of segments without one', [
    ['Scan', { TotalSegments: 2 }],
  ]),
  onTable('plain', 'scan-segment-range', 'a segment beyond the last', [
    ['Scan', { Segment: 2, TotalSegments: 2 }],
  ]),
  onTable('plain', 'scan-no-projection', 'specific attributes without their names', [
    put({}),
    ['Scan', { Select: 'SPECIFIC_ATTRIBUTES' }],
  ]),
];

const writes = (...requests: readonly object[]): Step => [
  'BatchWriteItem',
  { RequestItems: { '#TABLE': requests } },
];
const putOf = (pk: string) => ({ PutRequest: { Item: { pk: s(pk) } } });
const BATCHES: readonly DynamoQuestion[] = [
  onTable('plain', 'batch-write', 'a batch of a put and a delete', [
    writes(putOf('a'), { DeleteRequest: { Key: { pk: s('b') } } }),
    ['Scan', {}],
  ]),
  onTable('plain', 'batch-twice', 'a batch with one key twice', [writes(putOf('a'), putOf('a'))]),
  onTable('plain', 'batch-empty-request', 'a batch with a request of nothing', [writes({})]),
  onTable('plain', 'batch-no-key', 'a batch with an item without its key', [
    writes({ PutRequest: { Item: { x: s('a') } } }),
  ]),
  onTable('plain', 'batch-get', 'a batch of reads', [
    put({}),
    ['BatchGetItem', { RequestItems: { '#TABLE': { Keys: [{ pk: s('a') }, { pk: s('b') }] } } }],
  ]),
  onTable('plain', 'batch-get-twice', 'a batch that reads one key twice', [
    ['BatchGetItem', { RequestItems: { '#TABLE': { Keys: [{ pk: s('a') }, { pk: s('a') }] } } }],
  ]),
  onService('batch-none', 'a batch of nothing', 'BatchWriteItem', { RequestItems: {} }),
];

const create = (id: string, asks: string, more: object): DynamoQuestion =>
  onService(`create-${id}`, asks, 'CreateTable', {
    TableName: 'parity-created',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
    ...more,
  });
const range = { AttributeName: 'pk', KeyType: 'RANGE' };
const index = (more: object) => ({
  GlobalSecondaryIndexes: [
    {
      IndexName: 'index',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'ALL' },
      ...more,
    },
  ],
});
const TABLES: readonly DynamoQuestion[] = [
  create('range-first', 'a table whose first key is a range', { KeySchema: [range] }),
  create('one-name', 'a table whose keys have one name', {
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }, range],
    AttributeDefinitions: ['pk', 'x'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S',
    })),
  }),
  create('undefined-key', 'a table whose key is not defined', {
    AttributeDefinitions: [{ AttributeName: 'x', AttributeType: 'S' }],
  }),
  create('unused-definition', 'a table that defines what is no key', {
    AttributeDefinitions: ['pk', 'x'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S',
    })),
  }),
  create('no-capacity', 'a table without capacity or billing mode', { BillingMode: undefined }),
  create('both-ways', 'a table paid both ways', {
    ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
  }),
  create('empty-indexes', 'a table with no index in its list', { GlobalSecondaryIndexes: [] }),
  create('no-projection', 'an index that projects nothing', index({ Projection: {} })),
  create(
    'projects-twice',
    'an index that projects all and some',
    index({ Projection: { ProjectionType: 'ALL', NonKeyAttributes: ['x'] } }),
  ),
  create('short-name', 'a table with a name of two letters', { TableName: 'ab' }),
  onService('describe-missing', 'a table that is not there', 'DescribeTable', {
    TableName: 'parity-nowhere',
  }),
  onService('get-missing-table', 'an item of a table that is not there', 'GetItem', {
    TableName: 'parity-nowhere',
    Key: { pk: s('a') },
  }),
  onService('get-nothing', 'an item of no table', 'GetItem', {}),
  onService('get-short-name', 'an item of a table of two letters', 'GetItem', {
    TableName: 'ab',
    Key: { pk: s('a') },
  }),
  onTable('plain', 'get-enum', 'a word that is none', [
    ['GetItem', { Key: { pk: s('a') }, ReturnConsumedCapacity: 'ALL' }],
  ]),
  onTable('plain', 'get-not-text', 'a table’s name that is a number', [
    ['GetItem', { TableName: 1, Key: {} }],
  ]),
  onTable('plain', 'put-capacity', 'the capacity of a put of 1,025 bytes', [
    ['PutItem', { Item: { pk: s('a'), x: s('x'.repeat(1_021)) }, ReturnConsumedCapacity: 'TOTAL' }],
  ]),
  onTable('plain', 'put-returns-new', 'a put that asks for the new item', [
    ['PutItem', { Item: { pk: s('a') }, ReturnValues: 'ALL_NEW' }],
  ]),
  onTable('plain', 'update-nothing', 'an update of a table that changes nothing', [
    ['UpdateTable'],
  ]),
];

export const TABLE_QUESTIONS: readonly DynamoQuestion[] = [
  ...QUERIES,
  ...INDEXES,
  ...SCANS,
  ...BATCHES,
  ...TABLES,
];
