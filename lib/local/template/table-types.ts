/** Tables of DynamoDB, in one region or named by their regions. */
import { arn } from './arns.ts';
import { named } from './resource-type.ts';
import type { ResourceType } from './resource-type.ts';

/** What a GlobalTable says of each replica, a Table says of itself. */
const OF_REPLICA = [
  'DeletionProtectionEnabled',
  'PointInTimeRecoverySpecification',
  'TableClass',
  'Tags',
];
const INERT_OF_REPLICA = ['ContributorInsightsSpecification', 'ResourcePolicy', 'SSESpecification'];
const below = (place: string, names: readonly string[]): readonly string[] =>
  names.map((name) => `${place}.${name}`);
const INDEX = ['IndexName', 'KeySchema', 'Projection'];

const TABLE: ResourceType = {
  implemented: [
    'TableName',
    'KeySchema',
    'AttributeDefinitions',
    'BillingMode',
    'ProvisionedThroughput',
    'TimeToLiveSpecification',
    ...below('LocalSecondaryIndexes', INDEX),
    ...below('GlobalSecondaryIndexes', [...INDEX, 'ProvisionedThroughput']),
    ...OF_REPLICA,
  ],
  inert: [
    'OnDemandThroughput',
    'WarmThroughput',
    ...INERT_OF_REPLICA,
    ...below('GlobalSecondaryIndexes', [
      'ContributorInsightsSpecification',
      'OnDemandThroughput',
      'WarmThroughput',
    ]),
  ],
  nameProperty: 'TableName',
  identify: named((name) => arn('dynamodb', `table/${name}`)),
};

export const TABLE_TYPES: Readonly<Record<string, ResourceType>> = {
  'AWS::DynamoDB::Table': TABLE,
  'AWS::DynamoDB::GlobalTable': {
    ...TABLE,
    implemented: [...TABLE.implemented, ...below('Replicas', OF_REPLICA)],
    inert: [
      ...TABLE.inert,
      'WriteOnDemandThroughputSettings',
      'WriteProvisionedThroughputSettings',
      ...below('GlobalSecondaryIndexes', [
        'WriteOnDemandThroughputSettings',
        'WriteProvisionedThroughputSettings',
      ]),
      ...below('Replicas', [
        'Region',
        'GlobalSecondaryIndexes',
        'ReadOnDemandThroughputSettings',
        'ReadProvisionedThroughputSettings',
        ...INERT_OF_REPLICA,
      ]),
    ],
    refuse: ({ Replicas }) =>
      Array.isArray(Replicas) && Replicas.length > 1
        ? ['property Replicas names more than one region, and the local cloud has one']
        : [],
  },
};
