import { expect, test } from 'vitest';
import { failureIn } from '#localstack/cdk';

test('a deployment that rolls back is told by the resource that failed, not by its stack', () => {
  const said = [
    'app-data | 1/3 | 9:32:01 PM | CREATE_COMPLETE         | AWS::S3::Bucket            | Good ',
    'app-data | 2/3 | 9:32:01 PM | CREATE_FAILED           | AWS::CloudFormation::Stack | app-data ',
    'app-data | 2/3 | 9:32:01 PM | CREATE_FAILED           | AWS::DynamoDB::Table       | Table It exists already.',
    '❌  app-data failed to deploy',
  ].join('\n');
  expect(failureIn(said)).toBe('app-data, AWS::DynamoDB::Table Table It exists already.');
});

test.each([
  [
    '✨ Synthesis\n❌ app failed: no bucket\n‣ DeploymentError: why\n\n',
    '❌ app failed: no bucket',
  ],
  ['Unable to resolve AWS account to use.\n', 'Unable to resolve AWS account to use.'],
  ['', 'it said nothing'],
])('whatever else the command says, its own last words tell', (said, told) => {
  expect(failureIn(said)).toBe(told);
});
