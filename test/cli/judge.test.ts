/** The judge against evidence made wrong by hand: what it must never let pass. */
import { expect, test } from 'vitest';
import { SOURCES } from '#cli/demo/sources';
import { canonicalText, parseDigits } from '#cli/reconcile/exact-text';
import type { ExactValue } from '#cli/reconcile/exact-text';
import { judge, keyOf } from '#cli/reconcile/judge';
import type { Evidence, StreamSighting } from '#cli/reconcile/judge';

const PLACES = { key: 'order_id', change: 'revision', deleted: 'deleted_at' };

const row = (key: string, revision: number, more = ''): ExactValue =>
  parseDigits(`{"order_id":"${key}","revision":${revision},"deleted_at":null${more}}`);
const gone = (key: string, revision: number): ExactValue =>
  parseDigits(`{"order_id":"${key}","revision":${revision},"deleted_at":"2026-03-01T08:00:00Z"}`);
const item = (value: ExactValue, more: [string, ExactValue][] = []) =>
  new Map([...(value as ReadonlyMap<string, ExactValue>), ['_version', 'v'], ...more] as [
    string,
    ExactValue,
  ][]);
const tombstone = (key: string, revision: number) =>
  new Map<string, ExactValue>([
    ['order_id', key],
    ['_deleted', true],
    ['_event_id', `${key}@${revision}`],
  ]);
const seen = (data: ExactValue, id?: string): StreamSighting => {
  const fields = data as ReadonlyMap<string, ExactValue>;
  const { digits: change } = fields.get('revision') as { digits: string };
  const key = String(fields.get('order_id'));
  return { id: id ?? `${key}@${change}`, key, change };
};

const sound = (change: Partial<Evidence> = {}): Evidence => ({
  rows: [row('a', 3), row('b', 1), gone('c', 2)],
  malformed: 1,
  items: [item(row('a', 3)), item(row('b', 1)), tombstone('c', 2)],
  sightings: [seen(row('a', 1)), seen(row('b', 1)), seen(gone('c', 2)), seen(row('a', 3))],
  quarantined: ['no-key'],
  askedTooEarly: 0,
  ...change,
});

test('evidence in which source, stream and table agree has no complaint', () => {
  expect(judge(sound(), PLACES)).toEqual({
    sourceRows: 2,
    sourceDeleted: 1,
    tableRows: 2,
    tombstones: 1,
    same: 3,
    lost: [],
    different: [],
    unknown: [],
    streamRecords: 4,
    unreadable: 0,
    deliveredTwice: 0,
    reordered: [],
    quarantined: { 'no-key': 1 },
    askedTooEarly: 0,
    complaints: [],
  });
});

test('a row that is in no table is lost', () => {
  const items = [item(row('a', 3)), tombstone('c', 2)];
  const verdict = judge(sound({ items }), PLACES);
  expect(verdict.lost).toEqual(['b']);
  expect(verdict.complaints).toEqual(['1 row (b) lost']);
});

test('a row whose newest state never reached the stream is lost, though an older one stands', () => {
  const verdict = judge(
    sound({
      items: [item(row('a', 1)), item(row('b', 1)), tombstone('c', 2)],
      sightings: [seen(row('a', 1)), seen(row('b', 1)), seen(gone('c', 2))],
    }),
    PLACES,
  );
  expect(verdict.lost).toEqual(['a']);
});

test('a row that stands in the table in an older state than the stream carried is different', () => {
  const items = [item(row('a', 1)), item(row('b', 1)), tombstone('c', 2)];
  const verdict = judge(sound({ items }), PLACES);
  expect(verdict.different).toEqual(['a']);
  expect(verdict.complaints).toEqual(["1 row (a) not in the source's newest state"]);
});

test('a deleted row that stands without a tombstone was resurrected', () => {
  const items = [item(row('a', 3)), item(row('b', 1)), item(gone('c', 2))];
  expect(judge(sound({ items }), PLACES).different).toEqual(['c']);
});

test('a living row under a tombstone is different', () => {
  const items = [item(row('a', 3), [['_deleted', true]]), item(row('b', 1)), tombstone('c', 2)];
  expect(judge(sound({ items }), PLACES).different).toEqual(['a']);
});

test('a tombstone of an older delete is different', () => {
  const items = [item(row('a', 3)), item(row('b', 1)), tombstone('c', 1)];
  expect(judge(sound({ items }), PLACES).different).toEqual(['c']);
});

test('a digit lost behind the reach of a double is different', () => {
  const exact = row('a', 3, ',"amount":9007199254740993.10');
  const rounded = row('a', 3, ',"amount":9007199254740992');
  const tail = sound().items.slice(1);
  expect(
    judge(
      sound({ rows: [exact, row('b', 1), gone('c', 2)], items: [item(exact), ...tail] }),
      PLACES,
    ).complaints,
  ).toEqual([]);
  expect(
    judge(
      sound({ rows: [exact, row('b', 1), gone('c', 2)], items: [item(rounded), ...tail] }),
      PLACES,
    ).different,
  ).toEqual(['a']);
});

