import { describe, expect, test } from 'vitest';
import type { WireRequest } from '#local/contracts';
import { JSON_CALLS } from '#local/iam/json-calls';
import {
  functionsCalls,
  invokeCalls,
  mappingCalls,
  objectCalls,
  schedulerCalls,
} from '#local/iam/path-calls';
import { ruleTest } from '#test/local/rules/rule-test';
import type { ResourceFacts } from '#local/iam/resource-facts';

const US = 'us-east-1:000000000000';
const STREAM = `arn:aws:kinesis:${US}:stream/river`;
const KEY = `arn:aws:kms:${US}:key/own`;

const facts: ResourceFacts = {
  keyOfStream: (stream) => (stream === 'locked' ? KEY : undefined),
  partitionKeyOf: (table) => (table === 'rows' ? 'pk' : undefined),
  secretArn: (id) => (id === 'token' ? `arn:aws:secretsmanager:${US}:secret:token-Local0` : id),
};

function needed(target: string, input: object) {
  const [service = '', operation = ''] = target.split('.');
  return JSON_CALLS[service]!(operation, { ...input }, facts).map(
    ({ action, resource, context }) => [
      action,
      resource.replace(`:${US}:`, ':us:'),
      ...(context === undefined ? [] : [context['dynamodb:leadingkeys']]),
    ],
  );
}

describe('Kinesis', () => {
  const iterator = Buffer.from('["id","river","shardId-000000000000",0,0]').toString('base64');

  test.each([
    ['PutRecords', { StreamName: 'river', Records: [] }, 'arn:aws:kinesis:us:stream/river'],
    ['PutRecord', { StreamARN: STREAM }, 'arn:aws:kinesis:us:stream/river'],
    ['GetRecords', { ShardIterator: iterator }, 'arn:aws:kinesis:us:stream/river'],
    ['GetRecords', { ShardIterator: 'torn' }, '*'],
    ['ListStreams', {}, '*'],
  ])('%s of %j is on %s', (operation, input, resource) => {
    expect(needed(`Kinesis_20131202.${operation}`, input)).toEqual([
      [`kinesis:${operation}`, resource],
    ]);
  });

  ruleTest('iam', 'calls-kinesis', () => {
    const locked = { StreamName: 'locked' };
    const key = 'arn:aws:kms:us:key/own';
    const actions = (operation: string) => needed(`Kinesis_20131202.${operation}`, locked).slice(1);
    expect(actions('PutRecords')).toEqual([['kms:GenerateDataKey', key]]);
    expect(actions('GetRecords')).toEqual([['kms:Decrypt', key]]);
    expect(actions('ListShards')).toEqual([]);
  });
});

describe('DynamoDB', () => {
  const rows = 'arn:aws:dynamodb:us:table/rows';
  const item = (pk: string) => ({ sk: { S: 'sort' }, pk: { S: pk } });

  test.each([
    ['UpdateItem', { TableName: 'rows', Key: item('a') }, [['UpdateItem', rows, ['a']]]],
    ['PutItem', { TableName: 'rows', Item: item('b') }, [['PutItem', rows, ['b']]]],
    [
      'GetItem',
      { TableName: `arn:aws:dynamodb:${US}:table/rows`, Key: item('c') },
      [['GetItem', rows, ['c']]],
    ],
    ['Scan', { TableName: 'rows' }, [['Scan', rows]]],
    ['ListTables', {}, [['ListTables', '*']]],
    [
      'Query',
      {
        TableName: 'rows',
        KeyConditionExpression: '#k = :k AND sk > :s',
        ExpressionAttributeNames: { '#k': 'pk' },
        ExpressionAttributeValues: { ':k': { S: 'd' }, ':s': { S: 'e' } },
      },
      [['Query', rows, ['d']]],
    ],
    [
      'BatchGetItem',
      { RequestItems: { rows: { Keys: [item('a'), item('b')] } } },
      [['BatchGetItem', rows, ['a', 'b']]],
    ],
    [
      'BatchWriteItem',
      {
        RequestItems: {
          rows: [{ PutRequest: { Item: item('a') } }, { DeleteRequest: { Key: item('b') } }],
        },
      },
      [['BatchWriteItem', rows, ['a', 'b']]],
    ],
    [
      'TransactWriteItems',
      {
        TransactItems: [
          { Put: { TableName: 'rows', Item: item('a') } },
          { ConditionCheck: { TableName: 'rows', Key: item('b') } },
        ],
      },
      [
        ['PutItem', rows, ['a']],
        ['ConditionCheckItem', rows, ['b']],
      ],
    ],
  ])('%s of %j', (operation, input, expected) => {
    expect(needed(`DynamoDB_20120810.${operation}`, input)).toEqual(
      expected.map(([action, ...rest]) => [`dynamodb:${String(action)}`, ...rest]),
    );
  });

  ruleTest('iam', 'leading-keys', () => {
    const input = { TableName: 'unknown', Key: item('a') };
    expect(needed('DynamoDB_20120810.GetItem', input)[0]![2]).toEqual([
      'a key that cannot be told',
    ]);
  });
});

