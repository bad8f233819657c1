import { describe, expect, test } from 'vitest';
import { decide } from '#local/iam/decide';
import type { Call } from '#local/iam/decide';
import { parsePolicy } from '#local/iam/policy';
import { ruleTest } from '#test/local/rules/rule-test';

const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/state';

function read(...statements: readonly object[]) {
  const faults: string[] = [];
  const parsed = parsePolicy('only', { Version: '2012-10-17', Statement: statements }, (fault) =>
    faults.push(fault),
  );
  return { parsed, faults };
}

const allow = (action: unknown, resource: unknown = TABLE, more: object = {}) => ({
  Effect: 'Allow',
  Action: action,
  Resource: resource,
  ...more,
});

function verdict(call: Call, ...statements: readonly object[]): string {
  const { parsed, faults } = read(...statements);
  expect(faults).toEqual([]);
  const decision = decide(parsed, call);
  if (decision.kind === 'allowed') return 'allowed';
  return decision.isExplicit ? 'denied' : 'not allowed';
}

const update = (keys?: readonly string[]): Call => ({
  action: 'dynamodb:UpdateItem',
  resource: TABLE,
  ...(keys === undefined ? {} : { context: { 'dynamodb:leadingkeys': keys } }),
});

describe('actions and resources', () => {
  const MATCHES: [string, string, string][] = [
    ['dynamodb:UpdateItem', TABLE, 'allowed'],
    ['dynamodb:updateitem', TABLE, 'allowed'],
    ['dynamodb:Update*', TABLE, 'allowed'],
    ['dynamodb:UpdateIte?', TABLE, 'allowed'],
    ['*', '*', 'allowed'],
    ['dynamodb:*', 'arn:aws:dynamodb:*:*:table/st*', 'allowed'],
    ['dynamodb:UpdateItem', 'arn:aws:dynamodb:us-east-1:000000000000:table/stat?', 'allowed'],
    ['dynamodb:PutItem', TABLE, 'not allowed'],
    ['dynamodb:Update', TABLE, 'not allowed'],
    ['kinesis:*', TABLE, 'not allowed'],
    ['dynamodb:UpdateItem', `${TABLE}s`, 'not allowed'],
    ['dynamodb:UpdateItem', TABLE.toUpperCase().replace('ARN', 'arn'), 'not allowed'],
    ['dynamodb:UpdateItem', 'arn:aws:dynamodb:us-east-1:000000000000:table/state??', 'not allowed'],
    // A wildcard before the last part stays between its colons.
    ['dynamodb:UpdateItem', 'arn:aws:*:000000000000:*:table/state', 'not allowed'],
  ];
  ruleTest('iam', 'wildcards', () => {
    for (const [action, resource, expected] of MATCHES) {
      const found = verdict(update(), allow(action, resource));
      expect([action, resource, found]).toEqual([action, resource, expected]);
    }
  });

  ruleTest(
    'iam',
    'arn-parts',
    () => {
      const group = 'arn:aws:logs:us-east-1:000000000000:log-group:/aws/lambda/poll';
      const call = { action: 'logs:PutLogEvents', resource: `${group}:log-stream:a` };
      expect(verdict(call, allow('logs:PutLogEvents', `${group}:*`))).toBe('allowed');
      expect(verdict(call, allow('logs:PutLogEvents', group))).toBe('not allowed');
    },
    'the last may hold some',
  );

  ruleTest('iam', 'nothing-by-itself', () => {
    expect(verdict(update())).toBe('not allowed');
  });

  ruleTest('iam', 'deny-wins', () => {
    const deny = { ...allow('dynamodb:*'), Effect: 'Deny' };
    expect(verdict(update(), deny, allow('*', '*'))).toBe('denied');
    expect(verdict(update(), allow('*', '*'), deny)).toBe('denied');
    expect(verdict({ action: 's3:GetObject', resource: 'x' }, allow('*', '*'), deny)).toBe(
      'allowed',
    );
  });

  test('what allowed a call is the statement’s own pair, in its own words', () => {
    const { parsed } = read(allow('s3:GetObject', '*'), allow(['a:b', 'dynamodb:Up*'], TABLE));
    expect(decide(parsed, update())).toMatchObject({
      kind: 'allowed',
      place: 'only, statement 2',
      grant: { action: 'dynamodb:Up*', resource: TABLE },
    });
  });
});

