import { describe, expect, test } from 'vitest';
import { faultsOf, settingsOf, ticketsInput } from '#test/config/pipeline-input';

const { source } = ticketsInput();
const withSource = (over: object) => ticketsInput({ source: { ...source, ...over } });

describe('records', () => {
  const offset = { kind: 'offset', param: 'skip' };

  test.each<[unknown, object]>([
    ['', {}],
    ['data.items', {}],
    [{ path: 'data', keyedBy: 'id' }, {}],
    [{ path: 'data', optional: true }, {}],
    [{ path: '', keyedBy: 'id' }, {}],
    [{ lines: true }, { pagination: offset }],
  ])('may be %j', (records, more) => {
    expect(settingsOf(withSource({ records, ...more })).source.records).toEqual(records);
  });

  test.each<[unknown, string]>([
    ['a..b', "source.records: must be a dot path such as 'properties.updated'"],
    [{ path: 'data' }, 'source.records.keyedBy: is missing'],
    [{ keyedBy: 'id' }, 'source.records.path: is missing'],
    [
      { path: 'data', keyedBy: 'a.b' },
      "source.records.keyedBy: must name one member of a record such as 'id'",
    ],
    [{ path: 'data', keyBy: 'id' }, "source.records.keyBy: unknown key; did you mean 'keyedBy'?"],
    [{ lines: false }, 'source.records.lines: must be true'],
    [{ line: true }, "source.records.line: unknown key; did you mean 'lines'?"],
    [7, 'source.records: must be text or an object'],
  ])('%j is a fault: %s', (records, fault) => {
    expect(faultsOf(withSource({ records, pagination: offset }))).toEqual([fault]);
  });

  test('in lines leave no place for a token', () => {
    expect(faultsOf(withSource({ records: { lines: true } }))).toEqual([
      'source.pagination.next: must not be a place in the body with records.lines: a line is a record; name a header, or another kind',
    ]);
    const pagination = { kind: 'cursor', param: 'after', next: { header: 'X-Next' } };
    expect(faultsOf(withSource({ records: { lines: true }, pagination }))).toEqual([]);
  });
});

describe('errors', () => {
  test('are known by a place, and by the kinds that are waited for', () => {
    const errors = { path: 'errors', waitIf: { path: 'errors.0.code', is: ['SLOW'] } };
    expect(settingsOf(withSource({ errors })).source.errors).toEqual(errors);
    expect(settingsOf(withSource({})).source.errors).toBeUndefined();
  });

  test.each<[unknown, string]>([
    [{}, 'source.errors.path: is missing'],
    ['errors', 'source.errors: must be an object'],
    [
      { path: 'e', waitIf: { path: 'e', is: [] } },
      'source.errors.waitIf.is: must name at least one kind of error',
    ],
    [
      { path: 'e', waitIf: { path: 'e', is: [''] } },
      'source.errors.waitIf.is[0]: must not be empty',
    ],
    [{ path: 'e', wait: {} }, "source.errors.wait: unknown key; did you mean 'waitIf'?"],
  ])('%j is a fault: %s', (errors, fault) => {
    expect(faultsOf(withSource({ errors }))).toEqual([fault]);
  });
});

test('a pause within an answer may last ten seconds unless the file says otherwise', () => {
  expect(settingsOf(withSource({})).source.idleSec).toBe(10);
  expect(settingsOf(withSource({ idleSec: 3 })).source.idleSec).toBe(3);
  expect(faultsOf(withSource({ idleSec: 0 }))).toEqual(['source.idleSec: must be at least 1']);
});