ruleTest('iam', 'calls-secrets', () => {
  const resourceOf = (id?: string) =>
    needed('secretsmanager.GetSecretValue', id === undefined ? {} : { SecretId: id })[0]![1];
  expect(resourceOf('token')).toBe('arn:aws:secretsmanager:us:secret:token-Local0');
  expect(resourceOf('other')).toBe('other');
  expect(resourceOf()).toBe('*');
});

const request = (method: string, path: string, host = '127.0.0.1:4566'): WireRequest => ({
  method,
  path,
  query: new URLSearchParams(),
  headers: { host },
  body: Buffer.from(''),
});

test.each([
  ['PUT', '/box/a/b%20c', 's3:PutObject', 'arn:aws:s3:::box/a/b c'],
  ['GET', '/box/a', 's3:GetObject', 'arn:aws:s3:::box/a'],
  ['HEAD', '/box/a', 's3:GetObject', 'arn:aws:s3:::box/a'],
  ['DELETE', '/box/a', 's3:DeleteObject', 'arn:aws:s3:::box/a'],
  ['GET', '/box', 's3:ListBucket', 'arn:aws:s3:::box'],
])('%s %s needs %s on %s', (method, path, action, resource) => {
  expect(objectCalls(request(method, path))).toEqual([{ action, resource }]);
});

ruleTest('iam', 'calls-objects', () => {
  const [call] = objectCalls(request('PUT', '/a', 'box.s3.us-east-1.amazonaws.com'));
  expect(call).toEqual({ action: 's3:PutObject', resource: 'arn:aws:s3:::box/a' });
});

ruleTest('iam', 'calls-lambda', () => {
  for (const name of ['poll', `arn:aws:lambda:${US}:function:poll`]) {
    const path = `/2015-03-31/functions/${encodeURIComponent(name)}/invocations`;
    expect(invokeCalls(request('POST', path))).toEqual([
      { action: 'lambda:InvokeFunction', resource: `arn:aws:lambda:${US}:function:poll` },
    ]);
  }
});

test.each([
  ['GET', '', 'ListEventSourceMappings', '*'],
  ['POST', '/', 'CreateEventSourceMapping', '*'],
  ['GET', '/u', 'GetEventSourceMapping', `arn:aws:lambda:${US}:event-source-mapping:u`],
  ['PUT', '/u', 'UpdateEventSourceMapping', `arn:aws:lambda:${US}:event-source-mapping:u`],
  ['DELETE', '/u', 'DeleteEventSourceMapping', `arn:aws:lambda:${US}:event-source-mapping:u`],
])('%s of mappings%s needs %s', (method, rest, operation, resource) => {
  const path = `/2015-03-31/event-source-mappings${rest}`;
  const query = new URLSearchParams();
  const request = { method, path, query, headers: {}, body: new Uint8Array() };
  expect(mappingCalls(request)).toEqual([{ action: `lambda:${operation}`, resource }]);
});

