import { expect, test } from 'vitest';
import { RESOURCE_TYPES } from '#local/template/resource-types';

const US = 'us-east-1:000000000000';

test.each([
  ['AWS::Kinesis::Stream', 'n', { Arn: `arn:aws:kinesis:${US}:stream/n` }],
  ['AWS::DynamoDB::Table', 'n', { Arn: `arn:aws:dynamodb:${US}:table/n` }],
  ['AWS::DynamoDB::GlobalTable', 'n', { Arn: `arn:aws:dynamodb:${US}:table/n` }],
  ['AWS::S3::Bucket', 'n', { Arn: 'arn:aws:s3:::n' }],
  ['AWS::Lambda::Function', 'n', { Arn: `arn:aws:lambda:${US}:function:n` }],
  ['AWS::Scheduler::Schedule', 'n', { Arn: `arn:aws:scheduler:${US}:schedule/default/n` }],
  ['AWS::IAM::Role', 'n', { Arn: 'arn:aws:iam::000000000000:role/n' }],
  ['AWS::Logs::LogGroup', 'n', { Arn: `arn:aws:logs:${US}:log-group:n:*` }],
  ['AWS::SNS::Topic', `arn:aws:sns:${US}:n`, { TopicName: 'n' }],
  [
    'AWS::SecretsManager::Secret',
    `arn:aws:secretsmanager:${US}:secret:n-Local0`,
    { Id: `arn:aws:secretsmanager:${US}:secret:n-Local0` },
  ],
])('%s named n is referred to as %s', (type, ref, attributes) => {
  const identity = RESOURCE_TYPES[type]!.identify('n');
  expect(identity.ref).toBe(ref);
  expect(identity.attributes).toMatchObject(attributes);
});

test('no property is both implemented and inert', () => {
  for (const { implemented, inert } of Object.values(RESOURCE_TYPES)) {
    expect(implemented.filter((property) => inert.includes(property))).toEqual([]);
  }
});

test('a type that is made here has its name among what it implements', () => {
  for (const { implemented, nameProperty, nothingLocally } of Object.values(RESOURCE_TYPES)) {
    if (nothingLocally === true || nameProperty === undefined) continue;
    expect(implemented).toContain(nameProperty);
  }
});
