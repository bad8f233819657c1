import { expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { A, askDynamo, invalid } from './ask-dynamo.ts';
import type { Item } from './ask-dynamo.ts';

const dynamo = askDynamo();
const { put, get, update } = dynamo;
const n = (text: string | number) => ({ N: String(text) });

/** The item after an update of `item`. */
async function after(item: Item, expression: string, values?: object, more?: object) {
  await put({ ...A, ...item });
  await update(expression, values, more);
  const { pk: _, ...rest } = (await get(A)) ?? {};
  return rest;
}

ruleTest('dynamodb', 'update-reads-before', async () => {
  const set = 'SET x = y, y = x + :by, fresh = y - :by';
  expect(await after({ x: n(1), y: n(2) }, set, { ':by': n('0.1') })).toEqual({
    x: n(2),
    y: n('1.1'),
    fresh: n('1.9'),
  });
});

ruleTest('dynamodb', 'if-not-exists', async () => {
  const set = 'SET x = if_not_exists(x, :v), y = if_not_exists(gone, if_not_exists(x, :v)) + :v';
  expect(await after({ x: n(1) }, set, { ':v': n(5) })).toEqual({ x: n(1), y: n(6) });
});

ruleTest('dynamodb', 'list-append', async () => {
  const set = 'SET l = list_append(l, :v), m = list_append(:v, l)';
  expect(await after({ l: { L: [n(1)] } }, set, { ':v': { L: [n(2)] } })).toEqual({
    l: { L: [n(1), n(2)] },
    m: { L: [n(2), n(1)] },
  });
});

ruleTest('dynamodb', 'set-beyond-list', async () => {
  const set = 'SET l[9] = :b, l[5] = :a';
  const values = { ':a': { S: 'a' }, ':b': { S: 'b' } };
  expect(await after({ l: { L: [n(0)] } }, set, values)).toEqual({
    l: { L: [n(0), { S: 'a' }, { S: 'b' }] },
  });
});

ruleTest('dynamodb', 'remove-closes-list', async () => {
  const list = { L: [n(0), n(1), n(2), n(3)] };
  expect(await after({ l: list }, 'REMOVE l[0], l[2], l[9]')).toEqual({ l: { L: [n(1), n(3)] } });
});

ruleTest('dynamodb', 'remove-missing', async () => {
  expect(await after({ x: n(1) }, 'REMOVE gone')).toEqual({ x: n(1) });
});

ruleTest('dynamodb', 'nested-update', async () => {
  const item = { m: { M: { keep: n(1), drop: n(2), l: { L: [{ M: { x: n(3) } }] } } } };
  const expression = 'SET m.fresh = :v, m.l[0].x = :v REMOVE m.#d';
  const names = { ExpressionAttributeNames: { '#d': 'drop' } };
  expect(await after(item, expression, { ':v': n(9) }, names)).toEqual({
    m: { M: { keep: n(1), fresh: n(9), l: { L: [{ M: { x: n(9) } }] } } },
  });
});

for (const expression of [
  'SET gone.x = :v',
  'SET s.x = :v',
  'SET s[0] = :v',
  'SET m.gone.x = :v',
]) {
  ruleTest(
    'dynamodb',
    'invalid-update-path',
    async () => {
      await put({ ...A, s: { S: 'x' }, m: { M: {} } });
      await expect(update(expression, { ':v': n(1) })).rejects.toMatchObject(
        invalid('The document path provided in the update expression is invalid for update'),
      );
    },
    expression,
  );
}

ruleTest('dynamodb', 'set-from-missing', async () => {
  await expect(update('SET x = y')).rejects.toMatchObject(
    invalid('The provided expression refers to an attribute that does not exist in the item'),
  );
});

ruleTest('dynamodb', 'add-number', async () => {
  const add = 'ADD n :v, fresh :v';
  expect(await after({ n: n(1) }, add, { ':v': n('-2.5') })).toEqual({
    n: n('-1.5'),
    fresh: n('-2.5'),
  });
});

ruleTest('dynamodb', 'add-to-set', async () => {
  const values = { ':s': { SS: ['b', 'c'] }, ':n': { NS: ['2.0'] }, ':b': { BS: ['AA=='] } };
  const item = { s: { SS: ['a', 'b'] }, n: { NS: ['1', '2'] } };
  expect(await after(item, 'ADD s :s, n :n, b :b', values)).toEqual({
    s: { SS: ['a', 'b', 'c'] },
    n: { NS: ['1', '2'] },
    b: { BS: ['AA=='] },
  });
});

ruleTest('dynamodb', 'delete-from-set', async () => {
  const item = { s: { SS: ['a', 'b'] }, final_: { SS: ['z'] } };
  const values = { ':a': { SS: ['a', 'x'] }, ':z': { SS: ['z'] } };
  expect(await after(item, 'DELETE s :a, final_ :z, gone :z', values)).toEqual({
    s: { SS: ['b'] },
  });
});

for (const [expression, values] of [
  ['ADD s :v', { ':v': n(1) }],
  ['ADD n :v', { ':v': { SS: ['a'] } }],
  ['DELETE n :v', { ':v': { SS: ['a'] } }],
  ['SET n = s + :v', { ':v': n(1) }],
  ['SET n = list_append(s, :v)', { ':v': { L: [] } }],
] as const) {
  ruleTest(
    'dynamodb',
    'update-operand-of-item',
    async () => {
      await put({ ...A, s: { S: 'x' }, n: n(1) });
      await expect(update(expression, values)).rejects.toMatchObject(
        invalid('An operand in the update expression has an incorrect data type'),
      );
    },
    expression,
  );
}

for (const [expression, value, words] of [
  ['ADD x :v', { S: 'a' }, 'operator: ADD, operand type: STRING'],
  ['ADD x :v', { L: [] }, 'operator: ADD, operand type: LIST'],
  ['DELETE x :v', n(1), 'operator: DELETE, operand type: NUMBER'],
  ['SET x = x + :v', { S: 'a' }, 'operator or function: +, operand type: S'],
  ['SET x = :v - x', { BOOL: true }, 'operator or function: -, operand type: BOOL'],
  ['SET x = list_append(x, :v)', n(1), 'operator or function: list_append, operand type: N'],
] as const) {
  ruleTest(
    'dynamodb',
    'update-operand-type',
    async () => {
      await expect(update(expression, { ':v': value })).rejects.toMatchObject(
        invalid(
          `Invalid UpdateExpression: Incorrect operand type for operator or function; ${words}`,
        ),
      );
    },
    `${expression} of ${Object.keys(value)[0]}`,
  );
}

for (const [expression, words] of [
  [
    'REMOVE x, x.y',
    'overlap with each other; must remove or rewrite one of these paths; path one: [x], path two: [x, y]',
  ],
  ['REMOVE x, #x', 'overlap'],
  ['SET x[1] = :v REMOVE x[1].a', 'path one: [x, [1]], path two: [x, [1], a]'],
  ['SET x[1] = :v REMOVE x.a', 'Two document paths conflict with each other'],
] as const) {
  ruleTest(
    'dynamodb',
    'overlapping-paths',
    async () => {
      const names = expression.includes('#x') ? { ExpressionAttributeNames: { '#x': 'x' } } : {};
      const values = expression.includes(':v') ? { ':v': n(1) } : undefined;
      await expect(update(expression, values, names)).rejects.toMatchObject(invalid(words));
    },
    expression,
  );
}

ruleTest('dynamodb', 'section-once', async () => {
  await expect(update('REMOVE x REMOVE y')).rejects.toMatchObject(
    invalid('The "REMOVE" section can only be used once in an update expression;'),
  );
});

for (const [expression, token] of [
  ['x = :v', 'x'],
  ['SET x', '<EOF>'],
  ['SET x = :v,', '<EOF>'],
  ['SET x = :v + :v + :v', '+'],
  ['ADD x y', 'y'],
  ['SET _x = :v', '_'],
  ['SET :v = x', ':v'],
  ['REMOVE x[01]', '1'],
  ['REMOVE x[a]', 'a'],
  ['SET x == :v', '='],
] as const) {
  ruleTest(
    'dynamodb',
    'syntax-error',
    async () => {
      const values = expression.includes(':v') ? { ':v': n(1) } : undefined;
      await expect(update(expression, values)).rejects.toMatchObject(
        invalid(`Invalid UpdateExpression: Syntax error; token: "${token}", near: "`),
      );
    },
    expression,
  );
}

for (const [expression, words] of [
  ['SET x = size(y)', 'The function is not allowed in an update expression; function: size'],
  ['SET x = nothing(y)', 'Invalid function name; function: nothing'],
  ['SET x = if_not_exists(y)', 'operator or function: if_not_exists, number of operands: 1'],
  ['SET x = if_not_exists(:v, y)', 'requires a document path; operator or function: if_not_exists'],
  [
    'SET x = list_append(y, :v) + :v',
    'not allowed to be used this way in an expression; function: list_append',
  ],
] as const) {
  ruleTest(
    'dynamodb',
    'function-form',
    async () => {
      const values = expression.includes(':v') ? { ':v': n(1) } : undefined;
      await expect(update(expression, values)).rejects.toMatchObject(invalid(words));
    },
    expression,
  );
}

ruleTest('dynamodb', 'section-names-any-case', async () => {
  const expression = 'set x = :v remove y aDD z :v Delete s :s';
  const item = { y: n(1), s: { SS: ['a', 'b'] } };
  expect(await after(item, expression, { ':v': n(1), ':s': { SS: ['a'] } })).toEqual({
    x: n(1),
    z: n(1),
    s: { SS: ['b'] },
  });
});

ruleTest('dynamodb', 'list-index-range', async () => {
  await expect(update('REMOVE x[2147483648]')).rejects.toMatchObject(
    invalid('List index is not within the allowable range; index: [2147483648]'),
  );
});

ruleTest('dynamodb', 'sum-too-long', async () => {
  await put({ ...A, n: n('1e125') });
  await expect(update('ADD n :v', { ':v': n(1) })).rejects.toMatchObject(
    invalid('more than 38 significant digits'),
  );
  await expect(update('SET n = n + :v', { ':v': n('9e125') })).rejects.toMatchObject(
    invalid('Number overflow'),
  );
});
