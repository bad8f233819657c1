/** All alarms of a cloud, each evaluated when a minute is over. */
import type { Clock } from '#local/contracts';
import { MINUTE_MS } from '#local/metrics/metric-store';
import type { MetricStore } from '#local/metrics/metric-store';
import type { Properties } from '#local/template/resource-type';
import type { AlarmRule, AlarmState } from './alarm-rule.ts';
import { datapointsOf, isDue, keepMsOf } from './datapoints.ts';
import { decideState } from './decide-state.ts';
import type { Verdict } from './decide-state.ts';
import { parseAlarm } from './parse-alarm.ts';

export interface AlarmStatus extends Verdict {
  readonly name: string;
}

/** A state that an alarm went into, and the one it left. */
export interface AlarmChange extends AlarmStatus {
  readonly previous: AlarmState;
}

export interface Alarms {
  /** @throws {Error} when the alarm cannot be evaluated here. */
  add(properties: Properties): void;
  /** Begins to evaluate. */
  start(): void;
  stop(): void;
  list(): readonly AlarmStatus[];
}

/** Every alarm begins so, and stays so until its first evaluation, after its warm-up. */
const UNKNOWN: Verdict = { state: 'INSUFFICIENT_DATA', reason: 'not evaluated yet' };

export function createAlarms({
  clock,
  store,
  onChange,
}: {
  clock: Clock;
  store: MetricStore;
  onChange: (change: AlarmChange) => void;
}): Alarms {
  const alarms: { readonly rule: AlarmRule; readonly warmAtMs: number; verdict: Verdict }[] = [];
  let cancel = (): void => undefined;

  const evaluate = (minuteMs: number): void => {
    for (const alarm of alarms) {
      const { rule, warmAtMs, verdict } = alarm;
      if (minuteMs < warmAtMs || !isDue(rule, minuteMs)) continue;
      const datapoints = datapointsOf(rule, store.read, minuteMs);
      alarm.verdict = decideState(datapoints, rule, verdict.state);
      if (alarm.verdict.state === verdict.state) continue;
      onChange({ name: rule.name, ...alarm.verdict, previous: verdict.state });
    }
  };
  const waitForMinute = (): void => {
    const nowMs = clock.nowMs();
    const nextMs = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS;
    cancel = clock.setTimer(nextMs - nowMs, () => {
      // Minutes that passed while the machine slept are in the datapoints of the last.
      evaluate(Math.max(nextMs, Math.floor(clock.nowMs() / MINUTE_MS) * MINUTE_MS));
      waitForMinute();
    });
  };

  return {
    add(properties) {
      const rule = parseAlarm(properties);
      for (const { metric } of rule.metrics) store.watch(metric, keepMsOf(rule));
      const warmAtMs = clock.nowMs() + rule.warmUpMinutes * MINUTE_MS;
      alarms.push({ rule, warmAtMs, verdict: UNKNOWN });
    },
    start() {
      if (alarms.length > 0) waitForMinute();
    },
    stop: () => cancel(),
    list: () => alarms.map(({ rule: { name }, verdict }) => ({ name, ...verdict })),
  };
}
