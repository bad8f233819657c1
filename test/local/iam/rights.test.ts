import { describe, expect, test } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import type { WireRequest } from '#local/contracts';
import type { Rights } from '#local/iam/rights';
import { functionAs, READS, rightsOf, role, statement } from './roles-fixture.ts';

const US = 'us-east-1:000000000000';
const STREAM = `arn:aws:kinesis:${US}:stream/river`;
const USER = 'User: arn:aws:sts::000000000000:assumed-role/worker/consume';
const reads = statement(READS, STREAM);

interface Ask {
  readonly method?: string;
  readonly path?: string;
  readonly target?: string;
  readonly input?: object;
}

/** What the gate answers to the function `consume`, or to whoever has `accessKey`. */
function knock(
  rights: Rights,
  { method = 'POST', path = '/', target, input = {} }: Ask,
  accessKey = rights.credentialsOf('consume')['AWS_ACCESS_KEY_ID'],
) {
  const request: WireRequest = {
    method,
    path,
    query: new URLSearchParams(),
    headers: {
      ...(target === undefined ? {} : { 'x-amz-target': target }),
      authorization: `AWS4-HMAC-SHA256 Credential=${accessKey}/20261129/us-east-1/x/aws4_request, SignedHeaders=host, Signature=00`,
    },
    body: Buffer.from(JSON.stringify(input)),
  };
  const answer = rights.gate(request);
  return answer === undefined ? 'passes' : { status: answer.status, text: String(answer.body) };
}

const put: Ask = { target: 'Kinesis_20131202.PutRecords', input: { StreamName: 'river' } };

describe('a request of a function', () => {
  test('passes when its role allows it', () => {
    const { rights } = rightsOf({ Role: role(reads, statement('kinesis:PutRecords', STREAM)) });
    expect(knock(rights, put)).toBe('passes');
    expect(knock(rights, { path: '/_penstock/health', method: 'GET' })).toBe('passes');
  });

  test.each([
    [put, 400, 'kinesis:PutRecords', STREAM, '"__type":"AccessDeniedException"'],
    [
      { target: 'DynamoDB_20120810.GetItem', input: { TableName: 't', Key: {} } },
      400,
      'dynamodb:GetItem',
      `arn:aws:dynamodb:${US}:table/t`,
      '"__type":"com.amazon.coral.service#AccessDeniedException"',
    ],
    [
      { target: 'secretsmanager.GetSecretValue', input: { SecretId: 's' } },
      400,
      'secretsmanager:GetSecretValue',
      's',
      '"__type":"AccessDeniedException"',
    ],
    [
      { method: 'POST', path: '/2015-03-31/functions/consume/invocations' },
      403,
      'lambda:InvokeFunction',
      `arn:aws:lambda:${US}:function:consume`,
      '"Message":',
    ],
    [
      { method: 'PUT', path: '/box/key' },
      403,
      's3:PutObject',
      '&quot;arn:aws:s3:::box/key&quot;',
      '<Code>AccessDenied</Code>',
    ],
  ])('is refused in the service’s own words: %j', (asked, status, action, resource, code) => {
    const { rights } = rightsOf({ Role: role(reads) });
    const answer = knock(rights, asked);
    expect(answer).toMatchObject({ status });
    expect(answer).toHaveProperty('text', expect.stringContaining(code));
    const sentence = `${USER} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`;
    const said = (answer as { text: string }).text.replaceAll('&quot;', '"');
    expect(said).toContain(sentence.replaceAll('&quot;', '"'));
  });

  ruleTest('iam', 'refused-words', () => {
    const deny = { ...statement('kinesis:Put*', '*'), Effect: 'Deny' };
    const { rights } = rightsOf({ Role: role(reads, statement('kinesis:*', '*'), deny) });
    expect(knock(rights, put)).toHaveProperty(
      'text',
      expect.stringContaining('with an explicit deny in an identity-based policy'),
    );
  });

  test('that names another service by a header does not go around', () => {
    const { rights } = rightsOf({ Role: role(reads) });
    const path = '/2015-03-31/functions/consume/invocations';
    expect(knock(rights, { target: 'Other.Thing', path })).toMatchObject({ status: 403 });
  });

  test('without the stream’s key is refused as Kinesis does', () => {
    const Key = `arn:aws:kms:${US}:key/own`;
    const Stream = {
      Type: 'AWS::Kinesis::Stream',
      Properties: { Name: 'river', StreamEncryption: { EncryptionType: 'KMS', KeyId: Key } },
    };
    const Role = role(reads, statement('kinesis:*', '*'), statement('kms:Decrypt', Key));
    const { rights } = rightsOf({ Role, Stream });
    expect(knock(rights, put)).toHaveProperty(
      'text',
      expect.stringContaining('"__type":"KMSAccessDeniedException"'),
    );
  });

  test('is remembered once, whatever it was, with how often it came', () => {
    const { rights, refused } = rightsOf({ Role: role(reads, statement('s3:Get*', '*')) });
    for (const key of ['a', 'b', 'c']) knock(rights, { method: 'GET', path: `/box/${key}` });
    for (const key of ['a', 'b']) knock(rights, { method: 'PUT', path: `/box/${key}` });
    expect(rights.calls().find(({ caller }) => caller === 'function consume')).toMatchObject({
      role: 'arn:aws:iam::000000000000:role/worker',
      allowed: [
        {
          action: 's3:GetObject',
          statement: 'only, statement 2',
          grant: { action: 's3:Get*', resource: '*' },
          example: { resource: 'arn:aws:s3:::box/a' },
          times: 3,
        },
      ],
      refused: [{ action: 's3:PutObject', resource: 'arn:aws:s3:::box/a', times: 2 }],
    });
    expect(refused.map(({ caller, times }) => [caller, times])).toEqual([
      ['function consume', 1],
      ['function consume', 2],
    ]);
  });
});

