import { expect, test } from 'vitest';
import { deleteOf } from '#core/record/delete-of';
import type { PartitionKey } from '#core/record/records';
import type { RecordRules } from '#core/record/to-event';
import { eventText } from '#test/core/record/event-text';

const rules: RecordRules = {
  pipeline: 'orders',
  key: [['order_id']],
  version: { path: ['rev'], format: 'integer' },
  eventTime: { path: ['at'], format: 'epoch-s' },
  partitionBy: [['customer']],
  deleted: undefined,
  map: () => null,
};
const seen = { epoch: 3, counter: 41, digest: (text: string) => `d${text.length}` };
const gone = { parts: ['7'], partitionKey: 'c1' as PartitionKey, atMs: 1_900_000_000_000 };

test('a key alone makes a delete: without a version, at the time it was found gone', () => {
  const outcome = deleteOf(gone, rules, seen);
  if (outcome.kind !== 'event') throw new Error(outcome.kind);
  expect(outcome.partitionKey).toBe('c1');
  expect(JSON.parse(eventText(outcome))).toMatchObject({
    type: 'orders.delete',
    id: expect.stringMatching(/^7@#d\d+$/),
    subject: '7',
    time: '2030-03-17T17:46:40Z',
    version: '',
    observed: '0000000003-0000000041',
    data: { order_id: '7' },
  });
});

test.each<[RecordRules['key'], object]>([
  [[['org'], ['id']], { org: 'acme', id: '7' }],
  [
    [
      ['key', 'org'],
      ['key', 'id'],
    ],
    { key: { org: 'acme', id: '7' } },
  ],
  [
    [
      ['a', 'org'],
      ['b', 'id'],
    ],
    { a: { org: 'acme' }, b: { id: '7' } },
  ],
])('its key stands where a record holds it: %j', (key, data) => {
  const outcome = deleteOf({ ...gone, parts: ['acme', '7'] }, { ...rules, key }, seen);
  if (outcome.kind !== 'event') throw new Error(outcome.kind);
  expect(outcome.key).toBe('acme/7');
  expect(JSON.parse(eventText(outcome))).toMatchObject({ data });
});
