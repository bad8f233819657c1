import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toAttributes } from '#adapters/dynamodb/attribute-value';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { parseExact } from '#core/record/exact-json';
import type { JsonObject } from '#core/record/json';

const attributesOf = (text: string) => {
  const outcome = toAttributes(parseExact(text) as JsonObject);
  return outcome.kind === 'attributes' ? outcome.attributes : outcome;
};

test('every kind of JSON value has its attribute', () => {
  expect(attributesOf('{"a":null,"b":true,"c":7,"d":"x","e":[1,"y",[]],"f":{"g":{}}}')).toEqual({
    a: { NULL: true },
    b: { BOOL: true },
    c: { N: '7' },
    d: { S: 'x' },
    e: { L: [{ N: '1' }, { S: 'y' }, { L: [] }] },
    f: { M: { g: { M: {} } } },
  });
});

test('SINK-03: undefined members are left out, however deep', () => {
  const order = { order_id: '1', note: undefined, lines: [{ sku: 'a', qty: undefined }] };
  expect(toAttributes(order as unknown as JsonObject)).toEqual({
    kind: 'attributes',
    attributes: { order_id: { S: '1' }, lines: { L: [{ M: { sku: { S: 'a' } } }] } },
  });
});

test('SINK-14: empty text is kept', () => {
  expect(attributesOf('{"note":""}')).toEqual({ note: { S: '' } });
});

test('a place in an array is kept, whatever a pipeline left in it', () => {
  const sparse = { a: [undefined, 2] } as unknown as JsonObject;
  expect(toAttributes(sparse)).toMatchObject({
    attributes: { a: { L: [{ NULL: true }, { N: '2' }] } },
  });
});

const nines = '9'.repeat(38);

test.each([
  '10.00',
  '9007199254740993',
  nines,
  `-0.${nines.slice(2)}`,
  '1E+125',
  '9.9999999999999999999999999999999999999E125',
  '1e-130',
])('%s is stored as it came', (number) => {
  expect(attributesOf(`{"n":${number}}`)).toEqual({ n: { N: number } });
});

test('zeros count for nothing: long numbers of few digits are written short', () => {
  expect(attributesOf(`{"n":-25${'0'.repeat(60)}}`)).toEqual({ n: { N: '-25E60' } });
  expect(attributesOf(`{"n":0.${'0'.repeat(60)}25}`)).toEqual({ n: { N: '25E-62' } });
  expect(attributesOf(`{"n":-0.${'0'.repeat(60)}}`)).toEqual({ n: { N: '0' } });
});

test.each([
  [`${nines}9`, 'has 39 digits; an item keeps 38'],
  [`0.${nines}5`, 'has 39 digits; an item keeps 38'],
  ['1e126', 'is of magnitude 10^126'],
  ['9.9e-131', 'is of magnitude 10^-131'],
  ['5e-324', 'is of magnitude 10^-324'],
])('%s is refused, with the path of its field', (number, what) => {
  expect(attributesOf(`{"lines":[{"qty":1},{"qty":${number}}]}`)).toEqual({
    kind: 'refused',
    reason: 'number-out-of-range',
    detail: `\`lines.1.qty\` ${what}`,
  });
});

test('32 levels are stored, 33 are refused', () => {
  const nest = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  expect(attributesOf(nest(32))).toHaveProperty('a');
  expect(attributesOf(nest(33))).toMatchObject({ reason: 'nested-too-deep' });
});

test('what is no JSON is an error of ours', () => {
  expect(() => toAttributes({ when: (() => 1) as never })).toThrow(TypeError);
});

const json = fc.jsonValue({ depthSize: 'small' });
const UNREADABLE = JSON.parse('{"note":[{"__proto__":1}]}') as Record<string, fc.JsonValue>;

test('a stored record reads back as it was', () =>
  fc.assert(
    fc.property(fc.dictionary(fc.string(), json), (record) => {
      const outcome = toAttributes(record as JsonObject);
      // No SDK reads back such a name, unless it stands on top.
      const isUnreadable = Object.values(record).some(holdsProto);
      if (outcome.kind !== 'refused') {
        expect(isUnreadable).toBe(false);
        expect(back({ M: outcome.attributes })).toEqual(JSON.parse(JSON.stringify(record)));
      } else if (!isUnreadable) {
        expect(outcome.reason).toBe('number-out-of-range');
      } else {
        expect(['number-out-of-range', 'field-name-not-allowed']).toContain(outcome.reason);
      }
    }),
    { examples: [[UNREADABLE]] },
  ));

function holdsProto(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(holdsProto);
}

/** The other way round, written apart from what it judges. */
function back(value: AttributeValue): unknown {
  if (value.NULL) return null;
  if (value.N !== undefined) return Number(value.N);
  if (value.L) return value.L.map(back);
  if (value.M) return Object.fromEntries(Object.entries(value.M).map(([k, v]) => [k, back(v)]));
  return value.S ?? value.BOOL;
}
