/** What the local cloud knows of each CloudFormation resource type. */
import { ALARM_PROPERTIES } from '#local/alarms/parse-alarm';
import { arn, PARTITION, REGION } from './arns.ts';
import { IAM_TYPES } from './iam-types.ts';
import { INERT_TYPES } from './inert-types.ts';
import { named } from './resource-type.ts';
import type { Properties, ResourceType } from './resource-type.ts';

const TABLE: ResourceType = {
  implemented: [
    'TableName',
    'KeySchema',
    'AttributeDefinitions',
    'BillingMode',
    'TimeToLiveSpecification',
  ],
  inert: [
    'Tags',
    'PointInTimeRecoverySpecification',
    'SSESpecification',
    'DeletionProtectionEnabled',
    'ProvisionedThroughput',
    'OnDemandThroughput',
    'WarmThroughput',
    'TableClass',
    'ContributorInsightsSpecification',
    'ResourcePolicy',
  ],
  nameProperty: 'TableName',
  identify: named((name) => arn('dynamodb', `table/${name}`)),
};

/**
 * Every type that a template may hold, and how much of it exists here.
 *
 * @source CloudFormation resource specification as emitted by aws-cdk-lib 2.276.0.
 */
export const RESOURCE_TYPES: Readonly<Record<string, ResourceType>> = {
  'AWS::Kinesis::Stream': {
    implemented: [
      'Name',
      'ShardCount',
      'RetentionPeriodHours',
      'StreamModeDetails.StreamMode',
      'MaxRecordSizeInKiB',
    ],
    inert: ['Tags', 'StreamEncryption', 'DesiredShardLevelMetrics', 'WarmThroughputMiBps'],
    nameProperty: 'Name',
    identify: named((name) => arn('kinesis', `stream/${name}`)),
  },
  'AWS::DynamoDB::Table': TABLE,
  'AWS::DynamoDB::GlobalTable': {
    ...TABLE,
    inert: [
      ...TABLE.inert,
      'WriteOnDemandThroughputSettings',
      'WriteProvisionedThroughputSettings',
      'Replicas.Region',
      ...TABLE.inert.map((property) => `Replicas.${property}`),
    ],
    refuse: ({ Replicas }) =>
      Array.isArray(Replicas) && Replicas.length > 1
        ? ['property Replicas names more than one region, and the local cloud has one']
        : [],
  },
  'AWS::S3::Bucket': {
    implemented: ['BucketName'],
    inert: [
      'Tags',
      'BucketEncryption',
      'PublicAccessBlockConfiguration',
      'LifecycleConfiguration',
      'OwnershipControls',
      'VersioningConfiguration',
      'LoggingConfiguration',
      'AccessControl',
    ],
    nameProperty: 'BucketName',
    identify: (name) => ({
      ref: name,
      attributes: {
        Arn: `arn:${PARTITION}:s3:::${name}`,
        DomainName: `${name}.s3.amazonaws.com`,
        RegionalDomainName: `${name}.s3.${REGION}.amazonaws.com`,
      },
    }),
  },
  'AWS::SecretsManager::Secret': {
    implemented: ['Name', 'Description', 'SecretString'],
    inert: ['Tags', 'KmsKeyId'],
    nameProperty: 'Name',
    identify: (name) => {
      const secretArn = arn('secretsmanager', `secret:${name}-Local0`);
      return { ref: secretArn, attributes: { Id: secretArn } };
    },
  },
  'AWS::Lambda::Function': {
    implemented: [
      'FunctionName',
      'Code.S3Bucket',
      'Code.S3Key',
      'Handler',
      'Runtime',
      'MemorySize',
      'Timeout',
      'Environment.Variables',
      'ReservedConcurrentExecutions',
    ],
    inert: [
      'Tags',
      'Role',
      'Description',
      'Architectures',
      'LoggingConfig',
      'TracingConfig',
      'KmsKeyArn',
      'EphemeralStorage',
      'RecursiveLoop',
      'RuntimeManagementConfig',
      'Code.SourceKMSKeyArn',
      'PackageType',
    ],
    nameProperty: 'FunctionName',
    identify: named((name) => arn('lambda', `function:${name}`)),
    refuse: ({ Runtime, PackageType }) => [
      ...(String(Runtime).startsWith('nodejs')
        ? []
        : [`runtime ${String(Runtime)} is not supported`]),
      ...(PackageType === 'Image' ? ['container images are not supported'] : []),
    ],
  },
  'AWS::Lambda::EventSourceMapping': {
    implemented: [
      'EventSourceArn',
      'FunctionName',
      'StartingPosition',
      'StartingPositionTimestamp',
      'BatchSize',
      'MaximumBatchingWindowInSeconds',
      'ParallelizationFactor',
      'MaximumRetryAttempts',
      'MaximumRecordAgeInSeconds',
      'BisectBatchOnFunctionError',
      'FunctionResponseTypes',
      'DestinationConfig.OnFailure.Destination',
      'Enabled',
      'MetricsConfig.Metrics',
    ],
    inert: ['Tags', 'KmsKeyArn', 'LoggingConfig'],
    identify: (name) => ({
      ref: name,
      attributes: {
        Id: name,
        EventSourceMappingArn: arn('lambda', `event-source-mapping:${name}`),
      },
    }),
    refuse: ({ EventSourceArn, DestinationConfig }) => [
      ...(/^arn:aws:kinesis:[^:]*:[^:]*:stream\//.test(String(EventSourceArn))
        ? []
        : [`event source ${String(EventSourceArn)} is not a Kinesis stream`]),
      ...refuseDestination(DestinationConfig),
    ],
  },
  'AWS::Lambda::EventInvokeConfig': {
    implemented: [
      'FunctionName',
      'Qualifier',
      'MaximumRetryAttempts',
      'MaximumEventAgeInSeconds',
      'DestinationConfig.OnFailure.Destination',
    ],
    inert: [],
    identify: (name) => ({ ref: name, attributes: {} }),
    refuse: ({ Qualifier, DestinationConfig }) => [
      ...(Qualifier === '$LATEST' ? [] : [`qualifier ${String(Qualifier)} is not supported`]),
      ...refuseDestination(DestinationConfig),
    ],
  },
  'AWS::Scheduler::Schedule': {
    implemented: [
      'Name',
      'GroupName',
      'ScheduleExpression',
      'ScheduleExpressionTimezone',
      'State',
      'FlexibleTimeWindow.Mode',
      'Target.Arn',
      'Target.Input',
    ],
    inert: [
      'Description',
      'KmsKeyArn',
      'FlexibleTimeWindow.MaximumWindowInMinutes',
      'Target.RoleArn',
      // Both cover the call that hands the event over, which does not fail here.
      'Target.RetryPolicy',
      'Target.DeadLetterConfig',
    ],
    nameProperty: 'Name',
    identify: named((name) => arn('scheduler', `schedule/default/${name}`)),
    refuse: ({ Target }) => {
      const target = String((Target as Properties | undefined)?.['Arn']);
      return /^arn:aws:lambda:[^:]*:[^:]*:function:/.test(target)
        ? []
        : [`target ${target} is not a Lambda function`];
    },
  },
  'AWS::CloudWatch::Alarm': {
    implemented: ALARM_PROPERTIES,
    // Whom an alarm tells is nobody's business here.
    inert: [
      'ActionsEnabled',
      'AlarmActions',
      'AlarmDescription',
      'InsufficientDataActions',
      'OKActions',
      'Tags',
    ],
    nameProperty: 'AlarmName',
    identify: named((name) => arn('cloudwatch', `alarm:${name}`)),
  },
  ...IAM_TYPES,
  ...INERT_TYPES,
};

function refuseDestination(config: unknown): readonly string[] {
  const onFailure = (config as { OnFailure?: { Destination?: unknown } } | undefined)?.OnFailure;
  if (onFailure === undefined || String(onFailure.Destination).startsWith('arn:aws:s3:::'))
    return [];
  return [`failure destination ${String(onFailure.Destination)} is not a bucket`];
}
