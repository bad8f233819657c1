import { expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { A, askDynamo, invalid } from './ask-dynamo.ts';
import type { Item } from './ask-dynamo.ts';

const dynamo = askDynamo();
const { put, get } = dynamo;

/** The value, put as an attribute and read back. */
async function stored(value: object): Promise<object | undefined> {
  await put({ ...A, x: value });
  return (await get(A))?.['x'];
}
const refused = (value: object, words: string, name?: string) =>
  expect(put({ ...A, x: value })).rejects.toMatchObject(invalid(words, name));

for (const value of [
  { S: 'text ✓' },
  { N: '10' },
  { B: 'AP8=' },
  { BOOL: false },
  { NULL: true },
  { L: [{ BOOL: false }, { L: [] }, { M: {} }] },
  { M: { __proto__x: { S: 'x' }, constructor: { N: '1' } } },
  { SS: ['b', 'a'] },
  { NS: ['3', '-1'] },
  { BS: ['AA==', 'AQ=='] },
]) {
  ruleTest(
    'dynamodb',
    'attribute-types',
    async () => expect(await stored(value)).toEqual(value),
    Object.keys(value)[0],
  );
}

ruleTest('dynamodb', 'empty-values', async () => {
  const item = { ...A, s: { S: '' }, b: { B: '' }, l: { L: [] }, m: { M: { s: { S: '' } } } };
  await put(item);
  expect(await get(A)).toEqual(item);
});

for (const [given, kept] of [
  ['10.00', '10'],
  ['-0', '0'],
  ['0e999', '0'],
  ['1.50E-3', '0.0015'],
  ['+007', '7'],
  ['.5', '0.5'],
  ['1e125', `1${'0'.repeat(125)}`],
  ['-9.9999999999999999999999999999999999999e125', `-${'9'.repeat(38)}${'0'.repeat(88)}`],
  ['1e-130', `0.${'0'.repeat(129)}1`],
  ['12345678901234567890.123456789012345678', '12345678901234567890.123456789012345678'],
] as const) {
  ruleTest(
    'dynamodb',
    'number-form',
    async () => expect(await stored({ N: given })).toEqual({ N: kept }),
    given,
  );
}

for (const [given, words] of [
  ['1'.repeat(39), 'Attempting to store more than 38 significant digits in a Number'],
  ['1e126', 'Number overflow. Attempting to store a number with magnitude larger than supported'],
  ['-1e126', 'Number overflow'],
  [
    '1e-131',
    'Number underflow. Attempting to store a number with magnitude smaller than supported',
  ],
] as const) {
  ruleTest('dynamodb', 'number-range', () => refused({ N: given }, words), given);
}

for (const given of ['', 'one', '1,5', 'NaN', '0x1', 'Infinity', '1 ', '.', '1e']) {
  const words = 'The parameter cannot be converted to a numeric value';
  ruleTest('dynamodb', 'number-text', () => refused({ N: given }, words), `"${given}"`);
}

for (const [value, words] of [
  [{ SS: [] }, 'An string set  may not be empty'],
  [{ NS: [] }, 'An number set  may not be empty'],
  [{ BS: [] }, 'Binary sets should not be empty'],
] as const) {
  ruleTest('dynamodb', 'sets-not-empty', () => refused(value, words), Object.keys(value)[0]);
}

for (const [value, words] of [
  [{ SS: ['a', 'b', 'a'] }, 'Input collection [a, b, a] contains duplicates.'],
  [{ NS: ['1', '1.0'] }, 'Input collection contains duplicates'],
  [{ BS: ['AA==', 'AA=='] }, 'Input collection [AA==, AA==]of type BS contains duplicates.'],
] as const) {
  ruleTest('dynamodb', 'sets-no-duplicates', () => refused(value, words), Object.keys(value)[0]);
}

ruleTest('dynamodb', 'one-type', async () => {
  await refused({}, 'Supplied AttributeValue is empty, must contain exactly one');
  await refused({ X: 'x' }, 'Supplied AttributeValue is empty, must contain exactly one');
  await refused({ S: 'x', N: '1' }, 'Supplied AttributeValue has more than one datatypes set');
});

ruleTest('dynamodb', 'null-is-true', () =>
  refused({ NULL: false }, 'Null attribute value types must have the value of true'),
);

for (const [value, words] of [
  [{ S: 1 }, 'NUMBER_VALUE cannot be converted to String'],
  [{ N: true }, 'TRUE_VALUE cannot be converted to String'],
  [{ L: {} }, 'Start of structure or map found where not expected'],
  [{ B: 'not base64!' }, 'Base64'],
  [{ B: 'AB==' }, 'Base64'],
] as const) {
  ruleTest(
    'dynamodb',
    'value-serialization',
    () => refused(value, words, 'SerializationException'),
    JSON.stringify(value),
  );
}

function nested(levels: number, kind: 'L' | 'M'): object {
  let value: object = { S: 'x' };
  for (let level = 0; level < levels; level++) {
    value = kind === 'L' ? { L: [value] } : { M: { x: value } };
  }
  return value;
}

for (const kind of ['L', 'M'] as const) {
  ruleTest(
    'dynamodb',
    'nesting',
    async () => {
      expect(await stored(nested(32, kind))).toEqual(nested(32, kind));
      await refused(nested(33, kind), 'Nesting Levels have exceeded supported limits');
    },
    kind,
  );
}

ruleTest(
  'dynamodb',
  'nesting',
  async () => {
    await put({ ...A, x: nested(20, 'M') });
    const path = Array.from({ length: 21 }, () => 'x').join('.');
    const values = { ':v': nested(13, 'M') };
    await expect(dynamo.update(`SET ${path} = :v`, values)).rejects.toMatchObject(
      invalid('Nesting Levels have exceeded supported limits'),
    );
  },
  'after an update too',
);

ruleTest('dynamodb', 'item-size', async () => {
  const room = 400 * 1024 - 'pk'.length - 'a'.length - 'data'.length;
  await put({ ...A, data: { S: 'x'.repeat(room) } });
  await expect(put({ ...A, data: { S: 'x'.repeat(room + 1) } })).rejects.toMatchObject(
    invalid('Item size has exceeded the maximum allowed size'),
  );
  await expect(dynamo.update('SET b = :v', { ':v': { BOOL: true } })).rejects.toMatchObject(
    invalid('Item size to update has exceeded the maximum allowed size'),
  );
});

/** Bytes beside `pk`, by how much more still fits. */
const SIZES: readonly (readonly [Item, number])[] = [
  [{ x: { S: 'é✓' } }, 1 + 2 + 3],
  [{ é: { S: '' } }, 2],
  [{ x: { N: '0' } }, 1 + 1],
  [{ x: { N: '12' } }, 1 + 2],
  [{ x: { N: '123' } }, 1 + 3],
  [{ x: { N: '1.2' } }, 1 + 3],
  [{ x: { N: '-1' } }, 1 + 3],
  [{ x: { N: '1e20' } }, 1 + 2],
  [{ x: { B: 'AQID' } }, 1 + 3],
  [{ x: { BOOL: true } }, 1 + 1],
  [{ x: { NULL: true } }, 1 + 1],
  [{ x: { SS: ['ab', 'c'] } }, 1 + 3],
  [{ x: { NS: ['1', '200'] } }, 1 + 4],
  [{ x: { L: [{ S: 'ab' }, { BOOL: true }] } }, 1 + 3 + 1 + 2 + 1 + 1],
  [{ x: { M: { ab: { S: 'c' } } } }, 1 + 3 + 1 + 2 + 1],
  [{ x: { M: {} } }, 1 + 3],
];

for (const [attributes, bytes] of SIZES) {
  ruleTest(
    'dynamodb',
    'size-arithmetic',
    async () => {
      const room = 400 * 1024 - 'pk'.length - 'a'.length - 'fill'.length - bytes;
      await put({ ...A, ...attributes, fill: { S: 'x'.repeat(room) } });
      const more = put({ ...A, ...attributes, fill: { S: 'x'.repeat(room + 1) } });
      await expect(more).rejects.toMatchObject(invalid('Item size has exceeded'));
    },
    `${JSON.stringify(attributes)} is ${bytes}`,
  );
}

ruleTest('dynamodb', 'attribute-name-size', async () => {
  await put({ ...A, ['x'.repeat(65_535)]: { S: '' } });
  await expect(put({ ...A, ['x'.repeat(65_536)]: { S: '' } })).rejects.toMatchObject(
    invalid('Attribute name is too large, must be less than 65536 bytes'),
  );
});
