import { describe, expect, test } from 'vitest';
import type { Template } from '#local/template/assembly';
import { creationOrder } from '#local/template/creation-order';
import { environmentName } from '#local/template/parameters';
import { planResources } from '#local/template/plan-resources';
import { TemplateError } from '#local/template/template-error';

const CODE = { S3Bucket: 'assets', S3Key: 'c0de.zip' };
const fn = (properties: object = {}) => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    FunctionName: 'fn',
    Runtime: 'nodejs24.x',
    Handler: 'index.handler',
    Code: CODE,
    ...properties,
  },
});

function plan(template: Template, parameters: Record<string, string> = {}, name = 'stack') {
  const assetPaths = new Map([['c0de.zip', '/assets/c0de']]);
  return planResources([{ name, template, assetPaths }], parameters);
}

function problemsOf(
  template: Template,
  parameters: Record<string, string> = {},
): readonly string[] {
  try {
    plan(template, parameters);
    return [];
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return error.problems;
  }
}

describe('parameters', () => {
  const Parameters = {
    OrdersApiUrl: { Type: 'String' },
    Limit: { Type: 'Number', Default: 7 },
    BootstrapVersion: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/cdk/version' },
  };
  const Resources = {
    Fn: fn({
      Environment: { Variables: { URL: { Ref: 'OrdersApiUrl' }, LIMIT: { Ref: 'Limit' } } },
    }),
  };

  test('a given value comes before the default', () => {
    const [resource] = plan({ Parameters, Resources }, { OrdersApiUrl: 'http://x', Limit: '9' });
    expect(resource!.properties['Environment']).toEqual({
      Variables: { URL: 'http://x', LIMIT: '9' },
    });
    const [other] = plan({ Parameters, Resources }, { OrdersApiUrl: 'http://x' });
    expect(other!.properties['Environment']).toMatchObject({ Variables: { LIMIT: '7' } });
  });

  test('a parameter without a value is one sentence, with the variable that would give it', () => {
    expect(problemsOf({ Parameters, Resources })).toEqual([
      'Parameter OrdersApiUrl of stack stack has no value: set the environment variable ORDERS_API_URL.',
    ]);
  });

  test('a value that the template does not allow is refused', () => {
    const Strict = { Stage: { Type: 'String', AllowedValues: ['dev', 'prod'] } };
    expect(problemsOf({ Parameters: Strict }, { Stage: 'test' })).toEqual([
      'Parameter Stage of stack stack is "test", which is none of dev, prod.',
    ]);
  });

  test.each([
    ['OrdersApiUrl', 'ORDERS_API_URL'],
    ['OrdersAPIUrl', 'ORDERS_API_URL'],
    ['Region2Name', 'REGION2_NAME'],
  ])('%s is set by %s', (parameter, variable) => {
    expect(environmentName(parameter)).toBe(variable);
  });
});

describe('names', () => {
  test('references between resources are their names and ARNs', () => {
    const planned = plan({
      Resources: {
        Mapping: {
          Type: 'AWS::Lambda::EventSourceMapping',
          Properties: {
            FunctionName: { Ref: 'Fn' },
            EventSourceArn: { 'Fn::GetAtt': ['Stream', 'Arn'] },
            StartingPosition: 'LATEST',
          },
        },
        Fn: fn(),
        Stream: { Type: 'AWS::Kinesis::Stream', Properties: { Name: 'river', ShardCount: 3 } },
      },
    });
    expect(planned.map(({ logicalId }) => logicalId)).toEqual(['Fn', 'Stream', 'Mapping']);
    expect(planned[2]!.properties).toMatchObject({
      FunctionName: 'fn',
      EventSourceArn: 'arn:aws:kinesis:us-east-1:000000000000:stream/river',
    });
  });

  test('pseudo parameters are those of the local account', () => {
    const join = [
      'AWS::Partition',
      'AWS::Region',
      'AWS::AccountId',
      'AWS::StackName',
      'AWS::URLSuffix',
    ];
    const [bucket] = plan({
      Resources: {
        Box: {
          Type: 'AWS::S3::Bucket',
          Properties: { BucketName: { 'Fn::Join': ['.', join.map((Ref) => ({ Ref }))] } },
        },
      },
    });
    expect(bucket!.name).toBe('aws.us-east-1.000000000000.stack.amazonaws.com');
  });

  test('a resource without a name gets one that a redeploy gives again', () => {
    const template = { Resources: { Box: { Type: 'AWS::S3::Bucket' } } };
    expect(plan(template)[0]!.name).toBe(plan(template)[0]!.name);
    expect(plan(template, {}, 'other')[0]!.name).not.toBe(plan(template)[0]!.name);
    expect(plan(template)[0]!.name).toMatch(/^stack-box-[0-9a-f]{12}$/);
  });

  test('two resources of one name are refused', () => {
    const Box = { Type: 'AWS::S3::Bucket', Properties: { BucketName: 'box' } };
    expect(problemsOf({ Resources: { One: Box, Two: Box } })).toEqual([
      'One (AWS::S3::Bucket) in stack and Two (AWS::S3::Bucket) in stack are both named box.',
    ]);
  });

  test('a function’s code is its asset', () => {
    expect(plan({ Resources: { Fn: fn() } })[0]!.codePath).toBe('/assets/c0de');
  });
});

