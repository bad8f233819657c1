import { expect, test } from 'vitest';
import { quarantineId, readQuarantineKey } from '#adapters/objects/quarantine-key';
import { quarantineKey } from '#adapters/objects/quarantine-object';
import type { SetAside } from '#ports/quarantine';

const refused: SetAside = {
  pipeline: 'orders',
  stage: 'audit',
  reason: 'given-up',
  detail: '',
  place: `shardId-000000000012-${'4951'.repeat(14)}`,
  payload: new Uint8Array(),
  atMs: Date.UTC(2031, 5, 12),
};

test('a key tells what was written into it', () => {
  expect(readQuarantineKey(quarantineKey(refused))).toEqual({
    kind: 'record',
    stage: 'audit',
    reason: 'given-up',
    day: '2031-06-12',
    position: { shardId: 'shardId-000000000012', sequenceNumber: '4951'.repeat(14) },
  });
});

test('of what poll refused there is no position', () => {
  const key = quarantineKey({ ...refused, stage: 'poll', place: 'a place/of its own' });
  expect(readQuarantineKey(key)).toEqual({
    kind: 'record',
    stage: 'poll',
    reason: 'given-up',
    day: '2031-06-12',
  });
});

test.each([
  ['aws/lambda/0a1b/shardId-000000000003/2031/06/12/2031-06-12T00.00.09-0a', 'document'],
  ['aws/lambda/async/penstock-dev-orders-poll/2031/06/12/2031-06-12T00.00.09-0a', 'unknown'],
  ['redriven/audit/not-json/2031/06/12/shardId-1-2.json', 'redriven'],
  ['originals/audit/not-json/2031/06/12/shardId-1-2.json', 'original'],
  ['notes.txt', 'unknown'],
  ['audit/not-json/2031/6/12/shardId-1-2.json', 'unknown'],
])('%s is of the kind %s', (key, kind) => {
  expect(readQuarantineKey(key).kind).toBe(kind);
});

test('a short name stays when its record moves, and differs from others', () => {
  const key = quarantineKey(refused);
  expect(quarantineId(key)).toMatch(/^[0-9a-f]{10}$/);
  expect(quarantineId(`redriven/${key}`)).toBe(quarantineId(key));
  expect(quarantineId(quarantineKey({ ...refused, reason: 'not-json' }))).not.toBe(
    quarantineId(key),
  );
});
