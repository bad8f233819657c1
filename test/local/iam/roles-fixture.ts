/** Rights of a small template: one function that reads a stream, and a schedule. */
import { createRights } from '#local/iam/rights';
import type { RefusedCall } from '#local/iam/caller';
import { planResources } from '#local/template/plan-resources';
import type { TemplateResource } from '#local/template/assembly';

const US = 'us-east-1:000000000000';
const STREAM = `arn:aws:kinesis:${US}:stream/river`;

export const READS = [
  'kinesis:DescribeStream',
  'kinesis:DescribeStreamSummary',
  'kinesis:GetRecords',
  'kinesis:GetShardIterator',
  'kinesis:ListShards',
];

export const statement = (Action: unknown, Resource: unknown, more: object = {}) => ({
  Effect: 'Allow',
  Action,
  Resource,
  ...more,
});

export const role = (...Statement: readonly object[]): TemplateResource => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    RoleName: 'worker',
    Policies: [{ PolicyName: 'only', PolicyDocument: { Version: '2012-10-17', Statement } }],
  },
});

export function functionAs(Role: unknown): TemplateResource {
  return {
    Type: 'AWS::Lambda::Function',
    Properties: {
      FunctionName: 'consume',
      Runtime: 'nodejs24.x',
      Handler: 'index.handler',
      Code: { S3Bucket: 'assets', S3Key: 'code' },
      Role,
    },
  };
}

const RESOURCES: Readonly<Record<string, TemplateResource>> = {
  Stream: { Type: 'AWS::Kinesis::Stream', Properties: { Name: 'river', ShardCount: 1 } },
  Work: functionAs({ 'Fn::GetAtt': ['Role', 'Arn'] }),
  Mapping: {
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: { FunctionName: { Ref: 'Work' }, EventSourceArn: STREAM },
  },
  Schedule: {
    Type: 'AWS::Scheduler::Schedule',
    Properties: {
      Name: 'tick',
      ScheduleExpression: 'rate(1 minute)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Arn: { 'Fn::GetAtt': ['Work', 'Arn'] },
        RoleArn: { 'Fn::GetAtt': ['Role', 'Arn'] },
      },
    },
  },
};

/** Of the template with these resources instead of its own, or beside them. */
export function rightsOf(resources: Readonly<Record<string, TemplateResource>>) {
  const template = { Resources: { ...RESOURCES, ...resources } };
  const assetPaths = new Map([['code', '/nowhere']]);
  const refused: RefusedCall[] = [];
  const planned = planResources([{ name: 'app', template, assetPaths }], {});
  return { rights: createRights(planned, (call) => refused.push(call)), refused };
}
