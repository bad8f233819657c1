import { expect, test } from 'vitest';
import { openScope } from '#local/emulators/dynamodb/expression/scope';
import { ruleTest } from '#test/local/rules/rule-test';

const condition = (input: object) => () => {
  const scope = openScope(input as Readonly<Record<string, unknown>>, ['ConditionExpression']);
  scope.condition('ConditionExpression');
  scope.close();
};
const exists = (input: object) =>
  condition({ ConditionExpression: 'attribute_exists(pk)', ...input });
const one = { ':x': { N: '1' } };

ruleTest('dynamodb', 'placeholder-undefined', () => {
  expect(condition({ ConditionExpression: '#x = :x', ExpressionAttributeValues: one })).toThrow(
    'An expression attribute name used in the document path is not defined; attribute name: #x',
  );
  const names = { ExpressionAttributeNames: { '#x': 'x' } };
  expect(condition({ ConditionExpression: '#x = :x', ...names })).toThrow(
    'An expression attribute value used in expression is not defined; attribute value: :x',
  );
});

test('an expression that was in order is refused with other names, values or types', () => {
  const names = { '#x': 'x' };
  const given = (values: object, more: object = names) =>
    condition({
      ConditionExpression: 'begins_with(#x, :v)',
      ExpressionAttributeNames: more,
      ExpressionAttributeValues: values,
    });
  const text = { ':v': { S: 'a' } };
  const refused: readonly (readonly [() => void, string])[] = [
    [given({ ':v': { N: '7' } }), 'operand type: N'],
    [given({ ':w': { S: 'a' } }), 'attribute value: :v'],
    [given({ ...text, ':w': { S: 'b' } }), 'unused in expressions: keys: {:w}'],
    [given({ ':v': { S: 'a', N: '7' } }), 'more than one datatypes'],
    [given(text, { '#y': 'x' }), 'attribute name: #x'],
    [given(text, { '#x': '' }), 'Empty attribute name'],
    [given(text, { ...names, '#y': 'y' }), 'unused in expressions: keys: {#y}'],
  ];
  for (const [refusedOne, why] of refused) {
    expect(given(text)).not.toThrow();
    expect(refusedOne).toThrow(why);
  }
});

test('what depends on the values themselves is looked at each time', () => {
  const between = (low: string, high: string) =>
    condition({
      ConditionExpression: 'x BETWEEN :low AND :high',
      ExpressionAttributeValues: { ':low': { N: low }, ':high': { N: high } },
    });
  expect(between('1', '2')).not.toThrow();
  expect(between('3', '2')).toThrow('upper bound to be greater than or equal to lower bound');
  const typed = (type: string) =>
    condition({
      ConditionExpression: 'attribute_type(x, :type)',
      ExpressionAttributeValues: { ':type': { S: type } },
    });
  expect(typed('SS')).not.toThrow();
  expect(typed('XX')).toThrow('Invalid attribute type name found');
});

for (const [input, why] of [
  [
    { ExpressionAttributeNames: { '#u': 'a' } },
    'ExpressionAttributeNames unused in expressions: keys: {#u}',
  ],
  [
    { ExpressionAttributeValues: one },
    'ExpressionAttributeValues unused in expressions: keys: {:x}',
  ],
] as const) {
  ruleTest(
    'dynamodb',
    'placeholder-unused',
    () => expect(exists(input)).toThrow(why),
    why.slice(0, 24),
  );
}

ruleTest('dynamodb', 'placeholder-without-expression', () => {
  expect(condition({ ExpressionAttributeNames: { '#x': 'a' } })).toThrow(
    'ExpressionAttributeNames can only be specified when using expressions',
  );
  expect(condition({ ExpressionAttributeValues: one })).toThrow(
    'ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null',
  );
});

const long = 'n'.repeat(255);
for (const [input, why] of [
  [{ ExpressionAttributeNames: {} }, 'ExpressionAttributeNames must not be empty'],
  [{ ExpressionAttributeValues: {} }, 'ExpressionAttributeValues must not be empty'],
  [{ ExpressionAttributeNames: { x: 'a' } }, 'contains invalid key: Syntax error; key: "x"'],
  [{ ExpressionAttributeNames: { '#': 'a' } }, 'contains invalid key: Syntax error; key: "#"'],
  [{ ExpressionAttributeValues: { ':a-b': { S: '' } } }, 'invalid key: Syntax error; key: ":a-b"'],
  [{ ExpressionAttributeNames: { '#x': '' } }, 'Empty attribute name for key #x'],
  [{ ExpressionAttributeNames: { [`#${long}`]: 'a' } }, 'a key that is too long; size of key: 256'],
  [
    { ExpressionAttributeValues: { ':x': {} } },
    'contains invalid value: Supplied AttributeValue is empty',
  ],
] as const) {
  ruleTest('dynamodb', 'placeholder-form', () => expect(exists(input)).toThrow(why), why);
}

ruleTest('dynamodb', 'expression-size', () => {
  const padded = (bytes: number) => `a${' '.repeat(bytes - 6)}= :x`.padEnd(bytes, ' ');
  const input = (bytes: number) => ({
    ConditionExpression: padded(bytes),
    ExpressionAttributeValues: one,
  });
  expect(condition(input(4_096))).not.toThrow();
  expect(condition(input(4_097))).toThrow(
    'Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; expression size: 4097',
  );
});

ruleTest('dynamodb', 'expression-empty', () => {
  expect(condition({ ConditionExpression: '' })).toThrow(
    'Invalid ConditionExpression: The expression can not be empty;',
  );
});

ruleTest('dynamodb', 'operator-count', () => {
  const chain = (depth: number) => `a<b ${'or (a<b '.repeat(depth)}${')'.repeat(depth)}`;
  expect(condition({ ConditionExpression: chain(149) })).not.toThrow();
  expect(condition({ ConditionExpression: chain(454) })).toThrow(
    'The expression contains too many operators; operator count: 301',
  );
});

ruleTest('dynamodb', 'in-operands', () => {
  const input = (count: number) => {
    const names = Array.from({ length: count }, (_, at) => `:v${at}`);
    return {
      ConditionExpression: `a IN (${names.join(', ')})`,
      ExpressionAttributeValues: Object.fromEntries(names.map((name) => [name, { N: '1' }])),
    };
  };
  expect(condition(input(100))).not.toThrow();
  expect(condition(input(101))).toThrow(
    'The IN operator is provided with too many operands; number of operands: 101',
  );
});

ruleTest('dynamodb', 'path-depth', () => {
  const path = (steps: number) => Array.from({ length: steps }, () => 'a').join('.');
  expect(condition({ ConditionExpression: `attribute_exists(${path(32)})` })).not.toThrow();
  expect(condition({ ConditionExpression: `attribute_exists(${path(33)})` })).toThrow(
    'The document path has too many nesting levels; nesting levels: 33',
  );
});

ruleTest('dynamodb', 'placeholders-size', () => {
  const ExpressionAttributeNames = Object.fromEntries(
    Array.from({ length: 33 }, (_, at) => [`#n${at}`, 'x'.repeat(65_000)]),
  );
  expect(exists({ ExpressionAttributeNames })).toThrow('ExpressionAttributeNames exceeds max size');
});
