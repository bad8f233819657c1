import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  canonicalDecimal,
  canonicalText,
  fromAttribute,
  fromItem,
  parseDigits,
  textAt,
  valueAt,
} from '#cli/reconcile/exact-text';

test.each([
  ['10.00', '1e1'],
  ['1E1', '1e1'],
  ['0010', '1e1'],
  ['0.00', '0'],
  ['-0', '0'],
  ['-12.50', '-125e-1'],
  ['9007199254740993.10', '90071992547409931e-1'],
  ['1e400', '1e400'],
])('%s is written %s', (text, canonical) => {
  expect(canonicalDecimal(text)).toBe(canonical);
});

test('two decimals have one text exactly when they are equal numbers', () => {
  const decimal = fc.record({
    digits: fc.integer({ min: -99_999, max: 99_999 }),
    power: fc.integer({ min: -4, max: 4 }),
    zeros: fc.nat(3),
  });
  fc.assert(
    fc.property(decimal, decimal, (one, other) => {
      const text = ({ digits, power, zeros }: typeof one) =>
        `${digits}${'0'.repeat(zeros)}e${power - zeros}`;
      const value = ({ digits, power }: typeof one) => BigInt(digits) * 10n ** BigInt(power + 4);
      expect(canonicalDecimal(text(one)) === canonicalDecimal(text(other))).toBe(
        value(one) === value(other),
      );
    }),
  );
});

test('a value is the same by the road of JSON and by the road of DynamoDB', () => {
  const json = parseDigits('{"b":[1.50,null,true,""],"a":{"n":9007199254740993.10},"s":"x"}');
  const item = fromItem({
    s: { S: 'x' },
    a: { M: { n: { N: '9007199254740993.1' } } },
    b: { L: [{ N: '1.5' }, { NULL: true }, { BOOL: true }, { S: '' }] },
  });
  expect(canonicalText(item)).toBe(canonicalText(json));
});

test('a text that looks like a number is not that number', () => {
  expect(canonicalText('1')).not.toBe(canonicalText({ digits: '1' }));
});

test('canonical text of any JSON survives a change of member order', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const turned = Object.fromEntries(Object.entries(value).toReversed());
      expect(canonicalText(parseDigits(JSON.stringify(turned)))).toBe(
        canonicalText(parseDigits(JSON.stringify(value))),
      );
    }),
  );
});

test('a set is not the list of its members, and comes in no order', () => {
  expect(canonicalText(fromAttribute({ SS: ['a'] }))).not.toBe(canonicalText(['a']));
  const texts = [
    ['b', 'a'],
    ['a', 'b'],
  ].map((SS) => canonicalText(fromAttribute({ SS })));
  expect(texts[0]).toBe(texts[1]);
});

test('a dot path finds nested members, and nothing where a step is missing', () => {
  const value = parseDigits('{"properties":{"updated":1517966996303,"mag":null},"id":"ci1"}');
  expect(textAt(value, 'properties.updated')).toBe('1517966996303');
  expect(textAt(value, 'id')).toBe('ci1');
  expect(valueAt(value, 'properties.mag')).toBeNull();
  expect(valueAt(value, 'properties.none.deeper')).toBeUndefined();
  expect(textAt(value, 'properties.mag')).toBeUndefined();
});

test('a dot path leads through names that hold dots, the shortest first', () => {
  const value = parseDigits('{"a":{"b":{}},"a.b":{"c.d":7},"a.b.c.d":8}');
  expect(textAt(value, 'a.b.c.d')).toBe('7');
});
