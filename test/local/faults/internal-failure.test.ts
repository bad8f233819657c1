import { expect, test } from 'vitest';
import { internalFailure } from '#local/faults/internal-failure';

const failureOf = (headers: Record<string, string>, path = '/') => {
  const query = new URLSearchParams();
  const request = { method: 'PUT', path, query, headers, body: new Uint8Array() };
  const { status, body } = internalFailure(request, 'an-id');
  return [status, /(?:"__type":"|<Code>)([^"<]+)/.exec(String(body))?.[1]];
};

test('each service fails in its own words', () => {
  const targets = [
    'Kinesis_20131202.PutRecords',
    'DynamoDB_20120810.PutItem',
    'secretsmanager.GetSecretValue',
    'AmazonSQS.SendMessage',
  ];
  expect([
    ...targets.map((target) => failureOf({ 'x-amz-target': target })),
    failureOf({}, '/bucket/key'),
    failureOf({}, '/2015-03-31/functions/f/invocations'),
  ]).toEqual([
    [500, 'InternalFailure'],
    [500, 'com.amazonaws.dynamodb.v20120810#InternalServerError'],
    [500, 'InternalServiceError'],
    [500, 'InternalFailure'],
    [500, 'InternalError'],
    [500, 'ServiceException'],
  ]);
});
