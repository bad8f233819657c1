/** What the local cloud knows of each CloudFormation resource type. */
import { ALARM_PROPERTIES } from '#local/alarms/parse-alarm';
import { arn, PARTITION, REGION } from './arns.ts';
import { IAM_TYPES } from './iam-types.ts';
import { INERT_TYPES } from './inert-types.ts';
import { isQueue, QUEUE_TYPE, refuseDeadLetters } from './queue-type.ts';
import { RULE_TYPE } from './rule-type.ts';
import { named } from './resource-type.ts';
import type { ResourceType } from './resource-type.ts';
import { SCHEDULE_TYPE } from './schedule-type.ts';
import { TABLE_TYPES } from './table-types.ts';

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
  ...TABLE_TYPES,
  'AWS::S3::Bucket': {
    implemented: ['BucketName', 'LifecycleConfiguration'],
    inert: [
      'Tags',
      'BucketEncryption',
      'PublicAccessBlockConfiguration',
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
    implemented: ['Name', 'Description', 'SecretString', 'GenerateSecretString'],
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
      'Code.ZipFile',
      'Handler',
      'Runtime',
      'MemorySize',
      'Timeout',
      'Environment.Variables',
      'ReservedConcurrentExecutions',
      'DeadLetterConfig.TargetArn',
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
    refuse: ({ Runtime, PackageType, DeadLetterConfig }) => [
      ...refuseDeadLetters(DeadLetterConfig),
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
      'FilterCriteria.Filters',
      'TumblingWindowInSeconds',
    ],
    inert: ['Tags', 'KmsKeyArn'],
    namesByUuid: true,
    identify: (name) => ({
      ref: name,
      attributes: {
        Id: name,
        EventSourceMappingArn: arn('lambda', `event-source-mapping:${name}`),
      },
    }),
    refuse: ({ EventSourceArn }) =>
      /^arn:aws:kinesis:[^:]*:[^:]*:stream\//.test(String(EventSourceArn))
        ? []
        : [`event source ${String(EventSourceArn)} is not a Kinesis stream`],
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
  'AWS::Scheduler::Schedule': SCHEDULE_TYPE,
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
  'AWS::SQS::Queue': QUEUE_TYPE,
  'AWS::Events::Rule': RULE_TYPE,
  ...IAM_TYPES,
  ...INERT_TYPES,
};

function refuseDestination(config: unknown): readonly string[] {
  const onFailure = (config as { OnFailure?: { Destination?: unknown } } | undefined)?.OnFailure;
  if (onFailure === undefined) return [];
  const destination = String(onFailure.Destination);
  if (destination.startsWith('arn:aws:s3:::') || isQueue(destination)) return [];
  return [`failure destination ${destination} is neither a bucket nor a standard queue`];
}