describe('what the local cloud does not do', () => {
  test('every property and type is told, each in one sentence, all at once', () => {
    expect(
      problemsOf({
        Resources: {
          Orders: {
            Type: 'AWS::DynamoDB::Table',
            Properties: { TableName: 't', StreamSpecification: {}, Tags: [], KeySchema: [] },
          },
          Steps: { Type: 'AWS::StepFunctions::StateMachine', Properties: {} },
          Fn: fn({ Layers: [], Role: { Ref: 'Missing' } }),
        },
      }),
    ).toEqual([
      'Orders (AWS::DynamoDB::Table) in stack: property StreamSpecification is not supported by the local cloud.',
      'Steps (AWS::StepFunctions::StateMachine) in stack: the type is not supported by the local cloud.',
      'Fn (AWS::Lambda::Function) in stack: property Role: Ref Missing names nothing in the stack.',
      'Fn (AWS::Lambda::Function) in stack: property Layers is not supported by the local cloud.',
    ]);
  });

  test.each([
    [fn({ Runtime: 'python3.13' }), 'runtime python3.13 is not supported'],
    [
      fn({ Code: { S3Bucket: 'assets', S3Key: 'other.zip' } }),
      'its code other.zip is no asset of the stack',
    ],
    [
      {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: { EventSourceArn: 'arn:aws:sqs:us-east-1:000000000000:q' },
      },
      'event source arn:aws:sqs:us-east-1:000000000000:q is not a Kinesis stream',
    ],
    [
      {
        Type: 'AWS::Scheduler::Schedule',
        Properties: { Target: { Arn: 'arn:aws:sqs:us-east-1:000000000000:q' } },
      },
      'target arn:aws:sqs:us-east-1:000000000000:q is not a Lambda function',
    ],
    [
      {
        Type: 'AWS::DynamoDB::GlobalTable',
        Properties: { Replicas: [{ Region: 'us-east-1' }, { Region: 'eu-west-1' }] },
      },
      'property Replicas names more than one region, and the local cloud has one',
    ],
    [
      {
        Type: 'AWS::Lambda::EventInvokeConfig',
        Properties: {
          Qualifier: '$LATEST',
          DestinationConfig: { OnFailure: { Destination: 'arn:aws:sns:us-east-1:000000000000:t' } },
        },
      },
      'failure destination arn:aws:sns:us-east-1:000000000000:t is neither a bucket nor a standard queue',
    ],
  ])('%j is refused', (resource, sentence) => {
    expect(problemsOf({ Resources: { It: resource } })).toEqual([
      `It (${resource.Type}) in stack: ${sentence}.`,
    ]);
  });

  test('an inert resource is accepted whatever it says, and can be referred to', () => {
    const planned = plan({
      Resources: {
        Logs: { Type: 'AWS::Logs::LogGroup', Properties: { Anything: { 'Fn::ImportValue': 'x' } } },
        Fn: fn({ LoggingConfig: { LogGroup: { Ref: 'Logs' } } }),
      },
    });
    expect(planned[0]).toMatchObject({ inert: true, properties: {} });
    expect(planned[1]!.properties['LoggingConfig']).toEqual({
      LogGroup: expect.stringMatching(/^stack-logs-/),
    });
  });
});

describe('order', () => {
  test('a resource comes after those it names or depends on', () => {
    const Resources = {
      A: { Type: 'T', Properties: { x: { 'Fn::Sub': 'y/${B.Arn}/${!E}' } } },
      B: { Type: 'T', DependsOn: ['C'] },
      C: { Type: 'T', Properties: { deep: [{ x: { 'Fn::GetAtt': ['D', 'Arn'] } }] } },
      D: { Type: 'T' },
      E: { Type: 'T', Properties: { x: { Ref: 'AWS::Region' } } },
    };
    expect(creationOrder({ Resources }).logicalIds).toEqual(['D', 'E', 'C', 'B', 'A']);
  });

  test('resources that wait for each other are refused by name', () => {
    const Resources = {
      A: { Type: 'AWS::S3::Bucket', DependsOn: 'B' },
      B: { Type: 'AWS::S3::Bucket', DependsOn: 'A' },
      C: { Type: 'AWS::S3::Bucket' },
    };
    expect(problemsOf({ Resources })).toEqual(['Stack stack: resources A, B wait for each other.']);
  });

  test('a resource whose condition is false is left out', () => {
    const template = {
      Conditions: { Never: { 'Fn::Equals': ['a', 'b'] }, Always: { 'Fn::Equals': ['a', 'a'] } },
      Resources: {
        Gone: { Type: 'AWS::S3::Bucket', Condition: 'Never' },
        Kept: { Type: 'AWS::S3::Bucket', Condition: 'Always' },
      },
    };
    expect(plan(template).map(({ logicalId }) => logicalId)).toEqual(['Kept']);
  });
});
