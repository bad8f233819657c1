import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { lanePlaces } from '#local/lambda/mapping/lane-places';

const START = { kind: 'trim-horizon' } as const;
const after = (sequenceNumber: string) => ({ kind: 'after', sequenceNumber }) as const;

function placesOf(storage = new DatabaseSync(':memory:'), mapping = 'mapping-1') {
  return lanePlaces(storage, mapping);
}

test('a shard seen first begins at the start in every lane', () => {
  const places = placesOf();
  expect(places.hasStarted()).toBe(false);
  places.open('s0', 3, START);
  expect(places.list('s0')).toEqual([START, START, START]);
  expect(places.hasStarted()).toBe(true);
});

test('a saved place outlives its reader and is no other mapping’s', () => {
  const storage = new DatabaseSync(':memory:');
  placesOf(storage).open('s0', 2, START);
  placesOf(storage).save('s0', 1, after('77'));
  const again = placesOf(storage);
  again.open('s0', 2, START);
  expect(again.list('s0')).toEqual([START, after('77')]);
  expect(placesOf(storage, 'mapping-2').list('s0')).toEqual([]);
});

test.each([
  ['the lower number, not the lower text', [after('100'), after('99')], after('99')],
  ['a start before any number', [after('5'), START], START],
  ['a number before the end', [{ kind: 'ended' } as const, after('5')], after('5')],
  [
    'the end when all have ended',
    [{ kind: 'ended' } as const, { kind: 'ended' } as const],
    { kind: 'ended' },
  ],
])('another number of lanes begins at %s', (_, saved, begin) => {
  const places = placesOf();
  places.open('s0', 2, START);
  saved.forEach((place, lane) => places.save('s0', lane, place));
  places.open('s0', 3, START);
  expect(places.list('s0')).toHaveLength(3);
  for (const place of places.list('s0')) expect(place).toMatchObject(begin);
});

test('lanes that were at one and the same place skip nothing', () => {
  const places = placesOf();
  places.open('s0', 2, START);
  places.open('s0', 3, START);
  expect(places.list('s0')).toEqual([START, START, START]);
});

test('an open window stays with one lane', () => {
  const window = { startMs: 0, endMs: 60_000, state: '{"n":3}' };
  const places = placesOf();
  places.open('s0', 1, START);
  places.save('s0', 0, { ...after('5'), window });
  places.open('s0', 2, START);
  expect(places.list('s0')).toMatchObject([{ window }, {}]);
  expect(places.list('s0')[1]).not.toHaveProperty('window');
});

test('places of another creation of the stream are forgotten', () => {
  const places = placesOf();
  expect(places.begin('first')).toBe(false);
  places.open('s0', 1, START);
  places.save('s0', 0, after('77'));
  expect(places.begin('first')).toBe(false);
  expect(places.list('s0')).toEqual([after('77')]);
  expect(places.begin('second')).toBe(true);
  expect(places.hasStarted()).toBe(false);
});

test('forgotten places are gone', () => {
  const places = placesOf();
  places.begin('first');
  places.open('s0', 1, START);
  places.forget();
  expect(places.hasStarted()).toBe(false);
  expect(places.begin('first')).toBe(false);
});

test('a shard has ended when every lane has', () => {
  const places = placesOf();
  expect(places.isEnded('s0')).toBe(false);
  places.open('s0', 2, START);
  places.save('s0', 0, { kind: 'ended' });
  expect(places.isEnded('s0')).toBe(false);
  places.save('s0', 1, { kind: 'ended' });
  expect(places.isEnded('s0')).toBe(true);
});
