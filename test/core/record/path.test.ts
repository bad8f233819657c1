import { describe, expect, test } from 'vitest';
import { parseExact } from '#core/record/exact-json';
import { describeValue, parsePath, readPath } from '#core/record/path';

const value = parseExact('{"a":{"b":[{"c":1}],"n":10.00},"toString":null,"":2}');
const at = (path: string) => readPath(value, parsePath(path));

describe('a path', () => {
  test('leads through objects and arrays', () => {
    expect(at('a.b.0.c')).toBe(1);
    expect(at('')).toBe(value);
    expect(at('$')).toBe(value);
  });

  test.each([
    'x',
    'a.b.1',
    'a.b.length',
    'a.b.map',
    'constructor',
    'a.n.rawJSON',
    'toString.x',
    'a.b.0.c.d',
  ])('%s leads nowhere', (path) => expect(at(path)).toBeUndefined());

  test.each([
    ['@odata.next', '/2'],
    ['a.b.c', 1],
    ['a.x.y.z', 2],
    ['a.x.y', { z: 2 }],
    ['list.0.p.q', 3],
    ['a.b', { c: 1 }],
  ])('%s leads through names that hold dots', (path, found) => {
    const dotted = parseExact(
      '{"@odata.next":"/2","a.b":{"c":1},"a":{"x.y":{"z":2}},"list":[{"p.q":3}],"a.b.c":9}',
    );
    expect(readPath(dotted, parsePath(path))).toEqual(found);
  });

  test('goes step by step where that leads anywhere, null included', () => {
    const both = parseExact('{"a":{"b":null},"a.b":7}');
    expect(readPath(both, ['a', 'b'])).toBeNull();
  });

  test('distinguishes null from nothing', () => expect(at('toString')).toBeNull());
});

test.each([
  [undefined, 'nothing'],
  [null, 'null'],
  [[1], 'an array'],
  ['', 'an empty text'],
  ['secret', 'a text'],
  [3, 'a number'],
  [true, 'a boolean'],
  [{}, 'an empty object'],
  [{ a: 1, b: 2 }, 'an object with `a`, `b`'],
  [{ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 }, 'an object with `a`, `b`, `c`, `d`, `e`, …'],
] as const)('%j is described as %s', (found, words) => expect(describeValue(found)).toBe(words));
