import { describe, expect, test } from 'vitest';
import { decide } from '#local/iam/decide';
import type { Call } from '#local/iam/decide';
import { parsePolicy } from '#local/iam/policy';

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
  test.each([
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
  ])('%s on %s: an UpdateItem is %s', (action, resource, expected) => {
    expect(verdict(update(), allow(action, resource))).toBe(expected);
  });

  test('the last part of an ARN may hold colons, and a wildcard reaches over them', () => {
    const group = 'arn:aws:logs:us-east-1:000000000000:log-group:/aws/lambda/poll';
    const call = { action: 'logs:PutLogEvents', resource: `${group}:log-stream:a` };
    expect(verdict(call, allow('logs:PutLogEvents', `${group}:*`))).toBe('allowed');
    expect(verdict(call, allow('logs:PutLogEvents', group))).toBe('not allowed');
  });

  test('nothing is allowed by itself', () => {
    expect(verdict(update())).toBe('not allowed');
  });

  test('a Deny wins wherever it stands', () => {
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

  test.each([
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
  ])('%s of "mine": keys %j are %s', (operator, keys, expected) => {
    expect(verdict(update(keys), ownKey(operator, 'mine'))).toBe(expected);
  });

  test('a pattern of a condition matches as one of a resource does', () => {
    expect(verdict(update(['poll#a']), ownKey('ForAllValues:StringLike', 'poll#*'))).toBe(
      'allowed',
    );
  });

  test('everything here is of one account', () => {
    const of = (account: string) =>
      allow('s3:PutObject', '*', {
        Condition: { StringEquals: { 's3:ResourceAccount': account } },
      });
    const call = { action: 's3:PutObject', resource: 'arn:aws:s3:::box/key' };
    expect(verdict(call, of('000000000000'))).toBe('allowed');
    expect(verdict(call, of('111111111111'))).toBe('not allowed');
  });

  test('all conditions of a statement must hold', () => {
    const both = allow('dynamodb:UpdateItem', TABLE, {
      Condition: {
        'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['mine'] },
        StringEquals: { 'aws:ResourceAccount': '111111111111' },
      },
    });
    expect(verdict(update(['mine']), both)).toBe('not allowed');
  });
});

describe('what cannot be decided here is told, and never taken for true', () => {
  test.each([
    [allow('a:b', '*', { NotAction: 'c:d' }), 'element NotAction is not supported'],
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
  ])('%j', (statement, fault) => {
    expect(read(statement).faults).toEqual([`only, statement 1: ${fault}`]);
  });
});