test('an item the source does not know is a complaint', () => {
  const items = [...sound().items, item(row('z', 1))];
  expect(judge(sound({ items }), PLACES).complaints).toEqual([
    '1 row (z) in the table but not in the source',
  ]);
});

test('the same event read twice is delivered twice, and no complaint', () => {
  const sightings = [...sound().sightings, seen(row('a', 1)), seen(row('a', 1))];
  const verdict = judge(sound({ sightings }), PLACES);
  expect(verdict.deliveredTwice).toBe(2);
  expect(verdict.reordered).toEqual([]);
  expect(verdict.complaints).toEqual([]);
});

test('a change that first appears behind a later one of its key is reordered', () => {
  const sightings = [seen(row('a', 3)), seen(row('b', 1)), seen(row('a', 2)), seen(gone('c', 2))];
  const verdict = judge(sound({ sightings }), PLACES);
  expect(verdict.reordered).toEqual(['a']);
  expect(verdict.lost).toEqual([]);
  expect(verdict.complaints).toEqual(['1 row (a) out of order in the stream']);
});

test('two events of one change of one row are out of order: one change makes one event', () => {
  const sightings = [...sound().sightings, seen(row('a', 3), 'a@3#other')];
  expect(judge(sound({ sightings }), PLACES).reordered).toEqual(['a']);
});

test('a record that is no event is counted and complained of', () => {
  const sightings = [...sound().sightings, undefined];
  expect(judge(sound({ sightings }), PLACES).complaints).toEqual([
    '1 records of the stream are no events',
  ]);
});

test.each([
  [[], 'the source answered 1 malformed records, quarantine holds 0'],
  [['no-key', 'map-failed'], 'the source answered 1 malformed records, quarantine holds 2'],
])('quarantine must hold what was malformed and nothing else: %j', (quarantined, complaint) => {
  expect(judge(sound({ quarantined }), PLACES).complaints).toEqual([complaint]);
});

test('a request before the wait was over is a complaint', () => {
  expect(judge(sound({ askedTooEarly: 2 }), PLACES).complaints).toEqual([
    'the source was asked too early 2 times',
  ]);
});

test('a source without rows proves nothing', () => {
  const empty = { rows: [], items: [], sightings: [], malformed: 0, quarantined: [] };
  expect(judge(sound(empty), PLACES).complaints).toEqual([
    'the source holds no rows: nothing was shown',
  ]);
});

test('a complaint names three keys and counts the rest', () => {
  const rows = ['p', 'q', 'r', 's'].map((key) => row(key, 1));
  const none = { items: [], sightings: [], malformed: 0, quarantined: [] };
  expect(judge(sound({ rows, ...none }), PLACES).complaints).toEqual(['4 rows (p, q, r, …) lost']);
});

test('payments are judged by payment, version and whether they are voided: false is not deleted', () => {
  const places = SOURCES.payments.places;
  const payment = (version: number, voided: boolean) =>
    parseDigits(`{"payment_id":"p","order_id":"o","version":${version},"voided":${voided}}`);
  const evidence = (rows: ExactValue[], items: Evidence['items']) =>
    sound({ rows, items, sightings: [{ id: 'p@2', key: 'p', change: '2' }] });
  const standing = [payment(2, false)];
  const voided = [payment(2, true)];
  const tomb = new Map<string, ExactValue>([
    ['payment_id', 'p'],
    ['_deleted', true],
    ['_event_id', 'p@2'],
  ]);
  expect(judge(evidence(standing, [item(payment(2, false))]), places).complaints).toEqual([]);
  expect(judge(evidence(voided, [tomb]), places).complaints).toEqual([]);
  expect(judge(evidence(standing, [tomb]), places).different).toEqual(['p']);
  expect(judge(evidence(voided, [item(payment(2, true))]), places).different).toEqual(['p']);
});

test('a key of two parts is one key only with both', () => {
  const two = { key: ['tenant', 'order_id'], change: 'revision' } as const;
  const rowOf = (tenant: string, order: string) =>
    parseDigits(`{"tenant":"${tenant}","order_id":"${order}","revision":1}`);
  const rows = [rowOf('a', '1'), rowOf('a', '2'), rowOf('b', '1')];
  const sightings = rows.map((data) => ({
    id: canonicalText(data),
    key: keyOf(data, two)!,
    change: '1',
  }));
  const evidence = {
    rows,
    items: rows.map((one) => item(one)),
    sightings,
    malformed: 0,
    quarantined: [],
  };
  expect(judge({ ...evidence, askedTooEarly: 0 }, two)).toMatchObject({ same: 3, complaints: [] });
  const swapped = evidence.items.slice(0, 2);
  expect(judge({ ...evidence, items: swapped, askedTooEarly: 0 }, two).lost).toEqual(['["b","1"]']);
});
