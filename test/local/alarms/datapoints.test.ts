import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AlarmRule, Statistic } from '#local/alarms/alarm-rule';
import { datapointsOf, isDue, keepMsOf, periodsOf } from '#local/alarms/datapoints';
import { parseExpression } from '#local/alarms/parse-expression';
import { createMetricStore, MINUTE_MS } from '#local/metrics/metric-store';

const timing = fc.record({
  periodSec: fc.integer({ min: 1, max: 90 }).map((minutes) => minutes * 60),
  evaluationPeriods: fc.integer({ min: 1, max: 12 }),
});
const moment = fc.integer({ min: 0, max: 4_000_000_000_000 });

test('periods are whole minutes, one after the other, and end with the last full minute', () =>
  fc.assert(
    fc.property(timing, moment, (one, nowMs) => {
      const periods = periodsOf(one, nowMs);
      expect(periods).toHaveLength(one.evaluationPeriods + 2);
      for (const [index, { fromMs, toMs }] of periods.entries()) {
        expect(Math.abs(fromMs % MINUTE_MS)).toBe(0);
        expect(toMs - fromMs).toBe(one.periodSec * 1_000);
        if (index > 0) expect(fromMs).toBe(periods[index - 1]?.toMs);
      }
      const endMs = periods.at(-1)?.toMs ?? 0;
      expect(endMs <= nowMs && nowMs < endMs + MINUTE_MS).toBe(true);
    }),
  ));

test('what is kept reaches to the oldest period', () =>
  fc.assert(
    fc.property(timing, moment, (one, nowMs) => {
      const [oldest] = periodsOf(one, nowMs);
      expect(nowMs - (oldest?.fromMs ?? 0)).toBeLessThan(keepMsOf(one) + MINUTE_MS);
    }),
  ));

test('a period of five minutes ends with every minute', () => {
  const ends = [7, 8].map((minute) => {
    const { fromMs, toMs } = periodsOf(
      { periodSec: 300, evaluationPeriods: 1 },
      minute * MINUTE_MS + 1,
    ).at(-1)!;
    return [fromMs / MINUTE_MS, toMs / MINUTE_MS];
  });
  expect(ends).toEqual([
    [2, 7],
    [3, 8],
  ]);
});

test('an alarm that looks back more than a day is evaluated by the hour', () => {
  const hours = (evaluationPeriods: number) =>
    Array.from({ length: 121 }, (_, minute) => minute).filter((minute) =>
      isDue({ periodSec: 3_600, evaluationPeriods }, minute * MINUTE_MS),
    );
  expect(hours(24)).toHaveLength(121);
  expect(hours(25)).toEqual([0, 60, 120]);
});

test.each<[Statistic, number]>([
  ['Sum', 12],
  ['Average', 4],
  ['Minimum', 2],
  ['Maximum', 7],
  ['SampleCount', 3],
])('the statistic %s of 2, 3 and 7 is %d', (statistic, wanted) => {
  const metric = { namespace: 'N', name: 'm', dimensions: {} };
  const rule: AlarmRule = {
    name: 'a',
    label: 'l',
    expression: parseExpression('m'),
    metrics: [{ id: 'm', metric, statistic }],
    periodSec: 120,
    evaluationPeriods: 1,
    datapointsToAlarm: 1,
    comparison: 'GreaterThanThreshold',
    threshold: 0,
    missingData: 'missing',
    warmUpMinutes: 0,
  };
  let nowMs = 10 * MINUTE_MS;
  const store = createMetricStore({ nowMs: () => nowMs });
  store.watch(metric, keepMsOf(rule));
  for (const value of [2, 3]) store.measure({ ...metric, value });
  nowMs += MINUTE_MS;
  store.measure({ ...metric, value: 7 });
  expect(datapointsOf(rule, store.read, 12 * MINUTE_MS)).toEqual([
    { atMs: 6 * MINUTE_MS, value: undefined },
    { atMs: 8 * MINUTE_MS, value: undefined },
    { atMs: 10 * MINUTE_MS, value: wanted },
  ]);
});
