/** The shapes of requests on items. */
import type { Shape, Structure } from './shape.ts';

const TEXT: Shape = { kind: 'text' };
const BOOLEAN: Shape = { kind: 'boolean' };
const ANY: Shape = { kind: 'any' };
/** An item or a key: its values are read by the code that needs them. */
const ITEM: Shape = { kind: 'map', of: ANY };
/** A name or an ARN. @source DynamoDB API 2012-08-10, TableArn. */
export const TABLE_NAME: Shape = { kind: 'text', min: 1, max: 1024 };
const INDEX_NAME: Shape = { kind: 'text', pattern: '[a-zA-Z0-9_.-]+', min: 3, max: 255 };
const words = (...of: readonly string[]): Shape => ({ kind: 'text', words: of });

const CONSUMED = { ReturnConsumedCapacity: words('INDEXES', 'TOTAL', 'NONE') };
const METRICS = { ReturnItemCollectionMetrics: words('SIZE', 'NONE') };
const NAMES: Shape = { kind: 'map', of: TEXT };
const PLACEHOLDERS = { ExpressionAttributeNames: NAMES, ExpressionAttributeValues: ITEM };
const ON_FAILURE = { ReturnValuesOnConditionCheckFailure: words('ALL_OLD', 'NONE') };
const WRITE = { TableName: TABLE_NAME, ConditionExpression: TEXT, ...PLACEHOLDERS, ...ON_FAILURE };
const WRITE_ALONE = {
  ...WRITE,
  ...CONSUMED,
  ...METRICS,
  ReturnValues: words('ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW'),
};
const GET = {
  TableName: TABLE_NAME,
  Key: ITEM,
  ProjectionExpression: TEXT,
  ExpressionAttributeNames: NAMES,
};
const PAGE = {
  Select: words('SPECIFIC_ATTRIBUTES', 'COUNT', 'ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES'),
  IndexName: INDEX_NAME,
  ...CONSUMED,
  TableName: TABLE_NAME,
  Limit: { kind: 'integer', min: 1 },
  ExclusiveStartKey: ITEM,
  ConsistentRead: BOOLEAN,
  FilterExpression: TEXT,
  ProjectionExpression: TEXT,
  ...PLACEHOLDERS,
} as const;

const structure = (
  members: Readonly<Record<string, Shape>>,
  ...required: readonly string[]
): Structure => ({ kind: 'structure', members, required });

const PUT = structure({ ...WRITE, Item: ITEM }, 'TableName', 'Item');
const DELETE = structure({ ...WRITE, Key: ITEM }, 'TableName', 'Key');
const UPDATE = structure(
  { ...WRITE, Key: ITEM, UpdateExpression: TEXT },
  'TableName',
  'Key',
  'UpdateExpression',
);
const CHECK = structure({ ...WRITE, Key: ITEM }, 'TableName', 'Key', 'ConditionExpression');
const WRITE_REQUEST = structure({
  PutRequest: structure({ Item: ITEM }, 'Item'),
  DeleteRequest: structure({ Key: ITEM }, 'Key'),
});
const KEYS = structure(
  {
    Keys: { kind: 'list', of: ITEM, min: 1, max: 100 },
    ConsistentRead: BOOLEAN,
    ProjectionExpression: TEXT,
    ExpressionAttributeNames: NAMES,
  },
  'Keys',
);
const ACTIONS = { kind: 'list', min: 1, max: 100 } as const;

/** @source DynamoDB API 2012-08-10: each operation's members, less the legacy ones. */
export const ITEM_SHAPES: Readonly<Record<string, Structure>> = {
  GetItem: structure({ ...CONSUMED, ...GET, ConsistentRead: BOOLEAN }, 'TableName', 'Key'),
  PutItem: structure({ ...WRITE_ALONE, Item: ITEM }, 'TableName', 'Item'),
  DeleteItem: structure({ ...WRITE_ALONE, Key: ITEM }, 'TableName', 'Key'),
  UpdateItem: structure({ ...WRITE_ALONE, Key: ITEM, UpdateExpression: TEXT }, 'TableName', 'Key'),
  Query: structure(
    { ...PAGE, ScanIndexForward: BOOLEAN, KeyConditionExpression: TEXT },
    'TableName',
  ),
  Scan: structure(
    {
      ...PAGE,
      TotalSegments: { kind: 'integer', min: 1, max: 1_000_000 },
      Segment: { kind: 'integer', min: 0, max: 999_999 },
    },
    'TableName',
  ),
  BatchGetItem: structure(
    { ...CONSUMED, RequestItems: { kind: 'map', of: KEYS, min: 1, max: 100 } },
    'RequestItems',
  ),
  BatchWriteItem: structure(
    {
      ...CONSUMED,
      ...METRICS,
      RequestItems: {
        kind: 'map',
        of: { kind: 'list', of: WRITE_REQUEST, min: 1, max: 25 },
        min: 1,
        max: 25,
      },
    },
    'RequestItems',
  ),
  TransactGetItems: structure(
    {
      ...CONSUMED,
      TransactItems: {
        ...ACTIONS,
        of: structure({ Get: structure(GET, 'TableName', 'Key') }, 'Get'),
      },
    },
    'TransactItems',
  ),
  TransactWriteItems: structure(
    {
      ...CONSUMED,
      ...METRICS,
      TransactItems: {
        ...ACTIONS,
        of: structure({ Put: PUT, Update: UPDATE, Delete: DELETE, ConditionCheck: CHECK }),
      },
      ClientRequestToken: { kind: 'text', min: 1, max: 36 },
    },
    'TransactItems',
  ),
};
