import { expect } from 'vitest';
import { matchesPattern } from '#local/lambda/mapping/filter/matches-pattern';
import { parsePattern } from '#local/lambda/mapping/filter/parse-pattern';
import { ruleTest } from '#test/local/rules/rule-test';

function matches(pattern: object, value: unknown): boolean {
  const parsed = parsePattern(JSON.stringify(pattern));
  if (parsed.kind === 'fault') throw new Error(parsed.message);
  return matchesPattern(parsed.pattern, value);
}

/** A field's rules, values that match, and values that do not. */
const OPERATORS: readonly (readonly [
  readonly unknown[],
  readonly unknown[],
  readonly unknown[],
])[] = [
  [
    ['paid', 7],
    ['paid', 7, ['x', 'paid']],
    ['Paid', '7', undefined, null, []],
  ],
  [[null], [null, [null]], ['', 0, false, undefined, 'null']],
  [[''], [''], [null, undefined, ' ']],
  [[true], [true], ['true', 1, false]],
  [[1e3], [1000], ['1000', 1001]],
  [[{ prefix: 'AB' }], ['ABC', 'AB'], ['ab', 'CAB', 7, null, undefined]],
  [[{ prefix: { 'equals-ignore-case': 'ab' } }], ['ABC', 'abc'], ['cab']],
  [[{ suffix: '.png' }], ['a.png'], ['a.PNG', 'png', undefined]],
  [[{ suffix: { 'equals-ignore-case': '.png' } }], ['a.PNG'], ['a.jpg']],
  [[{ 'equals-ignore-case': 'New York' }], ['new york', 'NEW YORK'], ['new', 'new yorker']],
  [[{ 'anything-but': 'init' }], ['x', 7, null, ['init', 'x']], ['init', undefined, []]],
  [[{ 'anything-but': ['a', 4] }], ['b', 5], ['a', 4]],
  [[{ numeric: ['=', 5] }], [5], [5.1, '5', undefined]],
  [[{ numeric: ['<', 5] }], [4.9, -5], [5, null]],
  [[{ numeric: ['>', 0, '<=', 100] }], [0.1, 100], [0, 100.1, '50']],
  [[{ numeric: ['>=', 3, '<', 4] }], [3, 3.9], [4, 2]],
  [[{ exists: true }], ['', 0, null, false, ['a']], [undefined, {}, { a: 1 }, []]],
  [[{ exists: false }], [undefined, { a: 1 }, []], ['', null]],
  [
    [{ prefix: 'a' }, { suffix: 'z' }, 5],
    ['ab', 'yz', 5],
    ['b', 6],
  ],
];

ruleTest('mapping', 'filter-operators', () => {
  for (const [rules, good, bad] of OPERATORS) {
    for (const value of good) {
      expect(matches({ f: rules }, { f: value }), JSON.stringify([rules, value])).toBe(true);
    }
    for (const value of bad) {
      expect(matches({ f: rules }, { f: value }), JSON.stringify([rules, value])).toBe(false);
    }
  }
});

ruleTest(
  'mapping',
  'filter-operators',
  () => {
    const pattern = { $or: [{ city: ['Oslo'] }, { day: ['Monday'], at: [{ exists: true }] }] };
    expect(matches(pattern, { city: 'Oslo' })).toBe(true);
    expect(matches(pattern, { day: 'Monday', at: 5 })).toBe(true);
    expect(matches(pattern, { day: 'Monday' })).toBe(false);
    expect(matches({ ...pattern, kind: ['a'] }, { city: 'Oslo', kind: 'b' })).toBe(false);
    expect(matches({ $or: ['a'] }, { $or: 'a' })).toBe(true);
  },
  '$or',
);

ruleTest('mapping', 'filter-and', () => {
  const pattern = { order: { kind: ['buy', 'sell'], stock: ['ANYCO'] } };
  expect(matches(pattern, { order: { kind: 'sell', stock: 'ANYCO', quantity: 3 } })).toBe(true);
  expect(matches(pattern, { order: { kind: 'sell', stock: 'OTHER' } })).toBe(false);
  expect(matches(pattern, { order: { kind: 'sell' } })).toBe(false);
  expect(matches(pattern, { order: 'sell' })).toBe(false);
  expect(matches(pattern, 7)).toBe(false);
});

ruleTest('mapping', 'filter-leaf', () => {
  const pattern = { organizations: [{ exists: true }] };
  expect(matches(pattern, { organizations: { L: { S: 'a' } } })).toBe(false);
  expect(
    matches(
      { organizations: { L: { S: [{ exists: true }] } } },
      { organizations: { L: { S: 'a' } } },
    ),
  ).toBe(true);
  expect(matches({ a: { b: [{ exists: false }] } }, {})).toBe(true);
});

ruleTest('mapping', 'filter-lists', () => {
  const pattern = { lines: { sku: ['A'], quantity: [{ numeric: ['>', 1] }] } };
  expect(
    matches(pattern, {
      lines: [
        { sku: 'B', quantity: 1 },
        { sku: 'A', quantity: 2 },
      ],
    }),
  ).toBe(true);
  // Both of one and the same line.
  expect(
    matches(pattern, {
      lines: [
        { sku: 'A', quantity: 1 },
        { sku: 'B', quantity: 2 },
      ],
    }),
  ).toBe(false);
  expect(matches({ tags: ['x'] }, { tags: [['y'], [['x']]] })).toBe(true);
});
