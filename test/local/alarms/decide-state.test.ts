import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluationRange } from '#local/alarms/alarm-rule';
import type { AlarmState, MissingData } from '#local/alarms/alarm-rule';
import { decideState } from '#local/alarms/decide-state';

const RULE = {
  label: 'errors',
  periodSec: 60,
  comparison: 'GreaterThanThreshold',
  threshold: 10,
} as const;
const TREATMENTS: readonly MissingData[] = ['missing', 'ignore', 'breaching', 'notBreaching'];
const STATES: readonly AlarmState[] = ['OK', 'ALARM', 'INSUFFICIENT_DATA'];
const VALUES = { '0': 10, X: 11, '-': undefined } as const;

type Mark = keyof typeof VALUES;

const rangeOf = (marks: readonly Mark[]) =>
  marks.map((mark, index) => ({ atMs: index * 60_000, value: VALUES[mark] }));

function stateOf(
  marks: readonly Mark[],
  rule: { n: number; m: number; missingData: MissingData },
  current: AlarmState = 'OK',
): AlarmState {
  const { n: evaluationPeriods, m: datapointsToAlarm, missingData } = rule;
  const whole = { ...RULE, evaluationPeriods, datapointsToAlarm, missingData };
  return decideState(rangeOf(marks), whole, current).state;
}

/** CloudWatch's own tables: `retain` is the state before. */
describe('missing data is treated as the CloudWatch User Guide says', () => {
  const rows = [
    [3, '0 - X - X', 'OK', 'OK', 'OK', 'OK'],
    [3, '0 - - - -', 'OK', 'OK', 'OK', 'OK'],
    [3, '- - - - -', 'INSUFFICIENT_DATA', 'retain', 'ALARM', 'OK'],
    [3, '0 X X - X', 'ALARM', 'ALARM', 'ALARM', 'ALARM'],
    [3, '- - X - -', 'ALARM', 'retain', 'ALARM', 'OK'],
    [2, '0 - X - X', 'ALARM', 'ALARM', 'ALARM', 'ALARM'],
    [2, '0 0 X 0 X', 'ALARM', 'ALARM', 'ALARM', 'ALARM'],
    [2, '0 - X - -', 'OK', 'OK', 'ALARM', 'OK'],
    [2, '- - - - 0', 'OK', 'OK', 'ALARM', 'OK'],
    [2, '- - - X -', 'ALARM', 'retain', 'ALARM', 'OK'],
  ] as const;
  test.each(rows)('%d of 3: %s', (m, text, ...wanted) => {
    const marks = text.split(' ') as Mark[];
    for (const [index, missingData] of TREATMENTS.entries()) {
      for (const current of STATES) {
        const state = wanted[index] === 'retain' ? current : wanted[index];
        expect(stateOf(marks, { n: 3, m, missingData }, current), missingData).toBe(state);
      }
    }
  });

  test('a datapoint that may be the first of more does not ring yet', () => {
    const rule = { n: 3, m: 3, missingData: 'missing' } as const;
    expect(stateOf(['-', '-', '-', '-', 'X'], rule)).toBe('OK');
    expect(stateOf(['-', '-', '-', 'X', '-'], rule)).toBe('OK');
  });
});

const ask = fc
  .record({ n: fc.integer({ min: 1, max: 6 }), missingData: fc.constantFrom(...TREATMENTS) })
  .chain(({ n, missingData }) =>
    fc.record({
      rule: fc.record({
        n: fc.constant(n),
        m: fc.integer({ min: 1, max: n }),
        missingData: fc.constant(missingData),
      }),
      marks: fc.array(fc.constantFrom<Mark>('0', 'X', '-'), {
        minLength: evaluationRange({ evaluationPeriods: n }),
        maxLength: evaluationRange({ evaluationPeriods: n }),
      }),
      current: fc.constantFrom(...STATES),
    }),
  );

describe('whatever the datapoints are', () => {
  test('with nothing missing, M of the last N decide alone', () =>
    fc.assert(
      fc.property(ask, ({ rule, marks, current }) => {
        const whole = marks.map((mark): Mark => (mark === '-' ? '0' : mark));
        const crossing = whole.slice(-rule.n).filter((mark) => mark === 'X').length;
        expect(stateOf(whole, rule, current)).toBe(crossing >= rule.m ? 'ALARM' : 'OK');
      }),
    ));

  test('with N of them, it does not matter how missing data is treated, nor the state before', () =>
    fc.assert(
      fc.property(ask, ({ rule, marks }) => {
        fc.pre(marks.filter((mark) => mark !== '-').length >= rule.n);
        const states = TREATMENTS.flatMap((missingData) =>
          STATES.map((current) => stateOf(marks, { ...rule, missingData }, current)),
        );
        expect(new Set(states).size).toBe(1);
      }),
    ));

  test('a datapoint more that crosses silences no alarm', () =>
    fc.assert(
      fc.property(ask, fc.nat(7), ({ rule, marks, current }, at) => {
        fc.pre(marks[at] === '0' && stateOf(marks, rule, current) === 'ALARM');
        expect(stateOf(marks.with(at, 'X'), rule, current)).toBe('ALARM');
      }),
    ));

  test('there is too little data only where none is there and it is treated as missing', () =>
    fc.assert(
      fc.property(ask, ({ rule, marks }) => {
        const isEmpty = marks.every((mark) => mark === '-') && rule.missingData === 'missing';
        expect(stateOf(marks, rule, 'OK') === 'INSUFFICIENT_DATA').toBe(isEmpty);
      }),
    ));
});

test.each([
  ['GreaterThanThreshold', [false, false, true]],
  ['GreaterThanOrEqualToThreshold', [false, true, true]],
  ['LessThanThreshold', [true, false, false]],
  ['LessThanOrEqualToThreshold', [true, true, false]],
] as const)('%s crosses just there', (comparison, crosses) => {
  const rule = { ...RULE, comparison, evaluationPeriods: 1, datapointsToAlarm: 1 };
  const states = [9, 10, 11].map(
    (value) => decideState([{ atMs: 0, value }], { ...rule, missingData: 'missing' }, 'OK').state,
  );
  expect(states.map((state) => state === 'ALARM')).toEqual(crosses);
});

describe('the reason', () => {
  const rule = { ...RULE, evaluationPeriods: 3, datapointsToAlarm: 2 };
  const reason = (marks: readonly Mark[], missingData: MissingData) =>
    decideState(rangeOf(marks), { ...rule, missingData }, 'OK').reason;

  test('says which datapoints there were, and how many crossed', () => {
    expect(reason(['0', '-', 'X', '0', 'X'], 'missing')).toBe(
      'errors > 10 in 2 of 3 periods of 60 s: 11 at 00:02Z; 10 at 00:03Z; 11 at 00:04Z',
    );
  });

  test('says what is missing, and whether that counts', () => {
    expect(reason(['-', '-', 'X', '-', '-'], 'breaching')).toBe(
      'errors > 10 in 3 of 3 periods of 60 s: 11 at 00:02Z; 2 missing, which counts',
    );
    expect(reason(['-', '-', 'X', '-', '-'], 'notBreaching')).toBe(
      'errors > 10 in 1 of 3 periods of 60 s: 11 at 00:02Z; 2 missing',
    );
    expect(reason(['-', '-', '-', '-', '-'], 'missing')).toBe(
      'errors > 10: no datapoint in the last 5 periods of 60 s',
    );
  });
});
