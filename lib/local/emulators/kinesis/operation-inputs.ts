/**
 * What each operation's request may hold: one table, checked before any operation runs.
 *
 * A member that is not here is refused by name: `StreamId` is reserved by AWS, and what is left out
 * would change what happens.
 *
 * @source Kinesis API 2013-12-02 (botocore 1.44.8, service-2.json).
 */
import type { Member, Members } from './member.ts';
import { required } from './member.ts';

const text = (min: number, max: number, test?: RegExp): Member =>
  test === undefined
    ? { kind: 'text', min, max }
    : { kind: 'text', min, max, pattern: { test, shown: test.source.replace(/^\^|\$$/g, '') } };
const count = (min?: number, max?: number): Member => ({
  kind: 'count',
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
});
const choice = (...values: readonly string[]): Member => ({ kind: 'choice', values });
const MOMENT: Member = { kind: 'moment' };
const FLAG: Member = { kind: 'flag' };

const NAME = text(1, 128, /^[a-zA-Z0-9_.-]+$/);
const STREAM_ARN = text(1, 2048, /^arn:aws.*:kinesis:.*:\d{12}:stream\/\S+$/);
const RESOURCE_ARN = text(1, 2048, /^arn:aws.*:kinesis:.*:\d{12}:.*stream\/\S+$/);
const CONSUMER_ARN = text(
  1,
  2048,
  /^arn:aws.*:kinesis:.*:\d{12}:.*stream\/[^/]+\/consumer\/[^/]+:\d+$/,
);
const HASH_KEY: Member = {
  kind: 'text',
  pattern: { test: /^(0|[1-9]\d{0,38})$/, shown: '0|([1-9]\\d{0,38})' },
};
const SEQUENCE_NUMBER: Member = {
  kind: 'text',
  pattern: { test: /^(0|[1-9]\d{0,128})$/, shown: '0|([1-9]\\d{0,128})' },
};
const TOKEN = text(1, 1_048_576);
const MODE = choice('PROVISIONED', 'ON_DEMAND');
const TAGS: Member = { kind: 'tags', min: 1, max: 200 };
const TAG_KEYS: Member = { kind: 'list', of: text(1, 128), min: 1, max: 50 };
export const SHARD_METRICS: Member = {
  kind: 'list',
  min: 1,
  max: 7,
  of: choice(
    'IncomingBytes',
    'IncomingRecords',
    'OutgoingBytes',
    'OutgoingRecords',
    'WriteProvisionedThroughputExceeded',
    'ReadProvisionedThroughputExceeded',
    'IteratorAgeMilliseconds',
    'ALL',
  ),
};
const STREAM: Members = { StreamName: NAME, StreamARN: STREAM_ARN };
const RECORD: Members = {
  Data: required({ kind: 'blob', max: 10 * 1024 * 1024 }),
  PartitionKey: required(text(1, 256)),
  ExplicitHashKey: HASH_KEY,
};
const ENCRYPTION: Members = {
  ...STREAM,
  EncryptionType: required(choice('NONE', 'KMS')),
  KeyId: required(text(1, 2048)),
};
const CONSUMER: Members = {
  StreamARN: STREAM_ARN,
  ConsumerName: NAME,
  ConsumerARN: CONSUMER_ARN,
};
/** The hours' bounds are the stream's matter, and so checked after it was found. */
const RETENTION: Members = { ...STREAM, RetentionPeriodHours: required(count()) };
const RECORD_KIB = count(1_024, 10_240);

