import { expect } from 'vitest';
import { parseMap } from '#local/emulators/dynamodb/attribute-value';
import { meets } from '#local/emulators/dynamodb/expression/evaluate';
import { RESERVED_WORDS } from '#local/emulators/dynamodb/expression/reserved-words';
import { openScope } from '#local/emulators/dynamodb/expression/scope';
import { ruleTest } from '#test/local/rules/rule-test';

const ITEM = parseMap({
  pk: { S: 'order-1' },
  n: { N: '10' },
  flag: { BOOL: true },
  empty: { NULL: true },
  tags: { SS: ['red', 'blue'] },
  sizes: { NS: ['1', '2'] },
  entries: { L: [{ S: 'first' }, { M: { deep: { N: '3' } } }] },
  nest: { M: { Maximum: { N: '5' }, valueOf: { S: 'mine' } } },
  raw: { B: 'AQID' },
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
  ':none': { NULL: true },
  ':tags': { SS: ['blue', 'red'] },
  ':bytes': { B: 'AQI=' },
  ':list': { L: [{ S: 'first' }, { M: { deep: { N: '3.0' } } }] },
};
const NAMES: Record<string, string> = {
  '#n': 'n',
  '#a': 'tags',
  '#m': 'nest',
  '#none': 'nothing',
  '#empty': 'empty',
  '#raw': 'raw',
};

function holds(text: string): boolean {
  const used = <T>(all: Record<string, T>): Record<string, T> | undefined => {
    const entries = Object.entries(all).filter(([key]) => new RegExp(`${key}\\b`).test(text));
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  };
  const input = {
    FilterExpression: text,
    ExpressionAttributeNames: used(NAMES),
    ExpressionAttributeValues: used(VALUES),
  };
  const scope = openScope(input, ['FilterExpression']);
  const condition = scope.condition('FilterExpression');
  scope.close();
  return meets(condition!, ITEM, scope);
}

const isTrue = (text: string) => () => expect(holds(text)).toBe(true);
const isFalse = (text: string) => () => expect(holds(text)).toBe(false);
const isRefused = (text: string, why: string) => () => expect(() => holds(text)).toThrow(why);

for (const text of [
  '#n = :ten',
  '#n > :nine',
  '#n <> :text',
  '#a = :tags',
  'entries = :list',
  'flag = :yes AND #empty = :none',
  'n BETWEEN :nine AND :ten',
  'n IN (:two, :ten)',
  'pk > :first and pk >= :first and :first < pk',
  '#raw > :bytes',
]) {
  ruleTest('dynamodb', 'comparison', isTrue(text), text);
}

for (const text of ['#n = :text', 'pk < :ten', 'NOT #n <> :text', 'n BETWEEN :start AND :red']) {
  ruleTest('dynamodb', 'comparison-of-types', isFalse(text), text);
}

ruleTest('dynamodb', 'missing-differs', () => {
  expect(holds('#none <> :ten AND NOT #none = :ten')).toBe(true);
  expect(holds('#none < :ten OR #none >= :ten OR #none IN (:ten, :two)')).toBe(false);
});

for (const text of [
  'attribute_exists(nest.Maximum)',
  'attribute_exists(nest.valueOf)',
  'attribute_exists(#empty)',
  'attribute_not_exists(tags.x) and attribute_not_exists(#none)',
  'NOT attribute_exists(nest.toString)',
  'attribute_type(#a, :type)',
  'NOT attribute_type(n, :type)',
  'begins_with(pk, :start)',
  'begins_with(#raw, :bytes)',
  'NOT begins_with(n, :start)',
  'contains(#a, :red)',
  'contains(sizes, :two)',
  'contains(#m, :red) OR contains(entries, :first)',
  'contains(pk, :start)',
  'contains(#raw, :bytes)',
  'NOT contains(n, :ten)',
]) {
  ruleTest('dynamodb', 'condition-functions', isTrue(text), text);
}

for (const text of [
  'size(pk) > :three',
  'size(entries) = :two',
  'size(nest) = :two',
  'size(#raw) = :three',
  'size(#a) < size(pk)',
  '(size(#a) < #m.Maximum) AND (#n > :nine)',
  'NOT size(n) = :two',
]) {
  const more = text.includes('#m.Maximum') ? `[LOCL-15] ${text}` : text;
  ruleTest('dynamodb', 'size', isTrue(text), more);
}

ruleTest('dynamodb', 'document-paths', () => {
  expect(holds('entries[1].deep = :three AND NOT entries[2] = :first')).toBe(true);
  expect(holds('pk.x = :first OR attribute_exists(n[0])')).toBe(false);
});

ruleTest('dynamodb', 'precedence', () => {
  expect(holds('n = :ten OR n = :ten AND n = :two')).toBe(true);
  expect(holds('NOT n = :two AND n = :two')).toBe(false);
  expect(holds('NOT (n = :two AND n = :two)')).toBe(true);
  expect(holds('(n = :two OR n = :ten) AND (flag = :yes)')).toBe(true);
  expect(holds('n BETWEEN :two AND :ten AND n IN (:ten)')).toBe(true);
});

ruleTest('dynamodb', 'keywords-any-case', () => {
  expect(holds('Not n bEtween :two aNd :two oR n iN (:ten)')).toBe(true);
  expect(() => holds('SIZE(pk) > :three')).toThrow('Invalid function name; function: SIZE');
});

for (const [text, words] of [
  ['_version = :ten', 'token: "_", near: "_version"'],
  ['n == :ten', 'token: "=", near: "== :ten"'],
  ['n = ', 'token: "<EOF>", near: "= "'],
  ['n = :ten)', 'token: ")", near: ":ten)"'],
  ['n', 'token: "<EOF>", near: "n"'],
  ['n = :ten AND flag', 'token: "<EOF>"'],
  ['n AND flag = :yes', 'token: "AND"'],
  ['(n = :ten) = flag', 'token: "="'],
  ['n IN :ten', 'token: ":ten"'],
  ['n BETWEEN :two :ten', 'token: ":ten"'],
  ['n = :ten ; flag = :yes', 'token: ";"'],
  ['(n = :ten', 'token: "<EOF>"'],
  ['a..b = :ten', 'token: "."'],
  ['# = :ten', 'token: "#"'],
] as const) {
  ruleTest('dynamodb', 'syntax-error', isRefused(text, `Syntax error; ${words}`), text);
}

for (const text of ['((n = :ten))', '((n = :ten AND n = :two))', '((n)) = :ten', 'n = ((:ten))']) {
  ruleTest('dynamodb', 'redundant-parentheses', isRefused(text, 'redundant parentheses;'), text);
}

ruleTest('dynamodb', 'redundant-parentheses', isTrue('((n = :ten) AND (flag = :yes))'), 'not two');
ruleTest('dynamodb', 'redundant-parentheses', isTrue('((n) = :ten)'), 'not of two things');

for (const [text, word] of [
  ['name = :ten', 'name'],
  ['nest.Status = :ten', 'Status'],
  ['size(Data) = :ten', 'Data'],
] as const) {
  const words = `Attribute name is a reserved keyword; reserved keyword: ${word}`;
  ruleTest('dynamodb', 'reserved-words', isRefused(text, words), text);
}

ruleTest('dynamodb', 'reserved-words', () => expect(RESERVED_WORDS.size).toBe(573), 'how many');

for (const [text, words] of [
  ['mystery(pk) = :ten', 'Invalid function name; function: mystery'],
  ['attribute_exists(pk, :two)', 'operator or function: attribute_exists, number of operands: 2'],
  ['begins_with(pk)', 'operator or function: begins_with, number of operands: 1'],
  ['size(pk)', 'The function is not allowed to be used this way in an expression; function: size'],
  ['attribute_exists(pk) = :yes', 'used this way in an expression; function: attribute_exists'],
  [
    'contains(begins_with(pk, :red), :red)',
    'used this way in an expression; function: begins_with',
  ],
  [
    'if_not_exists(pk, :red) = :red',
    'not allowed in a condition expression; function: if_not_exists',
  ],
  [
    'attribute_exists(:two)',
    'Operator or function requires a document path; operator or function: attribute_exists',
  ],
] as const) {
  ruleTest('dynamodb', 'function-form', isRefused(text, words), text);
}

for (const [text, words] of [
  ['n < :yes', 'operator or function: <, operand type: BOOL'],
  ['n BETWEEN :tags AND :tags', 'operator or function: BETWEEN, operand type: SS'],
  ['begins_with(pk, :two)', 'operator or function: begins_with, operand type: N'],
  ['size(:two) = n', 'operator or function: size, operand type: N'],
  ['attribute_type(pk, :two)', 'operator or function: attribute_type, operand type: N'],
  ['attribute_type(pk, n)', 'operator or function: attribute_type, operand type: {'],
] as const) {
  const words_ = `Incorrect operand type for operator or function; ${words}`;
  ruleTest('dynamodb', 'operand-type', isRefused(text, words_), text);
}

ruleTest(
  'dynamodb',
  'attribute-type-name',
  isRefused(
    'attribute_type(pk, :red)',
    'Invalid attribute type name found; type: red, valid types: {',
  ),
);

for (const [text, operator] of [
  ['n = n', '=, first operand: [n]'],
  ['n = #n', '=, first operand: [n]'],
  ['nest.Maximum < nest.Maximum', '<, first operand: [nest, Maximum]'],
  ['contains(n, n)', 'contains, first operand: [n]'],
  ['n IN (:ten, n)', 'IN, first operand: [n]'],
] as const) {
  const words = `The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}`;
  ruleTest('dynamodb', 'distinct-operands', isRefused(text, words), text);
}

ruleTest(
  'dynamodb',
  'between-bounds',
  isRefused(
    'n BETWEEN :ten AND :two',
    'requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:10}, ' +
      'upper bound operand: AttributeValue: {N:2}',
  ),
);
ruleTest(
  'dynamodb',
  'between-bounds',
  isRefused('n BETWEEN :text AND :two', 'requires same data type for lower and upper bounds'),
  'of one type',
);
