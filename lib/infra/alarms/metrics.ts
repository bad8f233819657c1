/** The metrics that alarms and dashboards look at, by who publishes them. */
import type { MappingOf, PlannedMetric } from './planned-alarm.ts';

type Statistic = PlannedMetric['statistic'];

/** What a function counts itself: namespace and dimension are set where it is wired. */
export function penstockMetric(name: string, functionName: string, statistic: Statistic = 'Sum') {
  return metric('Penstock', name, { service: functionName }, statistic);
}

/** @source Lambda Developer Guide, types of metrics for functions (2026). */
export function lambdaMetric(name: string, functionName: string, statistic: Statistic = 'Sum') {
  return metric('AWS/Lambda', name, { FunctionName: functionName }, statistic);
}

/** @source Lambda Developer Guide, event source mapping metrics: `EventCount` turns them on. */
export function mappingMetric(name: string, mapping: MappingOf) {
  return metric('AWS/Lambda', name, { EventSourceMappingUUID: mapping }, 'Sum');
}

/** @source Kinesis Developer Guide, basic stream-level metrics. */
export function kinesisMetric(name: string, streamName: string) {
  return metric('AWS/Kinesis', name, { StreamName: streamName }, 'Sum');
}

/** @source EventBridge Scheduler user guide, monitoring with CloudWatch. */
export function schedulerMetric(name: string, groupName: string) {
  return metric('AWS/Scheduler', name, { ScheduleGroup: groupName }, 'Sum');
}

function metric(
  namespace: string,
  name: string,
  dimensions: PlannedMetric['dimensions'],
  statistic: Statistic,
): PlannedMetric {
  return { id: 'value', namespace, name, statistic, dimensions };
}
