/** What is asked about single items, their values and their expressions. */
import { get, n, onTable, put, s, update } from './dynamodb-tables.ts';
import type { DynamoQuestion } from './dynamodb-tables.ts';

const value = (id: string, given: object): DynamoQuestion =>
  onTable('plain', `value-${id}`, `an item with ${JSON.stringify(given).slice(0, 60)}`, [
    put({ v: given }),
    get,
  ]);

const DEEP = 33;
const nested = Array.from({ length: DEEP }).reduce<object>((inner) => ({ L: [inner] }), s('x'));

const VALUES: readonly DynamoQuestion[] = [
  value('types', {
    M: {
      s: s(''),
      n: n('1.50e2'),
      b: { B: '' },
      t: { BOOL: true },
      z: { NULL: true },
      l: { L: [s('x'), { M: {} }] },
      ss: { SS: ['b', 'a'] },
      ns: { NS: ['2.0', '1'] },
      bs: { BS: ['AA=='] },
    },
  }),
  value('number-long', n('1'.repeat(38))),
  value('number-too-long', n('1'.repeat(39))),
  value('number-small', n('-1e-130')),
  value('number-overflow', n('1e126')),
  value('number-underflow', n('1e-131')),
  value('number-empty', n('')),
  value('number-text', n('one')),
  value('number-plus', n('+5')),
  value('number-zero', n('-0.00e5')),
  value('set-empty', { SS: [] }),
  value('number-set-empty', { NS: [] }),
  value('binary-set-empty', { BS: [] }),
  value('set-twice', { SS: ['a', 'a'] }),
  value('number-set-twice', { NS: ['1', '1.0'] }),
  value('binary-set-twice', { BS: ['AA==', 'AA=='] }),
  value('null-false', { NULL: false }),
  value('no-type', {}),
  value('two-types', { S: 'a', N: '1' }),
  value('not-base64', { B: 'AB==' }),
  onTable('plain', 'value-too-deep', 'lists in lists, 33 levels deep', [put({ v: nested })]),
  value('too-large', s('x'.repeat(409_600))),
];

const KEYS: readonly DynamoQuestion[] = [
  onTable('sorted', 'key-missing', 'an item without its sort key', [put({})]),
  onTable('sorted', 'key-type', 'an item with a key of another type', [put({ at: s('1') })]),
  onTable('plain', 'key-empty', 'an item with an empty key', [put({ pk: s('') })]),
  onTable('plain', 'key-large', 'a partition key of 2,049 bytes', [
    put({ pk: s('x'.repeat(2_049)) }),
  ]),
  onTable('plain', 'key-parameter', 'a Key with one attribute more', [
    ['GetItem', { Key: { pk: s('a'), x: s('b') } }],
  ]),
  onTable('plain', 'key-parameter-empty', 'an empty Key', [['GetItem', { Key: { pk: s('') } }]]),
  onTable('sorted', 'key-number', 'a key that is the same number', [
    put({ at: n('1.50') }),
    ['GetItem', { Key: { pk: s('a'), at: n('15e-1') } }],
  ]),
];

const updates = (id: string, item: object, ...step: Parameters<typeof update>): DynamoQuestion =>
  onTable('plain', `update-${id}`, `${step[0]} of ${JSON.stringify(item).slice(0, 50)}`, [
    put(item),
    update(...step),
    get,
  ]);
const one = { ':v': n(1) };

