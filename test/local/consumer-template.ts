/** One consumer of the product as a deployment makes it, less the poller: for handlers in process. */
import { roleThatMay } from './cloud-fixture.ts';

export interface ConsumerTemplateAsk {
  readonly stream: string;
  readonly shards?: number;
  readonly table: string;
  /** Of the table's key. */
  readonly keyName: string;
  readonly stateTable: string;
  readonly bucket: string;
  readonly functionName: string;
  readonly timeoutSec?: number | undefined;
  readonly batchSize?: number | undefined;
}

/** The resources `Stream`, `State`, `Table`, `Box`, `Role`, `Consume` and `Mapping`. */
export function consumerTemplate({
  stream,
  shards = 1,
  table,
  keyName,
  stateTable,
  bucket,
  functionName,
  timeoutSec = 30,
  batchSize = 100,
}: ConsumerTemplateAsk) {
  return {
    Resources: {
      Stream: { Type: 'AWS::Kinesis::Stream', Properties: { Name: stream, ShardCount: shards } },
      State: tableOf(stateTable, ['pk', 'sk']),
      Table: tableOf(table, [keyName]),
      Box: { Type: 'AWS::S3::Bucket', Properties: { BucketName: bucket } },
      Role: roleThatMay('logs:*', 'kinesis:*', 'dynamodb:*', 's3:*', 'lambda:InvokeFunction'),
      Consume: {
        Type: 'AWS::Lambda::Function',
        Properties: {
          FunctionName: functionName,
          Runtime: 'nodejs24.x',
          Handler: 'index.handler',
          Code: { S3Bucket: 'assets', S3Key: 'none' },
          Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
          Timeout: timeoutSec,
          Environment: {
            Variables: {
              PENSTOCK_CODE: 'c0de',
              PENSTOCK_TABLE: table,
              PENSTOCK_STATE_TABLE: stateTable,
              PENSTOCK_QUARANTINE_BUCKET: bucket,
            },
          },
        },
      },
      Mapping: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: {
          FunctionName: { Ref: 'Consume' },
          EventSourceArn: { 'Fn::GetAtt': ['Stream', 'Arn'] },
          StartingPosition: 'TRIM_HORIZON',
          BatchSize: batchSize,
          MaximumRetryAttempts: -1,
          MaximumRecordAgeInSeconds: 24 * 3_600,
          BisectBatchOnFunctionError: true,
          FunctionResponseTypes: ['ReportBatchItemFailures'],
          DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['Box', 'Arn'] } } },
        },
      },
    },
  };
}

function tableOf(TableName: string, keys: readonly string[]) {
  return {
    Type: 'AWS::DynamoDB::Table',
    Properties: {
      TableName,
      KeySchema: keys.map((AttributeName, at) => ({
        AttributeName,
        KeyType: at === 0 ? 'HASH' : 'RANGE',
      })),
      AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      BillingMode: 'PAY_PER_REQUEST',
    },
  };
}
