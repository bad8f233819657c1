import { expect, test } from 'vitest';
import { deployResources } from '#local/deploy-resources';
import type { ResourceMakers } from '#local/deploy-resources';
import { planResources } from '#local/template/plan-resources';
import type { TemplateResource } from '#local/template/assembly';

/** Deploys one stack's resources, and tells what was made of them, in order. */
function deploy(
  Resources: Record<string, TemplateResource>,
  failing: Partial<ResourceMakers> = {},
) {
  const made: [string, unknown][] = [];
  const make = (kind: string) => (value: unknown) => void made.push([kind, value]);
  const makers: ResourceMakers = {
    stream: make('stream'),
    table: make('table'),
    bucket: make('bucket'),
    secret: make('secret'),
    queue: (name, attributes) => void made.push(['queue', { name, attributes }]),
    function: (settings, roleArn) => void made.push(['function', { ...settings, roleArn }]),
    invokeConfig: make('invokeConfig'),
    deadLetters: (functionName, queueArn) =>
      void made.push(['deadLetters', { functionName, queueArn }]),
    mapping: make('mapping'),
    schedule: make('schedule'),
    alarm: make('alarm'),
    ...failing,
  };
  const assetPaths = new Map([['c0de.zip', '/assets/c0de']]);
  deployResources(
    planResources([{ name: 'stack', template: { Resources }, assetPaths }], {}),
    makers,
  );
  return made;
}

const FN: TemplateResource = {
  Type: 'AWS::Lambda::Function',
  Properties: {
    FunctionName: 'fn',
    Runtime: 'nodejs24.x',
    Handler: 'index.handler',
    Code: { S3Bucket: 'assets', S3Key: 'c0de.zip' },
    Role: 'arn:aws:iam::000000000000:role/r',
  },
};

test('a function that says little has the defaults of Lambda', () => {
  expect(deploy({ FN })).toEqual([
    [
      'function',
      {
        name: 'fn',
        arn: 'arn:aws:lambda:us-east-1:000000000000:function:fn',
        assetDir: '/assets/c0de',
        handler: 'index.handler',
        environment: {},
        memoryMb: 128,
        timeoutSec: 3,
        roleArn: 'arn:aws:iam::000000000000:role/r',
      },
    ],
  ]);
});

test('a function’s numbers may come as a parameter’s text', () => {
  const Properties = {
    ...FN.Properties,
    MemorySize: '512',
    Timeout: '77',
    ReservedConcurrentExecutions: '2',
    Environment: { Variables: { N: 5, ON: true } },
  };
  expect(deploy({ FN: { ...FN, Properties } })[0]![1]).toMatchObject({
    memoryMb: 512,
    timeoutSec: 77,
    reservedConcurrency: 2,
    environment: { N: '5', ON: 'true' },
  });
});

test('readers and schedules come last, wherever they stand', () => {
  const kinds = deploy({
    Mapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        FunctionName: 'fn',
        EventSourceArn: 'arn:aws:kinesis:us-east-1:000000000000:stream/river',
      },
    },
    Schedule: {
      Type: 'AWS::Scheduler::Schedule',
      Properties: {
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: { Arn: 'arn:aws:lambda:us-east-1:000000000000:function:fn' },
      },
    },
    FN,
    Stream: { Type: 'AWS::Kinesis::Stream', Properties: { Name: 'river' } },
  }).map(([kind]) => kind);
  expect(kinds).toEqual(['function', 'stream', 'mapping', 'schedule']);
});

test('a stream’s counterpart is given what it implements, and the name', () => {
  const [[, properties] = []] = deploy({
    Stream: {
      Type: 'AWS::Kinesis::Stream',
      Properties: { ShardCount: 3, StreamEncryption: { EncryptionType: 'KMS', KeyId: 'k' } },
    },
  });
  expect(properties).toEqual({
    Name: expect.stringMatching(/^stack-stream-[0-9a-f]{12}$/),
    ShardCount: 3,
  });
});

