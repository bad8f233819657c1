import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExact } from '#core/record/exact-json';
import type { JsonObject, JsonValue } from '#core/record/json';
import type { StreamEvent } from '#core/record/stream-event';
import { toEvent } from '#core/record/to-event';
import type { EventOutcome, RecordRules } from '#core/record/to-event';
import { eventText } from '#test/core/record/event-text';

const rules: RecordRules = {
  pipeline: 'orders',
  key: [['order_id']],
  version: { path: ['rev'], format: 'integer' },
  eventTime: { path: ['at'], format: 'epoch-s' },
  partitionBy: [['order_id']],
  deleted: ['deleted_at'],
  map: undefined,
};
const seen = {
  epoch: 3,
  counter: 41,
  sourceMs: 1_900_000_007_000,
  digest: (text: string) => `d${text.length}`,
};
const order = { order_id: '7', rev: 12, at: 1_900_000_000 };
const eventOf = (outcome: EventOutcome): unknown =>
  outcome.kind === 'event' ? JSON.parse(eventText(outcome)) : outcome;
const convert = (record: JsonValue, more: Partial<RecordRules> = {}) =>
  toEvent(record, { ...rules, ...more }, seen);

describe('an event', () => {
  test('names its record, version and content', () => {
    const outcome = convert(order);
    expect(outcome).toMatchObject({ kind: 'event', partitionKey: '7', key: '7' });
    expect(eventOf(outcome)).toEqual({
      specversion: '1.0',
      id: '7@12#d41',
      source: 'penstock/orders',
      type: 'orders.upsert',
      subject: '7',
      time: '2030-03-17T17:46:40Z',
      datacontenttype: 'application/json',
      version: '12'.padStart(38, '0'),
      observed: '0000000003-0000000041',
      data: order,
    });
  });

  /** What JSON escapes is seldom among all characters. */
  const unit = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    fc.constantFrom('"', '\\', '\n', '\u007f', ' ', '~'),
  );

  test('is written as JSON.stringify writes it, whatever its record holds', () =>
    fc.assert(
      fc.property(
        fc.string({ unit, minLength: 1 }).filter((id) => id.isWellFormed()),
        fc.jsonValue(),
        (id, note) => {
          const data = JSON.parse(JSON.stringify({ ...order, order_id: id, note })) as JsonObject;
          const outcome = convert(data, { partitionBy: [['rev']] });
          const event = eventOf(outcome) as StreamEvent;
          expect(eventText(outcome)).toBe(JSON.stringify(event));
          expect(event.data).toEqual(data);
          expect(event.subject).toBe(id);
          expect(event.id.slice(id.length)).toMatch(/^@12#d\d+$/);
        },
      ),
    ));

  test('holds its record as it was written, unless a map made another', () => {
    const bytes = new TextEncoder().encode('{"rev":12,"order_id":"7","at":1900000000.0}');
    const as = (more: Partial<RecordRules>) =>
      toEvent(order, { ...rules, ...more }, { ...seen, bytes });
    expect(as({})).toMatchObject({ data: bytes });
    expect(as({ map: (record) => record })).toMatchObject({ data: JSON.stringify(order) });
  });

  test('keeps the digits of its numbers, and of a key that is one', () => {
    const outcome = convert(
      parseExact('{"order_id":12345678901234567890,"rev":1,"at":1.50,"total":10.00}'),
    );
    expect(outcome).toMatchObject({ key: '12345678901234567890' });
    expect(eventText(outcome)).toContain('"total":10.00');
  });

  test.each([
    [null, 'upsert'],
    [false, 'upsert'],
    [undefined, 'upsert'],
    ['2031-01-01', 'delete'],
    [true, 'delete'],
    [0, 'delete'],
  ])('whose record is marked deleted by %j is an %s', (mark, verb) => {
    const record = (mark === undefined ? order : { ...order, deleted_at: mark }) as JsonObject;
    expect(eventOf(convert(record))).toMatchObject({ type: `orders.${verb}` });
  });
});

