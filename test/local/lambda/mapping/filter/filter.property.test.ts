import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesPattern } from '#local/lambda/mapping/filter/matches-pattern';
import { parsePattern } from '#local/lambda/mapping/filter/parse-pattern';
import { parseFilterCriteria } from '#local/lambda/mapping/filter/record-filter';

const RUNS = Number(process.env['PENSTOCK_RUNS'] ?? 300);
const SOURCE = { streamArn: 'arn', shardId: 's0', region: 'r', roleArn: 'role' };

const scalar = fc.oneof(
  fc.constantFrom('a', 'ab', 'Ab', '', 'b'),
  fc.integer({ min: -3, max: 3 }),
  fc.boolean(),
  fc.constant(null),
);
const word = fc.constantFrom('a', 'b', 'A', '');
const comparison = fc.constantFrom('=', '<', '<=', '>', '>=');
const rule = fc.oneof(
  scalar,
  fc.record({ prefix: word }),
  fc.record({ suffix: word }),
  fc.record({ 'equals-ignore-case': word }),
  fc.record({ 'anything-but': fc.oneof(scalar, fc.array(scalar, { minLength: 1, maxLength: 2 })) }),
  fc.record({ exists: fc.boolean() }),
  fc.record({ numeric: fc.tuple(comparison, fc.integer({ min: -3, max: 3 })) }),
);
const rules = fc.array(rule, { minLength: 1, maxLength: 2 });
const field = fc.constantFrom('x', 'y');
const { pattern } = fc.letrec<{ pattern: object }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.dictionary(field, rules, { minKeys: 1, maxKeys: 2 }),
    fc.dictionary(field, tie('pattern'), { minKeys: 1, maxKeys: 2 }),
    fc.record({ $or: fc.tuple(tie('pattern'), tie('pattern')) }),
  ),
}));
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.dictionary(field, tie('value'), { maxKeys: 2 }),
  ),
}));

/** By words, path by path, and without lists: the slow way to say the same. */
function oracle(want: object, given: unknown): boolean {
  return Object.entries(want).every(([name, expected]) => {
    if (name === '$or') return (expected as object[]).some((one) => oracle(one, given));
    const isObject = typeof given === 'object' && given !== null;
    const member = isObject ? (given as Record<string, unknown>)[name] : undefined;
    if (!Array.isArray(expected)) return oracle(expected as object, member);
    const isLeaf = member !== undefined && (member === null || typeof member !== 'object');
    return expected.some((one: unknown) => {
      if (one === null || typeof one !== 'object') return isLeaf && member === one;
      const [[kind, operand]] = Object.entries(one) as [[string, never]];
      if (kind === 'exists') return operand === isLeaf;
      return isLeaf && compare(kind, operand, member as never);
    });
  });
}

function compare(kind: string, operand: never, leaf: never): boolean {
  const text = (given: unknown): string | undefined =>
    typeof given === 'string' ? given : undefined;
  switch (kind) {
    case 'prefix':
      return text(leaf)?.slice(0, (operand as string).length) === operand;
    case 'suffix':
      return text(leaf) !== undefined && new RegExp(`${operand as string}$`).test(leaf);
    case 'equals-ignore-case':
      return text(leaf)?.toUpperCase() === (operand as string).toUpperCase();
    case 'anything-but':
      return !JSON.stringify([operand].flat())
        .slice(1, -1)
        .split(',')
        .includes(JSON.stringify(leaf));
    default: {
      const [sign, number] = operand as [string, number];
      if (typeof leaf !== 'number') return false;
      const order = Math.sign(leaf - number);
      return { '=': [0], '<': [-1], '<=': [-1, 0], '>': [1], '>=': [0, 1] }[sign]!.includes(order);
    }
  }
}

test('a pattern matches as the slow way says', () => {
  fc.assert(
    fc.property(pattern, value, (want, given) => {
      const parsed = parsePattern(JSON.stringify(want));
      expect(parsed.kind).toBe('pattern');
      if (parsed.kind === 'pattern') {
        expect(matchesPattern(parsed.pattern, given)).toBe(oracle(want, given));
      }
    }),
    { numRuns: RUNS * 5 },
  );
});

test('whatever stands for a pattern is a pattern or a fault, and never a crash', () => {
  const junk = fc.oneof(
    fc.string(),
    fc.json(),
    fc.json().map((text) => `{"data":${text}}`),
    fc.json().map((text) => `{"$or":[${text},${text}]}`),
    fc
      .tuple(fc.constantFrom('prefix', 'numeric', 'exists', 'anything-but', 'cidr'), fc.json())
      .map(([kind, operand]) => `{"data":{"x":[{"${kind}":${operand}}]}}`),
    fc.constant('['.repeat(2000)),
    fc.constant(`${'{"a":'.repeat(500)}[1]${'}'.repeat(500)}`),
  );
  fc.assert(
    fc.property(junk, fc.jsonValue(), (text, given) => {
      const parsed = parsePattern(text);
      if (parsed.kind === 'fault') expect(parsed.message).not.toBe('');
      else expect(typeof matchesPattern(parsed.pattern, given)).toBe('boolean');
      expect(['filter', 'fault']).toContain(
        parseFilterCriteria(JSON.parse(JSON.stringify({ Filters: [{ Pattern: text }] }))).kind,
      );
    }),
    { numRuns: RUNS },
  );
});

test('whatever stands for criteria, and whatever the data, nothing crashes', () => {
  const criteria = fc.oneof(
    fc.jsonValue(),
    fc.record({ Filters: fc.jsonValue() }),
    fc.constant(null),
  );
  const depth = 100_000;
  const data = fc.oneof(
    fc.uint8Array(),
    fc.json().map((text) => Buffer.from(text)),
    fc.constant(Buffer.from(`{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`)),
  );
  const fixed = parseFilterCriteria({ Filters: [{ Pattern: '{"data":{"x":["a"]}}' }] });
  fc.assert(
    fc.property(criteria, data, (given, bytes) => {
      expect(['filter', 'fault']).toContain(parseFilterCriteria(given).kind);
      const record = { sequenceNumber: '1', partitionKey: 'k', data: bytes, arrivalTimeMs: 1 };
      if (fixed.kind === 'filter') expect(fixed.filter?.(record, SOURCE)).toBeTypeOf('boolean');
    }),
    { numRuns: RUNS / 10 },
  );
});
