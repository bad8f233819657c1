import { CfnAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { PlannedAlarm, PlannedMetric } from '#infra/alarms/planned-alarm';

export interface PipelineAlarmsProps {
  readonly alarms: readonly PlannedAlarm[];
  nameOf(id: string): string;
  /** Is told when an alarm begins and when it ends. */
  readonly topicArn: string;
  /** Ids of the consumers' event source mappings, by consumer. */
  readonly mappingIds: ReadonlyMap<string, string>;
}

const COMPARISONS = {
  'at-least': 'GreaterThanOrEqualToThreshold',
  below: 'LessThanThreshold',
} as const satisfies Record<PlannedAlarm['comparison'], string>;

/** Planned alarms as CloudWatch keeps them. */
export class PipelineAlarms extends Construct {
  /** In the order of the plan. */
  readonly arns: readonly string[];

  constructor(scope: Construct, id: string, props: PipelineAlarmsProps) {
    super(scope, id);
    this.arns = props.alarms.map((alarm) => this.add(alarm, props));
  }

  private add(alarm: PlannedAlarm, { nameOf, topicArn, mappingIds }: PipelineAlarmsProps): string {
    const { attrArn } = new CfnAlarm(this, alarm.id, {
      alarmName: nameOf(alarm.id),
      alarmDescription: `${alarm.title}. ${alarm.meaning} First: ${alarm.firstStep}`,
      ...watched(alarm, mappingIds),
      evaluationPeriods: alarm.evaluationPeriods,
      datapointsToAlarm: alarm.datapointsToAlarm,
      comparisonOperator: COMPARISONS[alarm.comparison],
      threshold: alarm.threshold,
      treatMissingData: alarm.missingData,
      ...warmUp(alarm),
      alarmActions: [topicArn],
      okActions: [topicArn],
    });
    return attrArn;
  }
}

function warmUp({ warmUpMinutes: warmUpPeriodDurationInMinutes }: PlannedAlarm) {
  return warmUpPeriodDurationInMinutes === undefined
    ? {}
    : {
        warmUpConfiguration: {
          warmUpPeriodDurationInMinutes,
          onlyStartEvaluatingAfterWarmUpPeriodEnds: true,
        },
      };
}

function watched(
  { metrics, expression, periodSec: period, title }: PlannedAlarm,
  mappingIds: ReadonlyMap<string, string>,
) {
  const stats = metrics.map(({ id, namespace, name: metricName, statistic, dimensions }) => ({
    id,
    statistic,
    metric: { namespace, metricName, dimensions: listed(dimensions, mappingIds) },
  }));
  const [only] = stats;
  if (expression === undefined && only !== undefined) {
    return { ...only.metric, statistic: only.statistic, period };
  }
  return {
    metrics: [
      { id: 'breach', expression: expression ?? '', label: title, returnData: true },
      ...stats.map(({ id, statistic: stat, metric }) => ({
        id,
        metricStat: { metric, period, stat },
        returnData: false,
      })),
    ],
  };
}

/** @throws {Error} when a consumer has no mapping. */
function listed(dimensions: PlannedMetric['dimensions'], mappingIds: ReadonlyMap<string, string>) {
  return Object.entries(dimensions).map(([name, value]) => {
    if (typeof value === 'string') return { name, value };
    const mappingId = mappingIds.get(value.mappingOf);
    if (mappingId === undefined) throw new Error(`consumer ${value.mappingOf} has no mapping`);
    return { name, value: mappingId };
  });
}