ruleTest('iam', 'calls-queues', () => {
  const QueueUrl = 'http://127.0.0.1:4566/000000000000/jobs';
  for (const [operation, input, action, resource] of [
    ['SendMessage', { QueueUrl }, 'sqs:SendMessage', 'arn:aws:sqs:us:jobs'],
    ['SendMessageBatch', { QueueUrl }, 'sqs:SendMessage', 'arn:aws:sqs:us:jobs'],
    ['DeleteMessageBatch', { QueueUrl }, 'sqs:DeleteMessage', 'arn:aws:sqs:us:jobs'],
    ['GetQueueUrl', { QueueName: 'jobs' }, 'sqs:GetQueueUrl', 'arn:aws:sqs:us:jobs'],
    ['ListQueues', {}, 'sqs:ListQueues', '*'],
  ] as const) {
    expect(needed(`AmazonSQS.${operation}`, input)).toEqual([[action, resource]]);
  }
});

ruleTest(
  'iam',
  'calls-secrets',
  () => {
    const input = { SecretIdList: ['token', 'other'] };
    expect(needed('secretsmanager.BatchGetSecretValue', input).map(([action]) => action)).toEqual([
      'secretsmanager:BatchGetSecretValue',
      'secretsmanager:GetSecretValue',
      'secretsmanager:GetSecretValue',
    ]);
  },
  'each of a batch',
);

ruleTest(
  'iam',
  'calls-objects',
  () => {
    const copy = { ...request('PUT', '/box/b'), headers: { 'x-amz-copy-source': '/crate/a%20b' } };
    expect(objectCalls(copy)).toEqual([
      { action: 's3:PutObject', resource: 'arn:aws:s3:::box/b' },
      { action: 's3:GetObject', resource: 'arn:aws:s3:::crate/a b' },
    ]);
    const body = Buffer.from('<Delete><Object><Key>a&amp;b</Key></Object></Delete>');
    expect(objectCalls({ ...request('POST', '/box'), body })).toEqual([
      { action: 's3:DeleteObject', resource: 'arn:aws:s3:::box/a&b' },
    ]);
    const location = { ...request('GET', '/box'), query: new URLSearchParams('location') };
    expect(objectCalls(location)).toEqual([
      { action: 's3:GetBucketLocation', resource: 'arn:aws:s3:::box' },
    ]);
  },
  'copies and batches need all of theirs',
);

ruleTest(
  'iam',
  'calls-lambda',
  () => {
    const poll = `arn:aws:lambda:${US}:function:poll`;
    for (const [method, path, action, resource] of [
      ['GET', '/2015-03-31/functions/', 'lambda:ListFunctions', '*'],
      ['GET', '/2015-03-31/functions/poll', 'lambda:GetFunction', poll],
      [
        'PUT',
        '/2015-03-31/functions/poll/configuration',
        'lambda:UpdateFunctionConfiguration',
        poll,
      ],
      ['PUT', '/2017-10-31/functions/poll/concurrency', 'lambda:PutFunctionConcurrency', poll],
    ] as const) {
      expect(functionsCalls(request(method, path))).toEqual([{ action, resource }]);
    }
  },
  'what is done to one',
);

ruleTest('iam', 'calls-scheduler', () => {
  const query = new URLSearchParams('groupName=mornings');
  expect(schedulerCalls({ ...request('PUT', '/schedules/early'), query })).toEqual([
    {
      action: 'scheduler:UpdateSchedule',
      resource: `arn:aws:scheduler:${US}:schedule/mornings/early`,
    },
  ]);
  expect(schedulerCalls(request('GET', '/schedules'))).toEqual([
    { action: 'scheduler:ListSchedules', resource: '*' },
  ]);
});
