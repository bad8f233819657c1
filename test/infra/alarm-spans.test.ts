/** How alarms follow a pipeline's settings: its schedule, timeouts and load. */
import { afterAll, describe, expect, test } from 'vitest';
import type { PipelineInput } from '#config/pipeline-input';
import { planAlarms } from '#infra/alarms/plan-alarms';
import { RESERVE_MS } from '#pipeline/send-page';
import { settingsOf, ticketsInput } from '#test/config/pipeline-input';
import { alarmsFor } from '#test/infra/read-alarms';
import { removeTemporary } from '#test/infra/synthesize';

afterAll(removeTemporary);

describe('a source that is not read', () => {
  const stale = async (over: Partial<PipelineInput>) => {
    const alarm = (await alarmsFor(over)).get('poll-stale');
    const periods = alarm?.Metrics?.flatMap(({ MetricStat }) => MetricStat?.Period ?? []);
    return alarm && [...new Set(periods), alarm.EvaluationPeriods];
  };

  test('is not suspected while one poll takes all of its time', async () => {
    const over = { schedule: { everyMinutes: 1 }, poll: { timeoutSec: 900 } };
    expect(await stale({ ...over, alarms: { staleIntervals: 3 } })).toEqual([60, 16]);
  });

  test('is noticed by a rare schedule too, within the week that CloudWatch looks back', async () => {
    const every = (hours: number) =>
      stale({ schedule: { everyMinutes: hours * 60 }, alarms: { staleIntervals: 3 } });
    expect(await every(2)).toEqual([300, 72]);
    expect(await every(12)).toEqual([3_600, 36]);
    expect(await every(72)).toEqual([3_600, 168]);
    expect(await every(24 * 7)).toBeUndefined();
  });

  test('is not suspected before it could have been read, two days at most', async () => {
    const warmUp = async (everyMinutes: number) => {
      const over = { schedule: { everyMinutes }, alarms: { staleIntervals: 3 } };
      const alarm = (await alarmsFor(over)).get('poll-stale');
      expect(alarm?.WarmUpConfiguration?.OnlyStartEvaluatingAfterWarmUpPeriodEnds).toBe(true);
      return alarm?.WarmUpConfiguration?.WarmUpPeriodDurationInMinutes;
    };
    expect(await warmUp(5)).toBe(15);
    expect(await warmUp(3 * 24 * 60)).toBe(2_880);
  });

  test("is judged by a cron's longest gaps", async () => {
    const schedule = { cron: '0 8 ? * MON-FRI *', timeZone: 'UTC' };
    // From Thursday to Tuesday are three: 5 days.
    expect(await stale({ schedule, alarms: { staleIntervals: 3 } })).toEqual([3_600, 120]);
  });
});

test('one failed poll of a frequent schedule rings not yet; of a rare one it does', async () => {
  const failing = async (everyMinutes: number) => {
    const alarm = (await alarmsFor({ schedule: { everyMinutes } })).get('poll-failing')!;
    const metric = alarm.Metrics?.find(({ MetricStat }) => MetricStat !== undefined)?.MetricStat;
    return [metric?.Period ?? alarm.Period, alarm.Threshold];
  };
  expect(await failing(1)).toEqual([300, 3]);
  expect(await failing(60)).toEqual([10_800, 1]);
  expect(await failing(60 * 24)).toEqual([86_400, 1]);
});

test('a poll that works until shortly before its timeout, as it may, rings no alarm', async () => {
  const { poll } = settingsOf(ticketsInput());
  const latestMs = poll.timeoutSec * 1_000 - RESERVE_MS;
  const alarms = await alarmsFor({});
  expect(alarms.get('duration-poll')!.Threshold).toBeGreaterThan(latestMs);
});

describe('a stream near its limits', () => {
  const withLoad = async (load: PipelineInput['stream']['load']) =>
    alarmsFor({ stream: { ...ticketsInput().stream, load } });

  test('CAPA-08: is judged by the limits of a second, times the seconds of the period', async () => {
    const ten = await withLoad({ recordsPerSecPeak: 8_000, recordBytesMean: 100, headroom: 1.25 });
    for (const [id, perShardPerSec] of [
      ['records-near-limit', 1_000],
      ['bytes-near-limit', 1_048_576],
    ] as const) {
      const alarm = ten.get(id)!;
      expect(alarm.Period).toBe(60);
      expect(alarm.Threshold).toBe((10 * perShardPerSec * 60 * 80) / 100);
    }
    expect(ten.get('records-near-limit')!.Threshold).toBe(480_000);
  });

  test('has none on demand, where AWS adds shards', async () => {
    const ids = [...(await withLoad({ onDemand: true })).keys()];
    expect(ids.filter((id) => id.endsWith('-limit'))).toEqual([]);
    expect(ids).toContain('write-throttled');
  });
});

test("CloudWatch takes every alarm's span: a day, or a week in periods of an hour", async () => {
  for (const schedule of [
    { everyMinutes: 1 },
    { everyMinutes: 719 },
    { everyMinutes: 2_881 },
    { everyMinutes: 44_640 },
    { cron: '7 3 1 * ? *', timeZone: 'Asia/Tokyo' },
  ]) {
    for (const staleIntervals of [1, 24]) {
      const settings = settingsOf(ticketsInput({ schedule, alarms: { staleIntervals } }));
      for (const { periodSec, evaluationPeriods, datapointsToAlarm } of planAlarms('t', settings)) {
        expect(periodSec % 60).toBe(0);
        expect(periodSec).toBeLessThanOrEqual(86_400);
        const longest = periodSec < 3_600 ? 86_400 : 604_800;
        expect(periodSec * evaluationPeriods).toBeLessThanOrEqual(longest);
        expect(datapointsToAlarm).toBeLessThanOrEqual(evaluationPeriods);
      }
    }
  }
});
