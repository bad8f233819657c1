/** A pipeline's month: what its settings say it uses. */
import { byTime } from '#config/by-time';
import { cronTicks } from '#config/cron-ticks';
import type { PipelineSettings, ScheduleSettings } from '#config/pipeline-settings';
import { requiredSecrets } from '#config/required-settings';
import { HOURS_PER_MONTH } from '#core/capacity/bill';
import type { Usage } from '#core/capacity/bill';
import { consumerWork, pollWork, workUsage } from '#core/capacity/function-usage';
import { onDemandUsage, provisionedUsage } from '#core/capacity/stream-usage';

const MINUTES_PER_HOUR = 60;
const YEAR = { firstDay: '2027-01-01', days: 365 };
const MONTHS_PER_YEAR = 12;

/** Metrics that functions count themselves, once their first batch, page and poll is done. */
export const METRICS = { consumer: 10, poll: 16 };
/** @source Lambda Developer Guide, event source mapping metrics: what EventCount turns on. */
const MAPPING_METRICS = 6;

/** What reads given-up batches ticks every five minutes. */
const RECOVERY_TICKS = ticksPerMonth({ everyMinutes: 5 });

export interface Load {
  readonly recordsPerSec: number;
  readonly recordBytes: number;
}

/** @example ticksPerMonth({ everyMinutes: 5 }); // 8_760 */
export function ticksPerMonth(schedule: ScheduleSettings): number {
  return 'everyMinutes' in schedule
    ? (HOURS_PER_MONTH * MINUTES_PER_HOUR) / schedule.everyMinutes
    : cronTicks(schedule.cron, YEAR.firstDay, YEAR.days).length / MONTHS_PER_YEAR;
}

/**
 * @param shardCount undefined on demand.
 * @param load the month's mean; undefined when nobody has described it.
 * @param alarmMetrics metrics that the alarms watch together.
 */
export function usageOf(
  settings: PipelineSettings,
  {
    shardCount,
    load,
    alarmMetrics,
  }: {
    readonly shardCount: number | undefined;
    readonly load: Load | undefined;
    readonly alarmMetrics: number;
  },
): readonly Usage[] {
  const { stream, consumers } = settings;
  const { retentionHours } = stream;
  const rates = {
    recordsPerSec: load?.recordsPerSec,
    recordBytes: load?.recordBytes,
    retentionHours,
  };
  return [
    ...(shardCount === undefined
      ? onDemandUsage(consumers.length, rates)
      : provisionedUsage(shardCount, rates)),
    ...workUsages(settings, shardCount, load),
    ...(consumers.some(({ kind }) => kind === 'table')
      ? [
          row('tables', 'storage', 'tableStorage', undefined),
          row('tables', 'restore to any second', 'tableRecovery', undefined),
        ]
      : []),
    row(
      'watching',
      'metrics of ours',
      'metric',
      METRICS.poll + consumers.length * METRICS.consumer,
    ),
    row('watching', 'metrics of mappings', 'mappingMetric', consumers.length * MAPPING_METRICS),
    row('watching', 'alarms', 'alarm', alarmMetrics),
    row('watching', 'dashboard', 'dashboard', 1),
    row('watching', 'alarms sent', 'notification', undefined),
    ...others(settings),
  ];
}

function workUsages(
  { consumers, poll, source, schedule }: PipelineSettings,
  shardCount: number | undefined,
  load: Load | undefined,
): readonly Usage[] {
  const polls =
    load &&
    pollWork({
      recordsPerSec: load.recordsPerSec,
      ticksPerMonth: ticksPerMonth(schedule),
      pageSize: source.pageSize?.value ?? Infinity,
      horizonSec: byTime(source)?.horizonSec ?? 0,
      memoryMb: poll.memoryMb,
    });
  return [
    ...workUsage('poll', polls),
    ...consumers.flatMap((consumer) => {
      const isKnown = load !== undefined && shardCount !== undefined;
      const work = isKnown ? consumerWork({ ...consumer, ...load, shardCount }) : undefined;
      return workUsage(consumer.name, work);
    }),
  ];
}

function others(settings: PipelineSettings): readonly Usage[] {
  const { schedule, stream } = settings;
  const secrets = requiredSecrets(settings).length;
  const [name, of] = secrets > 1 ? ['secrets', 'the secrets'] : ['secret', 'the secret'];
  return [
    row('others', 'schedules', 'scheduleTick', ticksPerMonth(schedule) + RECOVERY_TICKS),
    ...(secrets > 0
      ? [
          row('others', name, 'secret', secrets),
          row('others', `reads of ${of}`, 'secretRequest', undefined),
        ]
      : []),
    row(
      'others',
      stream.kmsKeyArn === undefined ? "requests to AWS's key" : 'requests to your key',
      'keyRequest',
      undefined,
    ),
    row('others', 'refused records put', 'objectPut', undefined),
    row('others', 'refused records kept', 'objectStorage', undefined),
  ];
}

function row(
  group: Usage['group'],
  what: string,
  price: Usage['price'],
  quantity: number | undefined,
): Usage {
  return { group, what, price, quantity };
}
