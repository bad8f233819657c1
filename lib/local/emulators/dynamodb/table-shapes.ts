/** The shapes of requests on tables. */
import { TABLE_NAME } from './item-shapes.ts';
import type { Shape, Structure } from './shape.ts';

const TEXT: Shape = { kind: 'text' };
const BOOLEAN: Shape = { kind: 'boolean' };
const ANY: Shape = { kind: 'any' };
const KEY_NAME: Shape = { kind: 'text', min: 1, max: 255 };
const INDEX_NAME: Shape = { kind: 'text', pattern: '[a-zA-Z0-9_.-]+', min: 3, max: 255 };
const words = (...of: readonly string[]): Shape => ({ kind: 'text', words: of });

const structure = (
  members: Readonly<Record<string, Shape>>,
  ...required: readonly string[]
): Structure => ({ kind: 'structure', members, required });

const THROUGHPUT = structure(
  {
    WriteCapacityUnits: { kind: 'integer', min: 1 },
    ReadCapacityUnits: { kind: 'integer', min: 1 },
  },
  'WriteCapacityUnits',
  'ReadCapacityUnits',
);
const DEFINITIONS: Shape = {
  kind: 'list',
  of: structure(
    { AttributeName: KEY_NAME, AttributeType: words('B', 'N', 'S') },
    'AttributeName',
    'AttributeType',
  ),
};
const KEY_SCHEMA: Shape = {
  kind: 'list',
  of: structure(
    { AttributeName: KEY_NAME, KeyType: words('HASH', 'RANGE') },
    'AttributeName',
    'KeyType',
  ),
  min: 1,
  max: 2,
};
const PROJECTION = structure({
  ProjectionType: words('ALL', 'INCLUDE', 'KEYS_ONLY'),
  NonKeyAttributes: { kind: 'list', of: KEY_NAME, min: 1, max: 20 },
});
const INDEX = { IndexName: INDEX_NAME, KeySchema: KEY_SCHEMA, Projection: PROJECTION };
const INDEX_REQUIRED = ['IndexName', 'KeySchema', 'Projection'] as const;
/** Limits on what a table may do, which nothing here ever reaches. */
const UNREACHED = { OnDemandThroughput: ANY, WarmThroughput: ANY };
const GLOBAL_INDEX = structure(
  { ...INDEX, ProvisionedThroughput: THROUGHPUT, ...UNREACHED },
  ...INDEX_REQUIRED,
);
const SETTINGS = {
  BillingMode: words('PROVISIONED', 'PAY_PER_REQUEST'),
  ProvisionedThroughput: THROUGHPUT,
  SSESpecification: ANY,
  TableClass: words('STANDARD', 'STANDARD_INFREQUENT_ACCESS'),
  DeletionProtectionEnabled: BOOLEAN,
  ...UNREACHED,
};
const TAGS: Shape = { kind: 'list', of: structure({ Key: TEXT, Value: TEXT }, 'Key', 'Value') };
const ONE_TABLE = structure({ TableName: TABLE_NAME }, 'TableName');

/** @source DynamoDB API 2012-08-10. */
export const TABLE_SHAPES: Readonly<Record<string, Structure>> = {
  CreateTable: structure(
    {
      AttributeDefinitions: DEFINITIONS,
      TableName: TABLE_NAME,
      KeySchema: KEY_SCHEMA,
      LocalSecondaryIndexes: { kind: 'list', of: structure(INDEX, ...INDEX_REQUIRED) },
      GlobalSecondaryIndexes: { kind: 'list', of: GLOBAL_INDEX },
      Tags: TAGS,
      ...SETTINGS,
    },
    'AttributeDefinitions',
    'TableName',
    'KeySchema',
  ),
  UpdateTable: structure(
    {
      AttributeDefinitions: DEFINITIONS,
      TableName: TABLE_NAME,
      ...SETTINGS,
      GlobalSecondaryIndexUpdates: {
        kind: 'list',
        of: structure({
          Create: GLOBAL_INDEX,
          Update: structure(
            { IndexName: INDEX_NAME, ProvisionedThroughput: THROUGHPUT, ...UNREACHED },
            'IndexName',
          ),
          Delete: structure({ IndexName: INDEX_NAME }, 'IndexName'),
        }),
      },
    },
    'TableName',
  ),
  DeleteTable: ONE_TABLE,
  DescribeTable: ONE_TABLE,
  DescribeTimeToLive: ONE_TABLE,
  DescribeContinuousBackups: ONE_TABLE,
  DescribeEndpoints: structure({}),
  DescribeLimits: structure({}),
  ListTables: structure({
    ExclusiveStartTableName: INDEX_NAME,
    Limit: { kind: 'integer', min: 1, max: 100 },
  }),
  UpdateTimeToLive: structure(
    {
      TableName: TABLE_NAME,
      TimeToLiveSpecification: structure(
        { AttributeName: KEY_NAME, Enabled: BOOLEAN },
        'AttributeName',
        'Enabled',
      ),
    },
    'TableName',
    'TimeToLiveSpecification',
  ),
  UpdateContinuousBackups: structure(
    {
      TableName: TABLE_NAME,
      PointInTimeRecoverySpecification: structure(
        {
          PointInTimeRecoveryEnabled: BOOLEAN,
          RecoveryPeriodInDays: { kind: 'integer', min: 1, max: 35 },
        },
        'PointInTimeRecoveryEnabled',
      ),
    },
    'TableName',
    'PointInTimeRecoverySpecification',
  ),
  ListTagsOfResource: structure({ ResourceArn: TABLE_NAME, NextToken: TEXT }, 'ResourceArn'),
  TagResource: structure({ ResourceArn: TABLE_NAME, Tags: TAGS }, 'ResourceArn', 'Tags'),
  UntagResource: structure(
    { ResourceArn: TABLE_NAME, TagKeys: { kind: 'list', of: TEXT } },
    'ResourceArn',
    'TagKeys',
  ),
};
