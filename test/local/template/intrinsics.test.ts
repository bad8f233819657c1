import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate, evaluateCondition, NO_VALUE } from '#local/template/intrinsics';
import type { Scope } from '#local/template/intrinsics';

const scope: Scope = {
  ref: (name) => ({ Stage: 'dev', Bucket: 'box', Zones: ['a', 'b'] })[name],
  attribute: (resource, name) =>
    resource === 'Bucket' ? { Arn: 'arn:box', 'Nested.Name': 'deep' }[name] : undefined,
  condition: (name) =>
    ({
      IsDev: { 'Fn::Equals': [{ Ref: 'Stage' }, 'dev'] },
      IsProd: { 'Fn::Equals': [{ Ref: 'Stage' }, 'prod'] },
    })[name],
  mapped: (map, top, second) =>
    map === 'Sizes' && top === 'dev' && second === 'n' ? 3 : undefined,
};

test.each([
  [{ Ref: 'Stage' }, 'dev'],
  [{ 'Fn::GetAtt': ['Bucket', 'Arn'] }, 'arn:box'],
  [{ 'Fn::GetAtt': 'Bucket.Arn' }, 'arn:box'],
  [{ 'Fn::GetAtt': ['Bucket', 'Nested.Name'] }, 'deep'],
  [{ 'Fn::Join': ['-', ['a', { Ref: 'Stage' }, 7]] }, 'a-dev-7'],
  [{ 'Fn::Join': ['+', { Ref: 'Zones' }] }, 'a+b'],
  [{ 'Fn::Sub': 'x/${Stage}/${Bucket.Arn}/${!Stage}' }, 'x/dev/arn:box/${Stage}'],
  [{ 'Fn::Sub': ['${own}:${Stage}', { own: { Ref: 'Bucket' } }] }, 'box:dev'],
  [{ 'Fn::Select': ['1', { Ref: 'Zones' }] }, 'b'],
  [{ 'Fn::Select': [0, ['p', 'q']] }, 'p'],
  [{ 'Fn::Split': [':', { 'Fn::GetAtt': ['Bucket', 'Arn'] }] }, ['arn', 'box']],
  [{ 'Fn::If': ['IsDev', 'yes', 'no'] }, 'yes'],
  [{ 'Fn::If': ['IsProd', 'yes', { Ref: 'Stage' }] }, 'dev'],
  [{ 'Fn::FindInMap': ['Sizes', { Ref: 'Stage' }, 'n'] }, 3],
  [{ 'Fn::Base64': 'hi' }, 'aGk='],
  [{ deep: [{ Ref: 'Stage' }, { plain: null }] }, { deep: ['dev', { plain: null }] }],
  [{ Ref: { not: 'a reference' } }, { Ref: { not: 'a reference' } }],
])('%j is %j', (value, expected) => {
  expect(evaluate(value, scope)).toEqual(expected);
});

test('AWS::NoValue leaves out the property, or the entry, that holds it', () => {
  const none = { Ref: 'AWS::NoValue' };
  expect(evaluate({ kept: 1, gone: { 'Fn::If': ['IsProd', 2, none] } }, scope)).toEqual({
    kept: 1,
  });
  expect(evaluate([1, none, 3], scope)).toEqual([1, 3]);
  expect(evaluate(none, scope)).toBe(NO_VALUE);
});

test.each([
  [{ Ref: 'Nothing' }, 'Ref Nothing names nothing in the stack'],
  [{ 'Fn::GetAtt': ['Bucket', 'Colour'] }, 'Bucket has no attribute Colour'],
  [{ 'Fn::Sub': '${Nothing}' }, 'Fn::Sub names Nothing, which is not in the stack'],
  [{ 'Fn::Select': [9, ['a']] }, 'Fn::Select finds no entry 9'],
  [{ 'Fn::ImportValue': 'other' }, 'Fn::ImportValue is not supported'],
  [{ 'Fn::Cidr': ['10.0.0.0/8', 2] }, 'Fn::Cidr is not supported'],
  [{ 'Fn::If': ['Nothing', 1, 2] }, 'there is no condition Nothing'],
  [{ 'Fn::FindInMap': ['Sizes', 'prod', 'n'] }, 'Fn::FindInMap finds no Sizes.prod.n'],
  [{ 'Fn::Join': 'x' }, 'Fn::Join needs a list'],
])('%j is refused: %s', (value, message) => {
  expect(() => evaluate(value, scope)).toThrow(message);
});

describe('conditions', () => {
  test.each([
    [{ Condition: 'IsDev' }, true],
    [{ 'Fn::Not': [{ Condition: 'IsDev' }] }, false],
    [{ 'Fn::And': [{ Condition: 'IsDev' }, { Condition: 'IsProd' }] }, false],
    [{ 'Fn::Or': [{ Condition: 'IsProd' }, { 'Fn::Equals': ['a', 'a'] }] }, true],
  ])('%j is %s', (expression, expected) => {
    expect(evaluateCondition(expression, scope)).toBe(expected);
  });

  test('what is no condition is refused', () => {
    expect(() => evaluateCondition('maybe', scope)).toThrow('is not a condition');
  });
});

test('a value without intrinsic functions stays as it is', () => {
  fc.assert(
    fc.property(
      fc.jsonValue().filter((value) => !/Fn::|"Ref"|"Condition"/.test(JSON.stringify(value))),
      (value) => {
        expect(JSON.stringify(evaluate(value, scope))).toBe(JSON.stringify(value));
      },
    ),
  );
});

test('splitting what was joined gives the parts', () => {
  const part = fc.string().filter((text) => !text.includes('|'));
  fc.assert(
    fc.property(fc.array(part, { minLength: 1 }), (parts) => {
      expect(evaluate({ 'Fn::Split': ['|', { 'Fn::Join': ['|', parts] }] }, scope)).toEqual(parts);
    }),
  );
});
