/** A small app, its code included, as cdk.out would hold it. */
import type { Template, TemplateResource } from '#local/template/assembly';
import { writeAssembly } from '#test/local/template/assembly-fixture';

/** Calls the cloud as an SDK client would, signature aside. */
const CALL = `
const call = async (target, input, type = '1.1') => {
  const response = await fetch(process.env.AWS_ENDPOINT_URL, {
    method: 'POST',
    headers: { 'x-amz-target': target, 'content-type': 'application/x-amz-json-' + type },
    body: JSON.stringify(input),
  });
  return { status: response.status, body: await response.json() };
};
`;

/** Publishes one record a tick. */
export const POLL_CODE = `${CALL}
let ticks = 0;
export const handler = async (event) => {
  ticks += 1;
  console.log(JSON.stringify({ message: 'ticked', url: process.env.ORDERS_API_URL, source: event.source }));
  const Data = Buffer.from(JSON.stringify({ tick: ticks })).toString('base64');
  await call('Kinesis_20131202.PutRecord', { StreamName: process.env.STREAM, PartitionKey: 'k', Data });
  return { ticks };
};
`;

/** Keeps each record as an object of the bucket. */
export const CONSUME_CODE = `
export const handler = async (event) => {
  for (const { kinesis } of event.Records) {
    const path = '/' + process.env.BUCKET + '/seen/' + kinesis.sequenceNumber;
    await fetch(process.env.AWS_ENDPOINT_URL + path, { method: 'PUT', body: Buffer.from(kinesis.data, 'base64') });
  }
  return { batchItemFailures: [] };
};
`;

/** On everything. */
export const roleThatMay = (...actions: readonly string[]): TemplateResource => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    Policies: [
      {
        PolicyName: 'all',
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: [{ Effect: 'Allow', Action: actions, Resource: '*' }],
        },
      },
    ],
  },
});

const functionOf = (name: string, hash: string, more: object): TemplateResource => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    FunctionName: name,
    Runtime: 'nodejs24.x',
    Handler: 'index.handler',
    Code: { S3Bucket: 'assets', S3Key: `${hash}.zip` },
    Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
    ...more,
  },
});

export const DATA_TEMPLATE: Template = {
  Resources: {
    Stream: { Type: 'AWS::Kinesis::Stream', Properties: { Name: 'river', ShardCount: 2 } },
    Box: {
      Type: 'AWS::S3::Bucket',
      Properties: { BucketName: { 'Fn::Sub': 'box-${AWS::AccountId}' } },
    },
    Secret: { Type: 'AWS::SecretsManager::Secret', Properties: { Name: 'penstock/dev/token' } },
    Table: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        TableName: 'rows',
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        BillingMode: 'PAY_PER_REQUEST',
      },
    },
  },
};

export const RUN_TEMPLATE: Template = {
  Parameters: { OrdersApiUrl: { Type: 'String' } },
  Resources: {
    Role: roleThatMay('logs:*', 'kinesis:*', 's3:*', 'lambda:InvokeFunction'),
    Poll: functionOf('poll', 'c0de1', {
      ReservedConcurrentExecutions: 1,
      Timeout: 20,
      Environment: { Variables: { STREAM: 'river', ORDERS_API_URL: { Ref: 'OrdersApiUrl' } } },
    }),
    Consume: functionOf('consume', 'c0de2', {
      Timeout: 20,
      Environment: { Variables: { BUCKET: { 'Fn::Sub': 'box-${AWS::AccountId}' } } },
    }),
    Mapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        FunctionName: { Ref: 'Consume' },
        EventSourceArn: {
          'Fn::Sub': 'arn:aws:kinesis:${AWS::Region}:${AWS::AccountId}:stream/river',
        },
        StartingPosition: 'TRIM_HORIZON',
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      },
    },
    Schedule: {
      Type: 'AWS::Scheduler::Schedule',
      Properties: {
        Name: 'every-minute',
        ScheduleExpression: 'rate(1 minute)',
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: {
          Arn: { 'Fn::GetAtt': ['Poll', 'Arn'] },
          RoleArn: { 'Fn::GetAtt': ['Role', 'Arn'] },
        },
      },
    },
  },
};

/** Writes the app, with `change`d run stack if given. @returns its cdk.out. */
export function writeSmallApp(
  change: { readonly run?: Template; readonly data?: Template; readonly poll?: string } = {},
): string {
  return writeAssembly([
    { name: 'data', template: change.data ?? DATA_TEMPLATE },
    {
      name: 'run',
      template: change.run ?? RUN_TEMPLATE,
      dependsOn: ['data'],
      code: { c0de1: change.poll ?? POLL_CODE, c0de2: CONSUME_CODE },
    },
  ]);
}

/** The run stack with a schedule that never ticks. */
export function withoutTicks(): Template {
  const { Schedule, ...others } = RUN_TEMPLATE.Resources ?? {};
  const Properties = { ...Schedule?.Properties, State: 'DISABLED' };
  return {
    ...RUN_TEMPLATE,
    Resources: { ...others, Schedule: { Type: 'AWS::Scheduler::Schedule', Properties } },
  };
}
