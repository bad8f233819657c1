/** What an alarm is told to look at, and when it is to ring. */
import type { Metric } from '#local/metrics/measurement';
import type { Expression } from './expression.ts';

export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';
export type Statistic = 'Sum' | 'Average' | 'Minimum' | 'Maximum' | 'SampleCount';
export type MissingData = 'breaching' | 'notBreaching' | 'ignore' | 'missing';

export interface AlarmRule {
  readonly name: string;
  /** Shown as what crossed: `AWS/Lambda Errors, Sum`. */
  readonly label: string;
  /** What makes a datapoint. */
  readonly expression: Expression;
  /** What the expression names. */
  readonly metrics: readonly WatchedMetric[];
  /** A multiple of 60. */
  readonly periodSec: number;
  readonly evaluationPeriods: number;
  readonly datapointsToAlarm: number;
  readonly comparison: Comparison;
  readonly threshold: number;
  readonly missingData: MissingData;
  /** From its creation until its first evaluation. */
  readonly warmUpMinutes: number;
}

export interface WatchedMetric {
  /** The expression's word for it. */
  readonly id: string;
  readonly metric: Metric;
  readonly statistic: Statistic;
}

export type Comparison = keyof typeof COMPARISONS;

export const COMPARISONS = {
  GreaterThanThreshold: { sign: '>', crosses: (value: number, limit: number) => value > limit },
  GreaterThanOrEqualToThreshold: {
    sign: '≥',
    crosses: (value: number, limit: number) => value >= limit,
  },
  LessThanThreshold: { sign: '<', crosses: (value: number, limit: number) => value < limit },
  LessThanOrEqualToThreshold: {
    sign: '≤',
    crosses: (value: number, limit: number) => value <= limit,
  },
} as const;

/**
 * How many periods are looked at, so that some of them may be missing. AWS says only that there are
 * more than the alarm's own.
 *
 * @source CloudWatch User Guide, "How alarm state is evaluated when data is missing": 5 for 3.
 */
export function evaluationRange({ evaluationPeriods }: Pick<AlarmRule, 'evaluationPeriods'>) {
  return evaluationPeriods + 2;
}