describe('conditions', () => {
  const ownKey = (operator: string, ...keys: readonly string[]) =>
    allow('dynamodb:UpdateItem', TABLE, {
      Condition: { [operator]: { 'dynamodb:LeadingKeys': keys } },
    });

  const SETS: [string, string[] | undefined, string][] = [
    ['ForAllValues:StringEquals', ['mine'], 'allowed'],
    ['ForAllValues:StringEquals', ['mine', 'mine'], 'allowed'],
    ['ForAllValues:StringEquals', ['mine', 'yours'], 'not allowed'],
    ['ForAllValues:StringEquals', [], 'allowed'],
    ['ForAllValues:StringEquals', undefined, 'allowed'],
    ['ForAnyValue:StringEquals', ['mine', 'yours'], 'allowed'],
    ['ForAnyValue:StringEquals', ['yours'], 'not allowed'],
    ['ForAnyValue:StringEquals', undefined, 'not allowed'],
    ['ForAllValues:StringNotEquals', ['yours'], 'allowed'],
    ['ForAllValues:StringNotEquals', ['mine'], 'not allowed'],
    ['ForAllValues:StringLike', ['mi*ne'], 'not allowed'],
  ];
  ruleTest('iam', 'conditions-sets', () => {
    for (const [operator, keys, expected] of SETS) {
      expect([operator, keys, verdict(update(keys), ownKey(operator, 'mine'))]).toEqual([
        operator,
        keys,
        expected,
      ]);
    }
  });

  ruleTest('iam', 'conditions-text', () => {
    expect(verdict(update(['poll#a']), ownKey('ForAllValues:StringLike', 'poll#*'))).toBe(
      'allowed',
    );
  });

  ruleTest('iam', 'one-account', () => {
    const of = (account: string) =>
      allow('s3:PutObject', '*', {
        Condition: { StringEquals: { 's3:ResourceAccount': account } },
      });
    const call = { action: 's3:PutObject', resource: 'arn:aws:s3:::box/key' };
    expect(verdict(call, of('000000000000'))).toBe('allowed');
    expect(verdict(call, of('111111111111'))).toBe('not allowed');
  });

  ruleTest('iam', 'conditions-all', () => {
    const both = allow('dynamodb:UpdateItem', TABLE, {
      Condition: {
        'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['mine'] },
        StringEquals: { 'aws:ResourceAccount': '111111111111' },
      },
    });
    expect(verdict(update(['mine']), both)).toBe('not allowed');
  });
});

const UNDECIDABLE: [object, string][] = [
  [allow('a:b', '*', { NotAction: 'c:d' }), 'it has both Action and NotAction'],
  [allow('a:b', '*', { NotResource: '*' }), 'it has both Resource and NotResource'],
  [{ Effect: 'Allow', NotAction: 'all', Resource: '*' }, 'all is no action'],
  [{ Effect: 'Allow', NotAction: [], Resource: '*' }, 'it names no action or no resource'],
  [allow('a:b', '*', { Principal: '*' }), 'element Principal is not supported'],
  [{ ...allow('a:b', '*'), Effect: 'Maybe' }, 'Effect is "Maybe", neither Allow nor Deny'],
  [allow('everything', '*'), 'everything is no action'],
  [allow('a:b', 'box'), 'box is neither an ARN nor *'],
  [
    allow('a:b', 'arn:aws:s3:::box/${aws:username}'),
    'arn:aws:s3:::box/${aws:username} is neither an ARN nor *, and policy variables are not supported',
  ],
  [{ Effect: 'Allow', Action: 'a:b' }, 'it names no action or no resource'],
  [
    allow('a:b', '*', { Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } } }),
    'condition operator IpAddress is not supported',
  ],
  [
    allow('a:b', '*', { Condition: { StringEqualsIfExists: { 'aws:ResourceAccount': '1' } } }),
    'condition operator StringEqualsIfExists is not supported',
  ],
  [
    allow('a:b', '*', { Condition: { StringEquals: { 'aws:SourceVpc': 'vpc-1' } } }),
    'condition key aws:SourceVpc is not known',
  ],
  [
    allow('a:b', '*', { Condition: { StringEquals: { 'dynamodb:LeadingKeys': 'x' } } }),
    'condition key dynamodb:LeadingKeys may have several values: StringEquals needs ForAllValues: or ForAnyValue:',
  ],
  [
    allow('a:b', '*', { Condition: { StringLike: { 'aws:ResourceAccount': '${aws:x}' } } }),
    'a policy variable in the condition aws:ResourceAccount is not supported',
  ],
];
ruleTest('iam', 'undecidable', () => {
  for (const [statement, fault] of UNDECIDABLE) {
    expect(read(statement).faults).toEqual([`only, statement 1: ${fault}`]);
  }
});

ruleTest('iam', 'not-action', () => {
  const others = { Effect: 'Allow', NotAction: ['dynamodb:Put*', 'kinesis:*'], Resource: '*' };
  expect(verdict(update(), others)).toBe('allowed');
  expect(verdict({ action: 'dynamodb:PutItem', resource: TABLE }, others)).toBe('not allowed');
  const deny = { ...others, Effect: 'Deny' };
  expect(verdict(update(), allow('*', '*'), deny)).toBe('denied');
  expect(verdict({ action: 'kinesis:PutRecord', resource: 'x' }, allow('*', '*'), deny)).toBe(
    'allowed',
  );
});

ruleTest('iam', 'not-resource', () => {
  const others = { Effect: 'Allow', Action: '*', NotResource: TABLE };
  expect(verdict(update(), others)).toBe('not allowed');
  expect(verdict({ action: 'dynamodb:PutItem', resource: `${TABLE}s` }, others)).toBe('allowed');
});
