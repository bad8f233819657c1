import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExact } from '#core/record/exact-json';
import type { JsonValue } from '#core/record/json';
import { pageRecords } from '#core/source/page-records';
import type { RecordsPlace } from '#core/source/page-records';

const array = (...path: readonly string[]): RecordsPlace => ({ path, keyedBy: undefined });
const map = (...path: readonly string[]): RecordsPlace => ({ path, keyedBy: 'id' });

describe('records in an array', () => {
  test('are found at their path', () => {
    const found = pageRecords({ a: { b: [1, 2] } }, array('a', 'b'));
    expect(found).toEqual({ kind: 'records', records: [1, 2] });
    expect(pageRecords([7], array())).toEqual({ kind: 'records', records: [7] });
  });
});

test('more records than any memory takes are refused by their number', () => {
  const detail =
    'the answer holds 250001 records, more than 250000: ask for smaller pages (source.pageSize)';
  expect(pageRecords(Array(250_001).fill(0), array())).toEqual({ kind: 'unreadable', detail });
  expect(pageRecords(Array(250_000).fill(0), array())).toMatchObject({ kind: 'records' });
});

test('an answer without records may leave out an optional place, and no other shape is taken for that', () => {
  const place = { ...array('data', 'rows'), isOptional: true };
  const none = [null, {}, { data: null }, { data: {} }, { data: { rows: null } }];
  for (const body of none) {
    expect(pageRecords(body, place)).toEqual({ kind: 'records', records: [] });
    expect(pageRecords(body, array('data', 'rows'))).toMatchObject({ kind: 'unreadable' });
  }
  const others = [[], 'none', 7, { data: [] }, { data: 'none' }, { data: { rows: {} } }];
  for (const body of others) expect(pageRecords(body, place)).toMatchObject({ kind: 'unreadable' });
  expect(pageRecords({ data: { rows: [1] } }, place)).toEqual({ kind: 'records', records: [1] });
});

describe('records in an object', () => {
  test('take their names, unless they have one', () => {
    const body = { data: { a7: { n: 1 }, b8: { id: 'own', n: 2 }, c9: { id: null } } };
    expect(pageRecords(body, map('data'))).toEqual({
      kind: 'records',
      records: [{ id: 'a7', n: 1 }, { id: 'own', n: 2 }, { id: null }],
    });
  });

  test('are all there, each with its name and its digits', () =>
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.record({ n: fc.nat() })), (members) => {
        const found = pageRecords(members, map());
        expect(found).toEqual({
          kind: 'records',
          records: Object.entries(members).map(([id, { n }]) => ({ id, n })),
        });
      }),
    ));

  test('stay what they are where they are no objects, to be refused one by one', () => {
    const body = parseExact('{"a":1.0,"b":null,"c":[]}');
    const found = pageRecords(body, map());
    expect(JSON.stringify(found)).toBe('{"kind":"records","records":[1.0,null,[]]}');
  });

  test('with names of the language’s own are data', () => {
    const body = parseExact('{"__proto__":{"n":1},"constructor":{"__proto__":{"id":"x"}}}');
    const found = pageRecords(body, map());
    expect(JSON.stringify(found.kind === 'records' && found.records)).toBe(
      '[{"id":"__proto__","n":1},{"id":"constructor","__proto__":{"id":"x"}}]',
    );
    expect(pageRecords({}, map('__proto__'))).toMatchObject({ kind: 'unreadable' });
  });

  test('may be none, which some languages write as an array', () => {
    expect(pageRecords({}, map())).toEqual({ kind: 'records', records: [] });
    expect(pageRecords([], map())).toEqual({ kind: 'records', records: [] });
  });
});

const ARRAY = 'not an array of records';
const MAP = 'not an object of records by name';

test.each<[string, JsonValue, RecordsPlace, string]>([
  ['a path that leads nowhere', { rows: [] }, array('data'), `\`data\` holds nothing, ${ARRAY}`],
  ['an object', { data: { a: 1 } }, array('data'), `\`data\` holds an object with \`a\`, ${ARRAY}`],
  ['an empty object', { data: {} }, array('data'), `\`data\` holds an empty object, ${ARRAY}`],
  ['null', { data: null }, array('data'), `\`data\` holds null, ${ARRAY}`],
  ['an array', { data: [{ id: 1 }] }, map('data'), `\`data\` holds an array, ${MAP}`],
  ['a text', { data: 'x' }, map('data'), `\`data\` holds a text, ${MAP}`],
])('%s in the place of records is said, and never no records', (_name, body, place, detail) => {
  const around = `; the answer is an object with \`${Object.keys(body as object)[0]}\``;
  expect(pageRecords(body, place)).toEqual({ kind: 'unreadable', detail: detail + around });
});

test('an answer that should be the records itself is said to be something else', () => {
  expect(pageRecords({ error: 'x' }, array())).toEqual({
    kind: 'unreadable',
    detail: 'the answer holds an object with `error`, not an array of records',
  });
});
