/** Makes an alarm's datapoints of what was measured. */
import { MINUTE_MS } from '#local/metrics/metric-store';
import type { Aggregate, MetricStore, Span } from '#local/metrics/metric-store';
import { evaluationRange } from './alarm-rule.ts';
import type { AlarmRule, Statistic } from './alarm-rule.ts';
import type { Datapoint } from './decide-state.ts';
import { compute } from './expression.ts';
import type { Value } from './expression.ts';

type Timing = Pick<AlarmRule, 'periodSec' | 'evaluationPeriods'>;

const HOUR_MS = 60 * MINUTE_MS;
const DAY_SEC = 24 * 60 * 60;

/** How long an alarm needs what was measured. */
export function keepMsOf(timing: Timing): number {
  return evaluationRange(timing) * timing.periodSec * 1_000;
}

/**
 * The periods of an evaluation range, oldest first: whole minutes that end with the last full one.
 * A period of five minutes ends with every minute, not with every fifth.
 *
 * @source CloudWatch User Guide, "Alarm evaluation".
 */
export function periodsOf(timing: Timing, nowMs: number): readonly Span[] {
  const endMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const periodMs = timing.periodSec * 1_000;
  const count = evaluationRange(timing);
  return Array.from({ length: count }, (_, index) => {
    const fromMs = endMs - (count - index) * periodMs;
    return { fromMs, toMs: fromMs + periodMs };
  });
}

/**
 * Every minute; of an alarm that looks back more than a day, every hour.
 *
 * @source CloudWatch User Guide, "Alarm evaluation".
 */
export function isDue({ periodSec, evaluationPeriods }: Timing, minuteMs: number): boolean {
  return periodSec * evaluationPeriods <= DAY_SEC || minuteMs % HOUR_MS === 0;
}

export function datapointsOf(
  rule: AlarmRule,
  read: MetricStore['read'],
  nowMs: number,
): readonly Datapoint[] {
  return periodsOf(rule, nowMs).map((span) => {
    const values = new Map<string, Value>();
    for (const { id, metric, statistic } of rule.metrics) {
      values.set(id, statisticOf(read(metric, span), statistic));
    }
    return { atMs: span.fromMs, value: compute(rule.expression, (name) => values.get(name)) };
  });
}

function statisticOf(aggregate: Aggregate | undefined, statistic: Statistic): Value {
  if (aggregate === undefined) return undefined;
  const { count, sum, min, max } = aggregate;
  switch (statistic) {
    case 'Sum':
      return sum;
    case 'Average':
      return sum / count;
    case 'Minimum':
      return min;
    case 'Maximum':
      return max;
    case 'SampleCount':
      return count;
  }
}