describe('a delete', () => {
  const gone = { order_id: '7', deleted_at: true };

  test('of an id alone has no version, and the time at the source', () =>
    expect(eventOf(convert(gone))).toMatchObject({
      type: 'orders.delete',
      id: expect.stringMatching(/^7@#d\d+$/),
      version: '',
      time: '2030-03-17T17:46:47Z',
      data: gone,
    }));

  test('keeps what it says of its version and its time', () => {
    expect(eventOf(convert({ ...gone, at: 1_900_000_001 }))).toMatchObject({
      version: '',
      time: '2030-03-17T17:46:41Z',
    });
    expect(eventOf(convert({ ...gone, rev: 3 }))).toMatchObject({ id: '7@3#d49' });
  });

  test('without a version that is seen twice has two ids, and one content', () => {
    const digest = (text: string) => text.replaceAll('"', '');
    const [one, two] = [1, 2].map((counter) => toEvent(gone, rules, { ...seen, digest, counter }));
    if (one?.kind !== 'event' || two?.kind !== 'event') throw new Error('both are events');
    expect(one.digest).toBe(two.digest);
    expect(JSON.parse(eventText(one)).id).not.toBe(JSON.parse(eventText(two)).id);
  });

  test.each<[string, JsonObject]>([
    ['no-version', { ...gone, rev: 'x' }],
    ['no-version', { ...gone, rev: {} }],
    ['no-event-time', { ...gone, rev: 1, at: 'soon' }],
    ['no-key', { deleted_at: true }],
  ])('that says something unreadable is refused as %s', (reason, record) =>
    expect(convert(record)).toMatchObject({ kind: 'refused', reason }),
  );

  test('without the value that decides its shard is refused', () =>
    expect(convert(gone, { partitionBy: [['customer']] })).toMatchObject({
      reason: 'no-partition-key',
    }));

  test.each([null, undefined, ''])('needs no version where %j stands in its place', (rev) =>
    expect(eventOf(convert({ ...gone, ...(rev === undefined ? {} : { rev }) }))).toMatchObject({
      version: '',
    }),
  );
});

describe('a record that can never be an event', () => {
  const { order_id: _, ...keyless } = order;
  test.each<[string, JsonValue, Partial<RecordRules>, string]>([
    ['not-an-object', [order], {}, 'the record is an array, not an object'],
    ['no-key', keyless, {}, '`order_id` holds nothing where a key was expected'],
    [
      'no-key',
      { ...order, order_id: '' },
      {},
      '`order_id` holds an empty text where a key was expected',
    ],
    ['no-key', { ...order, order_id: '\ud800' }, {}, 'the key is not well-formed Unicode'],
    [
      'key-too-long',
      { ...order, order_id: 'é'.repeat(1_025) },
      {},
      '`order_id` is longer than 2048 bytes',
    ],
    [
      'key-too-long',
      { ...order, order_id: 'k'.repeat(257) },
      {},
      '`order_id` is not 1 to 256 characters of well-formed Unicode',
    ],
    [
      'no-version',
      { ...order, rev: -1 },
      {},
      '`rev` holds a number where a version (integer) was expected',
    ],
    [
      'no-event-time',
      { ...order, at: null },
      {},
      '`at` holds null where an event time (epoch-s) was expected',
    ],
    [
      'no-partition-key',
      order,
      { partitionBy: [['customer', 'id']] },
      '`customer.id` holds nothing where a partition key was expected',
    ],
    [
      'map-failed',
      order,
      {
        map: () => {
          throw new RangeError('7 is secret');
        },
      },
      "the pipeline's map threw RangeError",
    ],
    [
      'map-failed',
      order,
      { map: () => [] as unknown as JsonObject },
      "the pipeline's map returned an array, not an object",
    ],
    [
      'map-failed',
      order,
      { map: (async () => Promise.reject(new Error('late'))) as unknown as () => JsonObject },
      "the pipeline's map returned a promise: it must answer at once",
    ],
    [
      'map-failed',
      order,
      { map: (r) => ({ ...r, big: 1n }) as unknown as JsonObject },
      "the pipeline's map made no JSON",
    ],
  ])('is refused as %s', (reason, record, more, detail) =>
    expect(convert(record, more)).toEqual({ kind: 'refused', reason, detail }),
  );

  test('PROD-13: the key is the field that was named, and a record without it is refused', () => {
    expect(convert(order)).toMatchObject({ partitionKey: '7' });
    expect(convert({ ...keyless, id: '8' })).toMatchObject({ kind: 'refused', reason: 'no-key' });
  });

  test('PROD-05: a record with an empty partition key is refused before it is sent', () => {
    const lane: Partial<RecordRules> = { partitionBy: [['lane']] };
    expect(convert({ ...order, lane: '' }, lane)).toMatchObject({ reason: 'no-partition-key' });
    expect(convert({ ...order, lane: 'a' }, lane)).toMatchObject({ partitionKey: 'a' });
  });
});

describe('a map', () => {
  test('shapes what is published; deletion is read in the record as it came', () => {
    const map = ({ order_id, rev, at }: JsonObject): JsonObject => ({
      order_id: order_id!,
      rev: rev!,
      at: at!,
    });
    const outcome = convert({ ...order, deleted_at: 'x', noise: 1 }, { map });
    expect(eventOf(outcome)).toMatchObject({ type: 'orders.delete' });
    expect((eventOf(outcome) as StreamEvent).data).toEqual(order);
  });

  test('that answers null leaves the record out', () =>
    expect(convert(order, { map: () => null })).toEqual({ kind: 'filtered' }));
});

test('a partition key of 256 characters beyond the basic plane is accepted', () => {
  expect(convert({ ...order, lane: '😀'.repeat(256) }, { partitionBy: [['lane']] }).kind).toBe(
    'event',
  );
  expect(convert({ ...order, lane: '😀'.repeat(257) }, { partitionBy: [['lane']] }).kind).toBe(
    'refused',
  );
});
