/** What the local cloud knows of each CloudFormation resource type. */
import type { KnownProperties } from './unsupported-properties.ts';

/** Where everything lives. */
export const REGION = 'us-east-1';
export const ACCOUNT_ID = '000000000000';
export const PARTITION = 'aws';

export type Properties = Readonly<Record<string, unknown>>;

export interface Identity {
  /** The value of Ref. */
  readonly ref: string;
  /** The values of Fn::GetAtt. */
  readonly attributes: Readonly<Record<string, string>>;
}

export interface ResourceType extends KnownProperties {
  /** The property that holds the physical name, if the type has one. */
  readonly nameProperty?: string;
  /** True: any property is accepted, and nothing is created. */
  readonly nothingLocally?: boolean;
  identify(name: string): Identity;
  /** Values, of properties that are implemented, that are not; each continues `…: `. */
  refuse?(properties: Properties): readonly string[];
}

const arn = (service: string, resource: string): string =>
  `arn:${PARTITION}:${service}:${REGION}:${ACCOUNT_ID}:${resource}`;

const globalArn = (service: string, resource: string): string =>
  `arn:${PARTITION}:${service}::${resource}`;

/** Ref is the name; the one attribute is the ARN. */
const named = (toArn: (name: string) => string, attribute = 'Arn') => (name: string) => ({
  ref: name,
  attributes: { [attribute]: toArn(name) },
});

const inert = (identify: ResourceType['identify'], nameProperty?: string): ResourceType => ({
  implemented: [],
  inert: [],
  nothingLocally: true,
  identify,
  ...(nameProperty === undefined ? {} : { nameProperty }),
});

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
      ...(String(Runtime).startsWith('nodejs') ? [] : [`runtime ${String(Runtime)} is not supported`]),
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
    ],
    inert: ['Tags', 'KmsKeyArn', 'MetricsConfig', 'LoggingConfig'],
    identify: (name) => ({
      ref: name,
      attributes: { Id: name, EventSourceMappingArn: arn('lambda', `event-source-mapping:${name}`) },
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
  'AWS::Scheduler::ScheduleGroup': inert(
    named((name) => arn('scheduler', `schedule-group/${name}`)),
    'Name',
  ),
  'AWS::IAM::Role': inert(named((name) => globalArn('iam', `${ACCOUNT_ID}:role/${name}`)), 'RoleName'),
  'AWS::IAM::Policy': inert(named((name) => name, 'Id'), 'PolicyName'),
  'AWS::IAM::ManagedPolicy': inert((name) => {
    const policyArn = globalArn('iam', `${ACCOUNT_ID}:policy/${name}`);
    return { ref: policyArn, attributes: { PolicyArn: policyArn } };
  }, 'ManagedPolicyName'),
  'AWS::S3::BucketPolicy': inert(named((name) => name, 'Id')),
  'AWS::Logs::LogGroup': inert(named((name) => arn('logs', `log-group:${name}:*`)), 'LogGroupName'),
  'AWS::Logs::MetricFilter': inert(named((name) => name, 'Id')),
  'AWS::CDK::Metadata': inert(named((name) => name, 'Id')),
  'AWS::Lambda::Permission': inert(named((name) => name, 'Id')),
  'AWS::KMS::Key': inert((name) => ({
    ref: name,
    attributes: { Arn: arn('kms', `key/${name}`), KeyId: name },
  })),
  'AWS::KMS::Alias': inert(named((name) => arn('kms', name)), 'AliasName'),
  'AWS::CloudWatch::Alarm': inert(named((name) => arn('cloudwatch', `alarm:${name}`)), 'AlarmName'),
  'AWS::CloudWatch::CompositeAlarm': inert(
    named((name) => arn('cloudwatch', `alarm:${name}`)),
    'AlarmName',
  ),
  'AWS::CloudWatch::Dashboard': inert(named((name) => name, 'Id'), 'DashboardName'),
  'AWS::SNS::Topic': inert((name) => {
    const topicArn = arn('sns', name);
    return { ref: topicArn, attributes: { TopicArn: topicArn, TopicName: name } };
  }, 'TopicName'),
  'AWS::SNS::TopicPolicy': inert(named((name) => name, 'Id')),
  'AWS::SNS::Subscription': inert(named((name) => name, 'Arn')),
};

function refuseDestination(config: unknown): readonly string[] {
  const onFailure = (config as { OnFailure?: { Destination?: unknown } } | undefined)?.OnFailure;
  if (onFailure === undefined || String(onFailure.Destination).startsWith('arn:aws:s3:::')) return [];
  return [`failure destination ${String(onFailure.Destination)} is not a bucket`];
}
