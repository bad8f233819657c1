import { describe, expect, test } from 'vitest';
import { createAlarms } from '#local/alarms/alarms';
import type { AlarmChange } from '#local/alarms/alarms';
import { parseAlarm } from '#local/alarms/parse-alarm';
import { createMetricStore, MINUTE_MS } from '#local/metrics/metric-store';
import { steppedClock } from '#local/kit/stepped-clock';

const ERRORS = {
  AlarmName: 'errors',
  Namespace: 'AWS/Lambda',
  MetricName: 'Errors',
  Dimensions: [{ Name: 'FunctionName', Value: 'fn' }],
  Statistic: 'Sum',
  Period: 60,
  EvaluationPeriods: 2,
  ComparisonOperator: 'GreaterThanOrEqualToThreshold',
  Threshold: 1,
};
const ERROR = {
  namespace: 'AWS/Lambda',
  name: 'Errors',
  dimensions: { FunctionName: 'fn' },
  value: 1,
};

function open(...alarms: readonly object[]) {
  const clock = steppedClock(Date.parse('2026-07-06T05:04:03Z'));
  const store = createMetricStore(clock);
  const changes: AlarmChange[] = [];
  const all = createAlarms({ clock, store, onChange: (change) => changes.push(change) });
  for (const alarm of alarms) all.add({ ...ERRORS, ...alarm });
  all.start();
  return { clock, changes, all, measure: store.measure };
}

test('an alarm rings with the minute that is over, says why, and is silent again', async () => {
  const { clock, changes, all, measure } = open({ DatapointsToAlarm: 1 });
  expect(all.list()).toEqual([
    { name: 'errors', state: 'INSUFFICIENT_DATA', reason: 'not evaluated yet' },
  ]);
  measure({ ...ERROR, value: 0 });
  await clock.step(MINUTE_MS);
  measure(ERROR);
  await clock.step(56_000);
  expect(changes.map(({ state }) => state)).toEqual(['OK']);
  await clock.step(2_000);
  expect(changes.at(-1)).toEqual({
    name: 'errors',
    state: 'ALARM',
    previous: 'OK',
    reason: 'AWS/Lambda Errors, Sum ≥ 1 in 1 of 2 periods of 60 s: 0 at 05:04Z; 1 at 05:05Z',
  });
  for (let minute = 0; minute < 4; minute++) {
    measure({ ...ERROR, value: 0 });
    await clock.step(MINUTE_MS);
  }
  expect(changes.map(({ state }) => state)).toEqual(['OK', 'ALARM', 'OK']);
  await clock.step(5 * MINUTE_MS);
  expect(all.list()[0]?.state).toBe('INSUFFICIENT_DATA');
});

test('nothing is evaluated after the end', async () => {
  const { clock, changes, all } = open({ TreatMissingData: 'breaching' });
  all.stop();
  await clock.step(9 * MINUTE_MS);
  expect(changes).toEqual([]);
});

test('an alarm that warms up is judged by nothing until then, and by all of it then', async () => {
  const whole = {
    WarmUpPeriodDurationInMinutes: 8,
    OnlyStartEvaluatingAfterWarmUpPeriodEnds: true,
  };
  const { clock, changes, all, measure } = open({
    TreatMissingData: 'breaching',
    WarmUpConfiguration: whole,
  });
  await clock.step(5 * MINUTE_MS);
  measure(ERROR);
  await clock.step(MINUTE_MS);
  measure(ERROR);
  await clock.step(2 * MINUTE_MS - 1);
  expect(all.list()[0]).toMatchObject({ state: 'INSUFFICIENT_DATA', reason: 'not evaluated yet' });
  await clock.step(MINUTE_MS);
  expect(changes).toMatchObject([{ state: 'ALARM', previous: 'INSUFFICIENT_DATA' }]);
});

test('a machine that slept evaluates the minute that it wakes in', async () => {
  const { clock, all, measure } = open({ TreatMissingData: 'notBreaching' });
  measure(ERROR);
  await clock.step(90 * MINUTE_MS);
  expect(all.list()[0]).toMatchObject({ state: 'OK' });
});

const stat = (name: string) => ({
  Metric: { Namespace: 'N', MetricName: name },
  Period: 300,
  Stat: 'Sum',
});
const COMPARED = {
  AlarmName: 'nothing',
  EvaluationPeriods: 3,
  Threshold: '1',
  ComparisonOperator: 'GreaterThanOrEqualToThreshold',
};

describe('an alarm over several metrics', () => {
  test('looks at the one that returns data, with all it is made of', () => {
    const rule = parseAlarm({
      ...COMPARED,
      Metrics: [
        { Id: 'answer', Expression: 'IF(both > 0, 1, 0)', Label: 'nothing out' },
        { Id: 'both', Expression: 'FILL(a, 0) + b', ReturnData: false },
        { Id: 'a', MetricStat: stat('in'), ReturnData: 'false' },
        { Id: 'b', MetricStat: stat('out'), ReturnData: false },
        { Id: 'unused', MetricStat: stat('other'), ReturnData: false },
      ],
    });
    expect(rule).toMatchObject({ label: 'nothing out', periodSec: 300, threshold: 1 });
    expect(rule.metrics.map(({ id, metric }) => [id, metric.name])).toEqual([
      ['a', 'in'],
      ['b', 'out'],
    ]);
  });

  test('of one alone is like the short form', () => {
    const { label, metrics } = parseAlarm({
      ...COMPARED,
      Metrics: [{ Id: 'm', MetricStat: stat('in') }],
    });
    expect(label).toBe('N in, Sum');
    expect(metrics).toHaveLength(1);
  });
});

describe('refused is', () => {
  const metrics = (...Metrics: object[]) => ({ ...COMPARED, Metrics });
  test.each([
    ['a percentile', { ...ERRORS, Statistic: 'p99' }, 'p99 is not evaluated here: only Sum,'],
    [
      'a warm-up that data may end',
      { ...ERRORS, WarmUpConfiguration: { WarmUpPeriodDurationInMinutes: 9 } },
      'a warm-up that may end early is not evaluated here',
    ],
    ['half a minute', { ...ERRORS, Period: 30 }, 'a period of 30 s is not evaluated here'],
    [
      'an anomaly band',
      { ...ERRORS, ComparisonOperator: 'GreaterThanUpperThreshold' },
      'GreaterThanUpperThreshold is not evaluated here',
    ],
    [
      'more than one answer',
      metrics({ Id: 'a', MetricStat: stat('in') }, { Id: 'b', MetricStat: stat('out') }),
      'of its metrics 2 return data, and exactly one must',
    ],
    [
      'a metric that is not there',
      metrics(
        { Id: 'e', Expression: 'a + c' },
        { Id: 'a', MetricStat: stat('in'), ReturnData: false },
      ),
      'c in its expression is none of its metrics',
    ],
    [
      'an expression of itself',
      metrics(
        { Id: 'e', Expression: 'e + a' },
        { Id: 'a', MetricStat: stat('in'), ReturnData: false },
      ),
      'e in its expression is none of its metrics',
    ],
    [
      'more than one period',
      metrics(
        { Id: 'a', MetricStat: stat('in') },
        { Id: 'b', MetricStat: { ...stat('out'), Period: 60 }, ReturnData: false },
      ),
      'its metrics are not all of one period',
    ],
  ])('%s', (_, properties, sentence) => {
    expect(() => parseAlarm(properties)).toThrow(sentence);
  });
});