const UPDATES: readonly DynamoQuestion[] = [
  updates('reads-before', { x: n(1), y: n(2) }, 'SET x = y, y = x + :v', one),
  updates('if-not-exists', { x: n(1) }, 'SET x = if_not_exists(x, :v), y = if_not_exists(z, :v)', {
    ':v': n(5),
  }),
  updates('list-append', { l: { L: [n(0)] } }, 'SET l = list_append(l, :v)', {
    ':v': { L: [n(1)] },
  }),
  updates('beyond-list', { l: { L: [n(0)] } }, 'SET l[7] = :v', one),
  updates('list-removal', { l: { L: [n(0), n(1), n(2), n(3)] } }, 'REMOVE l[1], l[3]'),
  updates('nested', { m: { M: { a: n(1), b: { M: {} } } } }, 'SET m.b.c = :v REMOVE m.a', one),
  updates('nested-missing', { x: n(1) }, 'SET m.b = :v', one),
  updates('from-missing', { x: n(1) }, 'SET y = z'),
  updates('sum-of-text', { x: s('a') }, 'SET y = x + :v', one),
  updates('add-number', { x: n('0.1') }, 'ADD x :v, y :v', { ':v': n('0.2') }),
  updates('add-set', { x: { NS: ['1'] } }, 'ADD x :v', { ':v': { NS: ['1', '2'] } }),
  updates('add-to-text', { x: s('a') }, 'ADD x :v', one),
  updates('add-text', {}, 'ADD x :v', { ':v': s('a') }),
  updates('delete-last', { x: { SS: ['a'] } }, 'DELETE x :v', { ':v': { SS: ['a', 'b'] } }),
  updates('delete-number', { x: n(1) }, 'DELETE x :v', one),
  updates('overlap', {}, 'SET x = :v, x.y = :v', one),
  updates('conflict', {}, 'SET x[1] = :v, x.y = :v', one),
  updates('section-twice', {}, 'SET x = :v SET y = :v', one),
  updates('of-key', {}, 'SET pk = :v', one),
  updates('into-key', {}, 'SET pk.x = :v', one),
  updates('reserved', {}, 'SET data = :v', one),
  updates('unknown-function', {}, 'SET x = nothing(:v)', one),
  updates('wrong-function', {}, 'SET x = size(:v)', one),
  updates('operands', {}, 'SET x = if_not_exists(x)', undefined),
  updates('syntax', {}, 'SET x = :v,', one),
  updates('underscore', {}, 'SET _x = :v', one),
  updates('undefined-value', {}, 'SET x = :w', one),
  updates('unused-value', {}, 'SET x = :v', { ...one, ':w': n(2) }),
  updates('undefined-name', {}, 'SET #x = :v', one),
  updates(
    'returns-old',
    { x: n(1) },
    'SET x = :w',
    { ':w': n(2) },
    { ReturnValues: 'UPDATED_OLD' },
  ),
  updates('returns-new', { x: n(1) }, 'SET y = :v', one, { ReturnValues: 'ALL_NEW' }),
  updates(
    'returns-nested',
    { m: { M: { a: n(1), b: n(2) } } },
    'SET m.a = :v',
    { ':v': n(9) },
    { ReturnValues: 'UPDATED_NEW' },
  ),
];

const ITEM = {
  n: n(10),
  t: s('order-1'),
  tags: { SS: ['a', 'b'] },
  l: { L: [s('a'), n(1)] },
  m: { M: { x: n(5) } },
  z: { NULL: true },
};
/** Each value that a condition names, and no other. */
const VALUES_OF: Readonly<Record<string, object>> = {
  ':ten': n('10.0'),
  ':two': n(2),
  ':a': s('a'),
  ':order': s('order'),
  ':type': s('SS'),
  ':tags': { SS: ['b', 'a'] },
  ':yes': { BOOL: true },
};
const condition = (id: string, text: string): DynamoQuestion => {
  const used = Object.entries(VALUES_OF).filter(([name]) => new RegExp(`${name}\\b`).test(text));
  return onTable('plain', `condition-${id}`, `the condition ${text}`, [
    put(ITEM),
    [
      'DeleteItem',
      {
        Key: { pk: s('a') },
        ConditionExpression: text,
        ...(used.length === 0 ? {} : { ExpressionAttributeValues: Object.fromEntries(used) }),
        ReturnValues: 'ALL_OLD',
      },
    ],
  ]);
};

const CONDITIONS: readonly DynamoQuestion[] = [
  condition('equal-number', 'n = :ten'),
  condition('equal-set', 'tags = :tags'),
  condition('other-type', 'n < :a'),
  condition('missing-differs', 'gone <> :two'),
  condition('missing-compares', 'gone < :two'),
  condition('precedence', 'n = :two OR n = :ten AND NOT t = :a'),
  condition('between', 'n BETWEEN :two AND :ten'),
  condition('between-order', 'n BETWEEN :ten AND :two'),
  condition('between-types', 'n BETWEEN :two AND :a'),
  condition('in', 'n IN (:two, :ten)'),
  condition('begins', 'begins_with(t, :order)'),
  condition('begins-number', 'begins_with(t, :two)'),
  condition('contains-list', 'contains(l, :a)'),
  condition('contains-set', 'contains(tags, :a)'),
  condition('type', 'attribute_type(tags, :type)'),
  condition('type-unknown', 'attribute_type(tags, :a)'),
  condition('null-exists', 'attribute_exists(z)'),
  condition('size', '(size(tags) < m.x) AND (n > :two)'),
  condition('size-of-number', 'size(n) = :two'),
  condition('size-alone', 'size(n)'),
  condition('exists-compared', 'attribute_exists(n) = :two'),
  condition('exists-value', 'attribute_exists(:two)'),
  condition('two-operands', 'attribute_exists(n, t)'),
  condition('same-operand', 'n = n'),
  condition('ordered-boolean', 'n < :yes'),
  condition('parentheses', '((n = :ten))'),
  condition('operand-parentheses', '(n) = :ten'),
  condition('reserved', 'name = :ten'),
  condition('syntax', 'n = :ten AND'),
  condition('unknown-function', 'nothing(n)'),
  condition('empty', ''),
];

export const ITEM_QUESTIONS: readonly DynamoQuestion[] = [
  ...VALUES,
  ...KEYS,
  ...UPDATES,
  ...CONDITIONS,
];