export const OPERATION_INPUTS = {
  AddTagsToStream: { ...STREAM, Tags: required(TAGS) },
  CreateStream: {
    StreamName: required(NAME),
    ShardCount: count(1),
    StreamModeDetails: { kind: 'object', members: { StreamMode: required(MODE) } },
    MaxRecordSizeInKiB: RECORD_KIB,
    RecordDistributionStrategy: choice('USER_PARTITION_KEY'),
    Tags: TAGS,
  },
  DecreaseStreamRetentionPeriod: RETENTION,
  DeleteStream: { ...STREAM, EnforceConsumerDeletion: FLAG },
  DeregisterStreamConsumer: CONSUMER,
  DescribeLimits: {},
  DescribeStream: { ...STREAM, Limit: count(1, 10_000), ExclusiveStartShardId: NAME },
  DescribeStreamConsumer: CONSUMER,
  DescribeStreamSummary: STREAM,
  DisableEnhancedMonitoring: { ...STREAM, ShardLevelMetrics: required(SHARD_METRICS) },
  EnableEnhancedMonitoring: { ...STREAM, ShardLevelMetrics: required(SHARD_METRICS) },
  GetRecords: {
    ShardIterator: required(text(1, 512)),
    Limit: count(1, 10_000),
    StreamARN: STREAM_ARN,
    DryRun: FLAG,
  },
  GetShardIterator: {
    ...STREAM,
    ShardId: required(NAME),
    ShardIteratorType: required(
      choice(
        'AFTER_SEQUENCE_NUMBER',
        'LATEST',
        'AT_TIMESTAMP',
        'AT_SEQUENCE_NUMBER',
        'TRIM_HORIZON',
      ),
    ),
    StartingSequenceNumber: SEQUENCE_NUMBER,
    Timestamp: MOMENT,
    DryRun: FLAG,
  },
  IncreaseStreamRetentionPeriod: RETENTION,
  ListShards: {
    ...STREAM,
    NextToken: TOKEN,
    ExclusiveStartShardId: NAME,
    MaxResults: count(1, 10_000),
    StreamCreationTimestamp: MOMENT,
    ShardFilter: {
      kind: 'object',
      members: {
        Type: required(
          choice(
            'AFTER_SHARD_ID',
            'AT_TRIM_HORIZON',
            'FROM_TRIM_HORIZON',
            'AT_LATEST',
            'AT_TIMESTAMP',
            'FROM_TIMESTAMP',
          ),
        ),
        ShardId: NAME,
        Timestamp: MOMENT,
      },
    },
  },
  ListStreamConsumers: {
    StreamARN: required(STREAM_ARN),
    NextToken: TOKEN,
    MaxResults: count(1, 10_000),
    StreamCreationTimestamp: MOMENT,
  },
  ListStreams: { Limit: count(1, 10_000), ExclusiveStartStreamName: NAME, NextToken: TOKEN },
  ListTagsForResource: { ResourceARN: required(RESOURCE_ARN) },
  ListTagsForStream: { ...STREAM, ExclusiveStartTagKey: text(1, 128), Limit: count(1, 50) },
  MergeShards: { ...STREAM, ShardToMerge: required(NAME), AdjacentShardToMerge: required(NAME) },
  PutRecord: { ...STREAM, ...RECORD, SequenceNumberForOrdering: SEQUENCE_NUMBER, DryRun: FLAG },
  PutRecords: {
    ...STREAM,
    Records: required({ kind: 'list', of: { kind: 'object', members: RECORD }, min: 1, max: 500 }),
    DryRun: FLAG,
  },
  RegisterStreamConsumer: {
    StreamARN: required(STREAM_ARN),
    ConsumerName: required(NAME),
    Tags: TAGS,
  },
  RemoveTagsFromStream: { ...STREAM, TagKeys: required(TAG_KEYS) },
  SplitShard: { ...STREAM, ShardToSplit: required(NAME), NewStartingHashKey: required(HASH_KEY) },
  StartStreamEncryption: ENCRYPTION,
  StopStreamEncryption: ENCRYPTION,
  TagResource: { ResourceARN: required(RESOURCE_ARN), Tags: required(TAGS) },
  UntagResource: { ResourceARN: required(RESOURCE_ARN), TagKeys: required(TAG_KEYS) },
  UpdateMaxRecordSize: { StreamARN: STREAM_ARN, MaxRecordSizeInKiB: required(RECORD_KIB) },
  UpdateShardCount: {
    ...STREAM,
    TargetShardCount: required(count(1)),
    ScalingType: required(choice('UNIFORM_SCALING')),
  },
  UpdateStreamMode: {
    StreamARN: required(STREAM_ARN),
    StreamModeDetails: required({ kind: 'object', members: { StreamMode: required(MODE) } }),
  },
} as const satisfies Readonly<Record<string, Members>>;

export type OperationName = keyof typeof OPERATION_INPUTS;
