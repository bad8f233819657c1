import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMap } from '#local/emulators/dynamodb/attribute-value';
import { meets } from '#local/emulators/dynamodb/expression/evaluate';
import { RESERVED_WORDS } from '#local/emulators/dynamodb/expression/reserved-words';
import { openScope } from '#local/emulators/dynamodb/expression/scope';

const ITEM = parseMap({
  pk: { S: 'order-1' },
  n: { N: '10' },
  flag: { BOOL: true },
  empty: { NULL: true },
  tags: { SS: ['red', 'blue'] },
  sizes: { NS: ['1', '2'] },
  entries: { L: [{ S: 'first' }, { M: { deep: { N: '3' } } }] },
  nest: { M: { Maximum: { N: '5' }, valueOf: { S: 'mine' } } },
});

const VALUES: Record<string, object> = {
  ':ten': { N: '10.0' },
  ':two': { N: '2' },
  ':nine': { N: '9' },
  ':text': { S: '10' },
  ':start': { S: 'ord' },
  ':red': { S: 'red' },
  ':first': { S: 'first' },
  ':three': { N: '3' },
  ':type': { S: 'SS' },
  ':yes': { BOOL: true },
};
const NAMES: Record<string, string> = { '#n': 'n', '#a': 'tags', '#m': 'nest', '#none': 'nothing' };

function holds(text: string): boolean {
  const used = <T>(all: Record<string, T>): Record<string, T> | undefined => {
    const entries = Object.entries(all).filter(([key]) => new RegExp(`${key}\\b`).test(text));
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  };
  const scope = openScope({
    FilterExpression: text,
    ExpressionAttributeNames: used(NAMES),
    ExpressionAttributeValues: used(VALUES),
  });
  const condition = scope.condition('FilterExpression');
  scope.close();
  return meets(condition!, ITEM, scope);
}

test.each([
  '#n = :ten',
  '#n > :nine',
  '#n <> :text',
  '#none <> :ten',
  'NOT #none = :ten',
  'n BETWEEN :nine AND :ten',
  'n IN (:two, :ten)',
  'attribute_exists(nest.Maximum)',
  'attribute_exists(nest.valueOf)',
  'attribute_not_exists(tags.x) and attribute_not_exists(#none)',
  'attribute_type(#a, :type)',
  'begins_with(pk, :start)',
  'contains(#a, :red)',
  'contains(sizes, :two)',
  'contains(#m, :red) OR contains(entries, :first)',
  'entries[1].deep = :three',
  'size(pk) > :three',
  'size(entries) = :two',
  'flag = :yes AND NOT attribute_exists(nest.toString)',
  '(n = :two OR n = :ten) AND (flag = :yes)',
  'size(#a) < size(pk)',
])('%s is true', (text) => {
  expect(holds(text)).toBe(true);
});

test.each([
  '#n = :text',
  '#none = :ten',
  '#none < :ten',
  'pk < :ten',
  'NOT #none <> :ten',
  'size(n) = :two',
  'entries[2] = :first',
  'pk.x = :first',
  'attribute_type(n, :type)',
  'begins_with(n, :start)',
  'n = :two OR n = :ten AND pk = :text',
])('%s is false', (text) => {
  expect(holds(text)).toBe(false);
});

test('LOCL-15: a size held against a nested path is understood', () => {
  expect(holds('(size(#a) < #m.Maximum) AND (#n > :nine)')).toBe(true);
});

test.each([
  ['name = :ten', 'reserved keyword: name'],
  ['nest.Status = :ten', 'reserved keyword: Status'],
  ['_version = :ten', 'Syntax error; token: "_"'],
  ['n == :ten', 'Syntax error; token: "="'],
  ['n = ', 'Syntax error; token: "<EOF>"'],
  ['n = :ten)', 'Syntax error; token: ")"'],
  ['((n = :ten))', 'redundant parentheses'],
  ['((n = :ten AND n = :two))', 'redundant parentheses'],
  ['n = n', 'must be distinct'],
  ['n < :yes', 'Incorrect operand type'],
  ['begins_with(pk, :two)', 'Incorrect operand type'],
  ['attribute_exists(pk, :two)', 'Incorrect number of operands'],
  ['attribute_exists(:two)', 'requires a document path'],
  ['attribute_type(pk, :red)', 'Invalid attribute type name'],
  ['n BETWEEN :ten AND :two', 'upper bound to be greater'],
  ['n BETWEEN :text AND :two', 'same data type'],
  ['   ', 'can not be empty'],
  ['mystery(pk) = :ten', 'Syntax error; token: "("'],
])('%s is refused: %s', (text, why) => {
  expect(() => holds(text)).toThrow(why);
});

test('two pairs of parentheses around two things are not redundant', () => {
  expect(holds('((n = :ten) AND (flag = :yes))')).toBe(true);
});

test('a name or value that is not given is refused', () => {
  const condition = (input: object) =>
    openScope({ ConditionExpression: '#x = :x', ...input }).condition('ConditionExpression');
  expect(() => condition({ ExpressionAttributeValues: { ':x': { N: '1' } } })).toThrow(
    'attribute name: #x',
  );
  expect(() => condition({ ExpressionAttributeNames: { '#x': 'x' } })).toThrow(
    'attribute value: :x',
  );
});

test.each([
  [{ ExpressionAttributeNames: {} }, 'must not be empty'],
  [{ ExpressionAttributeValues: {} }, 'must not be empty'],
  [{ ExpressionAttributeNames: { '#unused': 'a' } }, 'unused in expressions: keys: {#unused}'],
  [
    { ExpressionAttributeValues: { ':unused': { N: '1' } } },
    'unused in expressions: keys: {:unused}',
  ],
  [{ ExpressionAttributeNames: { x: 'a' } }, 'invalid key'],
  [{ ExpressionAttributeNames: { '#x': '' } }, 'Empty attribute name'],
])('%o is refused: %s', (input, why) => {
  expect(() => {
    const scope = openScope({ ConditionExpression: 'attribute_exists(pk)', ...input });
    scope.condition('ConditionExpression');
    scope.close();
  }).toThrow(why);
});

test('names without an expression are refused', () => {
  expect(() => openScope({ ExpressionAttributeNames: { '#x': 'a' } }).close()).toThrow(
    'can only be specified when using expressions',
  );
});

test('AND binds more than OR, and NOT more than both', () => {
  const part = fc.constantFrom('T', 'F');
  fc.assert(
    fc.property(part, part, part, (a, b, c) => {
      const text = (letter: string) => (letter === 'T' ? 'n = :ten' : 'n = :two');
      const value = (letter: string) => letter === 'T';
      expect(holds(`${text(a)} OR NOT ${text(b)} AND ${text(c)}`)).toBe(
        value(a) || (!value(b) && value(c)),
      );
      expect(holds(`NOT ${text(a)} AND ${text(b)} OR ${text(c)}`)).toBe(
        (!value(a) && value(b)) || value(c),
      );
    }),
  );
});

test('all 573 reserved words are known', () => {
  expect(RESERVED_WORDS.size).toBe(573);
});
