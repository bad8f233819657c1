import { expect, test } from 'vitest';
import { ITEM_BYTES_MAX, itemBytes } from '#adapters/dynamodb/item-size';
import { tableItem } from '#adapters/dynamodb/table-item';
import type { JsonObject } from '#core/record/json';
import { eventOf } from '#test/pipeline/consume-world';

const rules = {
  keyNames: ['order_id'],
  attributes: {},
  mode: 'replace' as const,
  tombstoneDays: 7,
};
const NOW_MS = 1_900_000_000_000;
const itemOf = (data: JsonObject, key = '1') =>
  tableItem(eventOf({ key, version: 4, observed: 9, data }), rules, NOW_MS);

/** Everything that is written, as if the key were new. */
const attributesOf = (outcome: ReturnType<typeof tableItem>) =>
  outcome.kind === 'item'
    ? { ...outcome.key, ...outcome.members, ...outcome.ours, _first_seen: outcome.now }
    : {};

test('members stand on top, ours beside them, and the key is text', () => {
  expect(attributesOf(itemOf({ order_id: 1, total: 7, note: '' }))).toEqual({
    order_id: { S: '1' },
    total: { N: '7' },
    note: { S: '' },
    _version: { S: '00000000000000000000000000000000000004' },
    _observed: { S: '0000000001-0000000009' },
    _event_id: { S: '1@4#9' },
    _shape: { S: expect.stringMatching(/^[0-9a-f]{16}$/) },
    _first_seen: { S: '2030-03-17T17:46:40.000Z' },
    _updated: { S: '2030-03-17T17:46:40.000Z' },
  });
});

test('SINK-20: a tombstone expires in whole epoch seconds, and keeps its version', () => {
  const gone = eventOf({ key: '1', version: 4, observed: 9, deleted: true, data: { total: 7 } });
  expect(attributesOf(tableItem(gone, rules, NOW_MS + 999))).toEqual({
    order_id: { S: '1' },
    _version: { S: '00000000000000000000000000000000000004' },
    _observed: { S: '0000000001-0000000009' },
    _event_id: { S: '1@4#9' },
    _shape: { S: expect.any(String) },
    _first_seen: { S: '2030-03-17T17:46:40.999Z' },
    _updated: { S: '2030-03-17T17:46:40.999Z' },
    _deleted: { BOOL: true },
    _expires: { N: '1900604800' },
  });
});

test('a key of two parts becomes two attributes, on a tombstone too', () => {
  const two = { ...rules, keyNames: ['tenant_id', 'order_id'] };
  const key = { tenant_id: { S: 'acme' }, order_id: { S: '7/a' } };
  const data = { tenant_id: 'acme', order_id: '7/a', total: 7 };
  const event = eventOf({ key: 'acme/7%2Fa', version: 4, data });
  expect(tableItem(event, two, NOW_MS)).toMatchObject({ key, members: { total: { N: '7' } } });
  const gone = eventOf({ key: 'acme/7%2Fa', version: 5, deleted: true, data });
  expect(tableItem(gone, two, NOW_MS)).toMatchObject({ key, members: {} });
});

test('of a key of two parts, a sort key of 1,025 bytes is refused, and a subject that holds one part', () => {
  const two = { ...rules, keyNames: ['tenant_id', 'order_id'] };
  const refusedAs = (key: string) => tableItem(eventOf({ key, version: 4, data: {} }), two, NOW_MS);
  expect(refusedAs(`acme/${'x'.repeat(1_024)}`).kind).toBe('item');
  expect(refusedAs(`acme/${'x'.repeat(1_025)}`)).toMatchObject({
    reason: 'key-too-long',
    detail: '`order_id` is longer than 1024 bytes',
  });
  expect(refusedAs('acme')).toMatchObject({ reason: 'no-key' });
});

test.each(['_version', '_expires', '_first_seen', '_shape', ''])(
  'a member named %j is refused',
  (name) => {
    expect(itemOf({ order_id: '1', [name]: 'x' })).toMatchObject({
      reason: 'field-name-not-allowed',
      detail: expect.stringContaining(`\`${name}\``),
    });
  },
);

test("a member with the key's name that is not the key is refused", () => {
  expect(itemOf({ order_id: 'other' })).toMatchObject({ reason: 'field-name-not-allowed' });
});

test('a key of 2,049 bytes is refused, one of 2,048 is not', () => {
  expect(itemOf({}, 'é'.repeat(1_024)).kind).toBe('item');
  expect(itemOf({}, `${'é'.repeat(1_024)}x`)).toMatchObject({ reason: 'key-too-long' });
});

test('an item of exactly 400 KB is stored, one byte more is refused', () => {
  const empty = itemOf({ order_id: '1', note: '' });
  const room = ITEM_BYTES_MAX - itemBytes(attributesOf(empty));
  expect(itemOf({ order_id: '1', note: 'x'.repeat(room) }).kind).toBe('item');
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
