import { expect, test } from 'vitest';
import { ITEM_BYTES_MAX, itemBytes } from '#adapters/dynamodb/item-size';
import { tableItem } from '#adapters/dynamodb/table-item';
import type { JsonObject } from '#core/record/json';
import { eventOf } from '#test/pipeline/consume-world';

const rules = { keyName: 'order_id', tombstoneDays: 7 };
const NOW_MS = 1_900_000_000_000;
const itemOf = (data: JsonObject, key = '1') =>
  tableItem(eventOf({ key, version: 4, observed: 9, data }), rules, NOW_MS);

test('members stand on top, ours beside them, and the key is text', () => {
  expect(itemOf({ order_id: 1, total: 7, note: '' })).toEqual({
    kind: 'attributes',
    attributes: {
      order_id: { S: '1' },
      total: { N: '7' },
      note: { S: '' },
      _version: { S: '00000000000000000000000000000000000004' },
      _observed: { S: '0000000001-0000000009' },
      _event_id: { S: '1@4#9' },
      _updated: { S: '2030-03-17T17:46:40.000Z' },
    },
  });
});

test('SINK-20: a tombstone expires in whole epoch seconds, and keeps its version', () => {
  const gone = eventOf({ key: '1', version: 4, observed: 9, deleted: true, data: { total: 7 } });
  expect(tableItem(gone, rules, NOW_MS + 999)).toEqual({
    kind: 'attributes',
    attributes: {
      order_id: { S: '1' },
      _version: { S: '00000000000000000000000000000000000004' },
      _observed: { S: '0000000001-0000000009' },
      _event_id: { S: '1@4#9' },
      _updated: { S: '2030-03-17T17:46:40.999Z' },
      _deleted: { BOOL: true },
      _expires: { N: '1900604800' },
    },
  });
});

test.each(['_version', '_expires', '_first_seen', ''])('a member named %j is refused', (name) => {
  expect(itemOf({ order_id: '1', [name]: 'x' })).toMatchObject({
    reason: 'field-name-not-allowed',
    detail: expect.stringContaining(`\`${name}\``),
  });
});

test("a member with the key's name that is not the key is refused", () => {
  expect(itemOf({ order_id: 'other' })).toMatchObject({ reason: 'field-name-not-allowed' });
});

test('a key of 2,049 bytes is refused, one of 2,048 is not', () => {
  expect(itemOf({}, 'é'.repeat(1_024)).kind).toBe('attributes');
  expect(itemOf({}, `${'é'.repeat(1_024)}x`)).toMatchObject({ reason: 'key-too-long' });
});

test('an item of exactly 400 KB is stored, one byte more is refused', () => {
  const empty = itemOf({ order_id: '1', note: '' });
  const room = ITEM_BYTES_MAX - (empty.kind === 'attributes' ? itemBytes(empty.attributes) : 0);
  expect(itemOf({ order_id: '1', note: 'x'.repeat(room) }).kind).toBe('attributes');
  expect(itemOf({ order_id: '1', note: 'x'.repeat(room + 1) })).toMatchObject({
    reason: 'item-too-large',
    detail: 'the item is 409601 bytes; a table takes 409600',
  });
});

test.each([
  [{ ab: { S: 'é' } }, 4],
  [{ n: { N: '10.00' } }, 3],
  [{ n: { N: '-12345' } }, 5],
  [{ n: { N: '0' } }, 2],
  [{ n: { BOOL: true }, m: { NULL: true as const } }, 4],
  [{ l: { L: [{ S: 'a' }, { S: 'bc' }] } }, 1 + 3 + 2 + 3],
  [{ m: { M: { k: { S: 'abc' } } } }, 1 + 3 + 1 + 1 + 3],
])('%j is %i bytes', (attributes, bytes) => {
  expect(itemBytes(attributes)).toBe(bytes);
});
