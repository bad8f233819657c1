import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compute, namesIn } from '#local/alarms/expression';
import { parseExpression } from '#local/alarms/parse-expression';

const valueOf = (text: string, values: Readonly<Record<string, number | undefined>> = {}) =>
  compute(parseExpression(text), (name) => values[name]);

test.each([
  ['1 + 2 * 3', 7],
  ['(1 + 2) * 3', 9],
  ['10 - 4 - 3', 3],
  ['12 / 4 / 3', 1],
  ['-2 + 3', 1],
  ['- - 2.5', 2.5],
  ['1 / 0', undefined],
  ['2 > 1', 1],
  ['2 < 1', 0],
  ['2 >= 2', 1],
  ['2 <= 1', 0],
  ['2 == 2', 1],
  ['2 != 2', 0],
  ['1 + 1 > 1', 1],
  ['1 > 0 && 2 > 3', 0],
  ['1 > 0 AND 3 > 2', 1],
  ['0 || 1 && 0', 0],
  ['0 OR 5', 1],
  ['IF(1, 7, 8)', 7],
  ['IF(0, 7, 8)', 8],
  ['IF(0, 7)', undefined],
  ['FILL(m, 4)', 4],
  ['FILL(3, 4)', 3],
  ['IF(FILL(m, 0) > 0, 1, 0)', 0],
  ['IF(m, 1, 0)', undefined],
  ['m + 1', undefined],
  ['m == 0', undefined],
])('%s is %s', (text, wanted) => {
  expect(valueOf(text, { m: undefined })).toBe(wanted);
});

test('of arithmetic it makes what JavaScript makes', () => {
  const number = fc.nat(99).map(String);
  const { text } = fc.letrec<{ text: string }>((tie) => ({
    text: fc.oneof(
      { depthSize: 'small' },
      number,
      fc
        .tuple(tie('text'), fc.constantFrom('+', '-', '*'), tie('text'))
        .map((all) => all.join(' ')),
      tie('text').map((inside) => `(${inside})`),
    ),
  }));
  fc.assert(
    fc.property(text, (one) => {
      expect(valueOf(one)).toBe(runInNewContext(one));
    }),
  );
});

test('names stand for what was measured', () => {
  const text = 'IF(FILL(in, 0) > 0 AND FILL(out, 0) == 0, 1, 0)';
  expect(valueOf(text, { in: 3, out: undefined })).toBe(1);
  expect(valueOf(text, { in: 3, out: 2 })).toBe(0);
  expect(valueOf(text, {})).toBe(0);
  expect(namesIn(parseExpression(text))).toEqual(['in', 'out']);
});

describe('what cannot be computed here is refused from where it begins', () => {
  test.each([
    ['RATE(m)', 'RATE ( m )'],
    ['m ? 1', '? 1'],
    ['1 +', 'its end'],
    ['(1', 'its end'],
    ['IF(1)', ')'],
    ['FILL(m, 1, 2)', ')'],
    ['1 2', '2'],
    ['', 'its end'],
  ])('%s', (text, from) => {
    expect(() => parseExpression(text)).toThrow(
      `the expression ${text} cannot be computed here from: ${from}`,
    );
  });
});