test('a table’s counterpart is not given what is inert', () => {
  const KeySchema = [{ AttributeName: 'id', KeyType: 'HASH' }];
  const [[, properties] = []] = deploy({
    Table: {
      Type: 'AWS::DynamoDB::GlobalTable',
      Properties: { TableName: 't', KeySchema, SSESpecification: { SSEEnabled: true } },
    },
  });
  expect(properties).toEqual({ TableName: 't', KeySchema });
});

test('an event invoke configuration keeps only what it says', () => {
  const Properties = { FunctionName: 'fn', Qualifier: '$LATEST', MaximumRetryAttempts: 0 };
  const made = deploy({ Config: { Type: 'AWS::Lambda::EventInvokeConfig', Properties } });
  expect(made).toEqual([['invokeConfig', { functionName: 'fn', retryAttemptsMax: 0 }]]);
});

test('a schedule is read with its zone, its input and its group', () => {
  const [[, schedule] = []] = deploy({
    Schedule: {
      Type: 'AWS::Scheduler::Schedule',
      Properties: {
        Name: 'early',
        GroupName: 'mornings',
        ScheduleExpression: 'cron(0 8 * * ? *)',
        ScheduleExpressionTimezone: 'Europe/London',
        State: 'DISABLED',
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: { Arn: 'arn:aws:lambda:us-east-1:000000000000:function:fn:$LATEST', Input: '{}' },
      },
    },
  });
  expect(schedule).toEqual({
    name: 'early',
    arn: 'arn:aws:scheduler:us-east-1:000000000000:schedule/mornings/early',
    expression: 'cron(0 8 * * ? *)',
    zone: 'Europe/London',
    enabled: false,
    functionName: 'fn',
    input: '{}',
  });
});

test('everything that counterparts refuse is told, each with its resource', () => {
  const refuse = () => {
    throw new Error('it is too large');
  };
  const Box = { Type: 'AWS::S3::Bucket', Properties: { BucketName: 'box' } };
  expect(() => deploy({ Box, FN }, { bucket: refuse, function: refuse })).toThrow(
    'Box (AWS::S3::Bucket) in stack: it is too large.\nFN (AWS::Lambda::Function) in stack: it is too large.',
  );
});

test('a queue’s values become the texts that its API has', () => {
  const arn = 'arn:aws:sqs:us-east-1:000000000000:dead';
  const [dead, jobs] = deploy({
    Dead: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'dead' } },
    Jobs: {
      Type: 'AWS::SQS::Queue',
      Properties: {
        QueueName: 'jobs',
        VisibilityTimeout: 7,
        SqsManagedSseEnabled: true,
        RedrivePolicy: {
          deadLetterTargetArn: { 'Fn::GetAtt': ['Dead', 'Arn'] },
          maxReceiveCount: 3,
        },
      },
    },
  });
  expect(dead).toEqual(['queue', { name: 'dead', attributes: {} }]);
  const RedrivePolicy = `{"deadLetterTargetArn":"${arn}","maxReceiveCount":3}`;
  const attributes = { VisibilityTimeout: '7', RedrivePolicy };
  expect(jobs).toMatchObject(['queue', { name: 'jobs', attributes }]);
});

test('failures and dead letters of a function go where it says', () => {
  const arn = 'arn:aws:sqs:us-east-1:000000000000:failed';
  const properties = { ...FN.Properties, DeadLetterConfig: { TargetArn: arn } };
  const made = deploy({
    FN: { ...FN, Properties: properties },
    Config: {
      Type: 'AWS::Lambda::EventInvokeConfig',
      Properties: {
        FunctionName: 'fn',
        Qualifier: '$LATEST',
        DestinationConfig: { OnFailure: { Destination: arn } },
      },
    },
  });
  expect(made.slice(1)).toEqual([
    ['deadLetters', { functionName: 'fn', queueArn: arn }],
    ['invokeConfig', { functionName: 'fn', failureQueueArn: arn }],
  ]);
});
