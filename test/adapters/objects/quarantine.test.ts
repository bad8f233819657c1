import { expect, test } from 'vitest';
import type { SignedCall } from '#adapters/aws/signed-fetch';
import { bucketQuarantine } from '#adapters/objects/quarantine';
import { quarantineKey, quarantineText } from '#adapters/objects/quarantine-object';
import type { Refused } from '#ports/quarantine';

const refused: Refused = {
  pipeline: 'orders',
  stage: 'audit',
  reason: 'item-too-large',
  detail: 'the item is 409601 bytes; a table takes 409600',
  place: 'shardId-000000000004-4951',
  payload: Buffer.from('{"n":10.00}'),
  atMs: Date.parse('2031-06-12T23:59:59.999Z'),
};

test('an object is filed under stage, reason and day', () => {
  expect(quarantineKey(refused)).toBe(
    'audit/item-too-large/2031/06/12/shardId-000000000004-4951.json',
  );
});

test.each(['../../x', 'a b', '', '..', 'é', 'x'.repeat(3_000)])(
  'the place %j stays within its folder, in plain characters',
  (place) => {
    const name = quarantineKey({ ...refused, place })
      .split('/')
      .slice(5)
      .join('/');
    expect(name).toMatch(/^[A-Za-z0-9._-]{1,230}\.json$/);
    expect(name).not.toMatch(/^\.\.?\.json$/);
  },
);

test('a person can read the object', () => {
  expect(JSON.parse(quarantineText(refused))).toEqual({
    v: 1,
    pipeline: 'orders',
    stage: 'audit',
    reason: 'item-too-large',
    detail: 'the item is 409601 bytes; a table takes 409600',
    place: 'shardId-000000000004-4951',
    at: '2031-06-12T23:59:59.999Z',
    payload: '{"n":10.00}',
  });
});

test('bytes that are no text are kept as base64', () => {
  const text = quarantineText({ ...refused, payload: Uint8Array.of(0xff, 0x00) });
  expect(JSON.parse(text)).toMatchObject({ payloadBase64: '/wA=' });
});

test('one signed put, by path', async () => {
  const calls: SignedCall[] = [];
  const send = async (call: SignedCall) => {
    calls.push(call);
    return new Response(null, { status: 200 });
  };
  await bucketQuarantine(send, 'box').put(refused);
  expect(calls).toMatchObject([{ method: 'PUT', path: `/box/${quarantineKey(refused)}` }]);
});

test.each([
  [503, '<Error><Code>SlowDown</Code></Error>', true, 'SlowDown'],
  [403, '<Error><Code>AccessDenied</Code></Error>', false, 'AccessDenied'],
  [404, '<Error><Code>NoSuchBucket</Code></Error>', false, 'NoSuchBucket'],
  [500, '', true, 'no code'],
])('an answer of %i is told with its code', async (status, body, retryable, code) => {
  const put = bucketQuarantine(async () => new Response(body, { status }), 'box').put(refused);
  await expect(put).rejects.toMatchObject({ retryable, message: expect.stringContaining(code) });
});

test('no answer is worth another try', async () => {
  const cause = new TypeError('fetch failed');
  const put = bucketQuarantine(() => Promise.reject(cause), 'box').put(refused);
  await expect(put).rejects.toMatchObject({ retryable: true, cause });
});
