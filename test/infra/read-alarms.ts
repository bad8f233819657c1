/** Reads alarms out of a template. */
import type { Template } from 'aws-cdk-lib/assertions';
import { expect } from 'vitest';
import type { PipelineInput } from '#config/pipeline-input';
import { ticketsInput } from '#test/config/pipeline-input';
import { synthesize } from '#test/infra/synthesize';

export const RUN = 'penstock-test-tickets-run';

interface Metric {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions: readonly { readonly Name: string; readonly Value: unknown }[];
}

interface Query {
  readonly Id: string;
  readonly Expression?: string;
  readonly MetricStat?: { readonly Metric: Metric; readonly Stat: string; readonly Period: number };
  readonly ReturnData: boolean;
}

/** What CloudFormation is told of an alarm: of one metric, or of several queries. */
export interface Alarm extends Metric {
  readonly AlarmDescription: string;
  readonly Statistic: string;
  readonly Period: number;
  readonly Metrics?: readonly Query[];
  readonly Threshold: number;
  readonly ComparisonOperator: string;
  readonly EvaluationPeriods: number;
  readonly DatapointsToAlarm: number;
  readonly TreatMissingData: string;
  readonly WarmUpConfiguration?: {
    readonly WarmUpPeriodDurationInMinutes: number;
    readonly OnlyStartEvaluatingAfterWarmUpPeriodEnds: boolean;
  };
  readonly AlarmActions: readonly unknown[];
  readonly OKActions: readonly unknown[];
}

/** Alarms of a template, by the last part of their names. */
export const alarmsOf = (template: Template): ReadonlyMap<string, Alarm> =>
  new Map(
    Object.values(template.findResources('AWS::CloudWatch::Alarm')).map(({ Properties }) => [
      Properties['AlarmName'].replace('penstock-test-tickets-', ''),
      Properties,
    ]),
  );

/** Alarms of the tickets pipeline, changed. */
export const alarmsFor = async (over: Partial<PipelineInput>) =>
  alarmsOf((await synthesize([ticketsInput(over)])).template(RUN));

const metricText = ({ Namespace, MetricName }: Metric, stat: string) =>
  `${stat} ${Namespace} ${MetricName}`;

const dimensionsIn = ({ Dimensions }: Metric) =>
  Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value]));

/** `Sum Penstock PollsFailed`, its dimensions and period; or the expression with such metrics. */
export function watched(alarm: Alarm): readonly unknown[] {
  const { Metrics: queries } = alarm;
  if (queries === undefined) {
    return [metricText(alarm, alarm.Statistic), dimensionsIn(alarm), alarm.Period];
  }
  expect(queries.filter(({ ReturnData }) => ReturnData)).toHaveLength(1);
  return queries.map(({ Id, Expression, MetricStat }) => {
    if (MetricStat === undefined) return Expression;
    const { Metric: metric, Stat, Period } = MetricStat;
    return [Id, metricText(metric, Stat), dimensionsIn(metric), Period];
  });
}

/** When it rings: comparison, threshold, periods, what silence means. */
export const verdict = (alarm: Alarm) => [
  alarm.ComparisonOperator,
  alarm.Threshold,
  `${alarm.DatapointsToAlarm} of ${alarm.EvaluationPeriods}`,
  alarm.TreatMissingData,
];
