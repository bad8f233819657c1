import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeEvent, isDelete } from '#core/record/decode-event';
import type { StreamEvent } from '#core/record/stream-event';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const decode = (data: string | Uint8Array) =>
  decodeEvent(typeof data === 'string' ? Buffer.from(data) : data, (bytes) =>
    decoder.decode(bytes),
  );

const event: StreamEvent = {
  specversion: '1.0',
  id: '7@33Z#0011223344556677',
  source: 'penstock/orders',
  type: 'orders.upsert',
  subject: '7',
  time: '2031-06-12T16:00:33.000Z',
  datacontenttype: 'application/json',
  version: '2031-06-12T16:00:33.000000000Z',
  observed: '0000000001-0000000002',
  data: { order_id: 7, note: '' },
};

test('an event survives the stream', () => {
  expect(decode(JSON.stringify(event))).toEqual({ kind: 'event', event });
});

test('numbers keep every digit', () => {
  const text = JSON.stringify(event).replace('"order_id":7', '"order_id":7.10');
  const decoded = decode(text);
  expect(decoded.kind === 'event' && JSON.stringify(decoded.event)).toBe(text);
});

test('attributes that later writers may add are let through', () => {
  const decoded = decode(JSON.stringify({ ...event, dataschema: 'https://example.test/1' }));
  expect(decoded.kind).toBe('event');
});

test.each([
  ['', 'not-json', '0 bytes that are not JSON in UTF-8'],
  ['%%%not json', 'not-json', '11 bytes that are not JSON in UTF-8'],
  ['{"a":1} {}', 'not-json', '10 bytes that are not JSON in UTF-8'],
  ['\uFEFF{}', 'not-json', '5 bytes that are not JSON in UTF-8'],
  ['null', 'not-an-object', 'the record is null, not an object'],
  ['[]', 'not-an-object', 'the record is an array, not an object'],
  ['10.00', 'not-an-object', 'the record is a number, not an object'],
  ['{}', 'not-an-event', '`specversion` holds nothing'],
])('%j is refused as %s', (text, reason, detail) => {
  expect(decode(text)).toEqual({ kind: 'refused', reason, detail });
});

test('JSON that nests deeper than it can be read with its digits is refused as that', () => {
  const deep = `${'['.repeat(100_000)}1.10${']'.repeat(100_000)}`;
  expect(decode(`{"data":${deep}}`)).toEqual({
    kind: 'refused',
    reason: 'nested-too-deep',
    detail: 'the record nests too deep to be read',
  });
});

test('bytes that are no UTF-8 are not JSON', () => {
  expect(decode(Uint8Array.of(0x22, 0xc3, 0x28, 0x22))).toMatchObject({ reason: 'not-json' });
});

test.each([
  ['specversion', '0.3'],
  ['id', 5],
  ['source', null],
  ['type', 'orders.created'],
  ['type', ['orders.upsert']],
  ['time', ''],
  ['version', 10],
  ['version', ''],
  ['observed', {}],
  ['data', null],
  ['data', []],
])('an event whose `%s` is %j is none, and the detail names it', (name, wrong) => {
  expect(decode(JSON.stringify({ ...event, [name]: wrong }))).toMatchObject({
    reason: 'not-an-event',
    detail: expect.stringContaining(`\`${name}\``),
  });
});

test('SINK-14: an empty key is refused as a bad record', () => {
  expect(decode(JSON.stringify({ ...event, subject: '' }))).toMatchObject({ reason: 'no-key' });
});

test('no bytes at all make it throw', () =>
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map((text) => Buffer.from(text)),
      ),
      (bytes) => {
        expect(['event', 'refused']).toContain(decode(bytes).kind);
      },
    ),
  ));

test('a refusal never quotes the record', () => {
  const secret = 'hunter2';
  expect(JSON.stringify(decode(`{"token":"${secret}`))).not.toContain(secret);
  expect(JSON.stringify(decode(JSON.stringify({ ...event, data: secret })))).not.toContain(secret);
});

test('a delete may have no version of its own; nothing else may', () => {
  const gone = { ...event, type: 'orders.delete', version: '' };
  expect(decode(JSON.stringify(gone))).toEqual({ kind: 'event', event: gone });
  expect(decode(JSON.stringify({ ...event, version: '' }))).toMatchObject({
    reason: 'not-an-event',
    detail: '`version` holds an empty text',
  });
});

test('only a delete is a delete', () => {
  expect(isDelete({ ...event, type: 'orders.delete' })).toBe(true);
  expect(isDelete({ ...event, type: 'orders.delete.upsert' })).toBe(false);
});