ruleTest('iam', 'operator', () => {
  const { rights } = rightsOf({ Role: role(reads) });
  expect(knock(rights, put, 'local')).toBe('passes');
});

describe('what Lambda does for a function needs its role’s rights', () => {
  ruleTest('iam', 'lambda-logs', () => {
    const group = `arn:aws:logs:${US}:log-group:/aws/lambda/consume:*`;
    const writes = statement(['logs:CreateLogStream', 'logs:PutLogEvents'], group);
    expect(rightsOf({ Role: role(reads, writes) }).rights.mayLog('consume')).toBe(true);
    const { rights, refused } = rightsOf({ Role: role(reads) });
    expect(rights.mayLog('consume')).toBe(false);
    expect(refused).toMatchObject([
      { caller: 'Lambda for consume', action: 'logs:CreateLogStream' },
    ]);
  });

  ruleTest('iam', 'lambda-failures', () => {
    const kept: string[] = [];
    const buckets = {
      put: (_bucket: string, key: string) => void kept.push(key),
      get: () => undefined,
      list: () => [],
      delete: () => undefined,
    };
    const puts = statement('s3:PutObject', 'arn:aws:s3:::box/aws/*');
    const lists = statement('s3:ListBucket', 'arn:aws:s3:::box');
    const write = (key: string, ...statements: readonly object[]) =>
      rightsOf({ Role: role(reads, ...statements) })
        .rights.objectsAs('consume', buckets)
        .put('box', key, Buffer.from(''));
    write('aws/1', puts, lists);
    expect(() => write('aws/2', puts)).toThrow(/perform: s3:ListBucket on resource: "arn/);
    expect(() => write('aws/3', lists)).toThrow(/perform: s3:PutObject on resource: "arn/);
    expect(() => write('others/4', puts, lists)).toThrow(/perform: s3:PutObject/);
    expect(kept).toEqual(['aws/1']);
  });

  test('failures go to a queue only where the role may send to it', () => {
    const queue = `arn:aws:sqs:${US}:dead`;
    const sent: string[] = [];
    const send = (...statements: readonly object[]) =>
      rightsOf({ Role: role(reads, ...statements) })
        .rights.queuesAs('consume', { send: (_, body) => void sent.push(body) })
        .send(queue, 'message');
    send(statement('sqs:SendMessage', queue));
    expect(() => send()).toThrow(/perform: sqs:SendMessage on resource: "?arn:aws:sqs/);
    expect(sent).toEqual(['message']);
  });

  test('what a role may not read is told of a mapping that is made later, too', () => {
    const { rights } = rightsOf({ Role: role(reads) });
    expect(rights.mappingRefusal('consume', STREAM)).toBeUndefined();
    expect(rights.mappingRefusal('consume', `${STREAM}-2`)).toMatch(
      /^Cannot access stream .*GetRecords/,
    );
  });

  test.each(READS)('a mapping whose role lacks %s is refused', (missing) => {
    const others = READS.filter((action) => action !== missing);
    expect(() => rightsOf({ Role: role(statement(others, STREAM)) })).toThrow(
      `Mapping (AWS::Lambda::EventSourceMapping) in app: Cannot access stream ${STREAM}: ` +
        `${USER} is not authorized to perform: ${missing} on resource: ${STREAM} `,
    );
  });
});

ruleTest('iam', 'schedule-role', () => {
  const mayInvoke = statement('lambda:InvokeFunction', `arn:aws:lambda:${US}:function:consume`);
  expect(rightsOf({ Role: role(reads, mayInvoke) }).rights.mayTick('tick')).toBe(true);
  const { rights, refused } = rightsOf({ Role: role(reads) });
  expect(rights.mayTick('tick')).toBe(false);
  expect(refused).toMatchObject([{ caller: 'schedule tick', action: 'lambda:InvokeFunction' }]);
});

describe('roles', () => {
  const bare = { Type: 'AWS::IAM::Role', Properties: { RoleName: 'worker' } };
  const attach = (more: object) => ({
    ...bare,
    Properties: { ...bare.Properties, ...more },
  });
  const policy = (Type: string, more: object = {}) => ({
    Type,
    Properties: { PolicyDocument: { Statement: [reads] }, ...more },
  });

  ruleTest('iam', 'known-policies', () => {
    const aws = 'arn:aws:iam::aws:policy/service-role/AWSLambdaKinesisExecutionRole';
    const roles = [{ Ref: 'Role' }];
    const known = [
      { Role: bare, Policy: policy('AWS::IAM::Policy', { PolicyName: 'p', Roles: roles }) },
      { Role: bare, Policy: policy('AWS::IAM::ManagedPolicy', { Roles: roles }) },
      {
        Role: attach({ ManagedPolicyArns: [{ Ref: 'Policy' }] }),
        Policy: policy('AWS::IAM::ManagedPolicy'),
      },
      { Role: attach({ ManagedPolicyArns: [aws] }) },
    ];
    for (const resources of known) expect(() => rightsOf(resources)).not.toThrow();
  });

  test.each([
    [
      { Role: attach({ ManagedPolicyArns: ['arn:aws:iam::aws:policy/PowerUserAccess'] }) },
      'what the managed policy arn:aws:iam::aws:policy/PowerUserAccess says is not known.',
    ],
    [
      { Role: attach({ PermissionsBoundary: 'arn:aws:iam::aws:policy/x' }) },
      'property PermissionsBoundary is not supported by the local cloud.',
    ],
    [
      { Role: role(statement('kinesis:*', '*', { Condition: { Bool: { 'aws:x': 'true' } } })) },
      'only, statement 1: condition operator Bool is not supported.',
    ],
    [
      { Role: role(reads), Work: functionAs('arn:aws:iam::1:role/elsewhere') },
      'its role arn:aws:iam::1:role/elsewhere is in no template: what it allows is unknown.',
    ],
  ])('that cannot be decided are refused when deployed: %j', (resources, sentence) => {
    expect(() => rightsOf(resources)).toThrow(sentence);
  });
});
