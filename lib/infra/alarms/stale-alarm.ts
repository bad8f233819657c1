/** The alarm of a source that nobody reads. */
import type { PipelineSettings } from '#config/pipeline-settings';
import { pollSpanSec } from '#config/poll-span';
import { pipelineNames } from '#config/resource-names';
import { penstockMetric } from './metrics.ts';
import { inPeriods, MINUTE_SEC } from './periods.ts';
import type { PlannedAlarm } from './planned-alarm.ts';
import { FIVE_MINUTES_SEC } from './rings.ts';

const HOUR_SEC = 3_600;
const DAY_SEC = 86_400;

/**
 * The furthest that an alarm looks back.
 *
 * @source CloudWatch API 2010-08-01, PutMetricAlarm: one day, or seven with periods of an hour.
 */
const LOOKBACK_SEC_MAX = 7 * DAY_SEC;

/** @source CloudWatch API 2010-08-01, WarmUpConfiguration: two days. */
const WARM_UP_MINUTES_MAX = 2_880;

/** None for a schedule so rare that no alarm looks back far enough. */
export function staleAlarm(
  stage: string,
  { schedule, alarms, poll, name }: PipelineSettings,
): readonly PlannedAlarm[] {
  const intervalSec = pollSpanSec(schedule, 1);
  if (2 * intervalSec > LOOKBACK_SEC_MAX) return [];
  // A poll that takes all of its time is heard of only at its end.
  const quietSec = Math.min(
    Math.max(pollSpanSec(schedule, alarms.staleIntervals), intervalSec + poll.timeoutSec),
    LOOKBACK_SEC_MAX,
  );
  const periodSec = periodFor(quietSec);
  const mayHoldBack = isHeldBack(poll);
  const fn = pipelineNames(stage, name).pollFunction;
  const evaluationPeriods = inPeriods(quietSec, periodSec);
  return [
    {
      id: 'poll-stale',
      title: 'The source is not read',
      meaning:
        `No poll has succeeded for ${alarms.staleIntervals} intervals: the tables grow old.` +
        (mayHoldBack ? ' Polls that are held back do not count: see poll-held-back.' : ''),
      firstStep: `penstock poll ${name} --cloud aws --stage ${stage}`,
      ...(mayHoldBack
        ? {
            metrics: [
              { ...penstockMetric('PollsSucceeded', fn), id: 'succeeded' },
              { ...penstockMetric('PollsHeldBack', fn), id: 'held' },
            ],
            // Every poll tells both.
            expression: 'succeeded + held',
          }
        : { metrics: [penstockMetric('PollsSucceeded', fn)] }),
      periodSec,
      evaluationPeriods,
      datapointsToAlarm: evaluationPeriods,
      comparison: 'below',
      threshold: 1,
      missingData: 'breaching',
      // What has not yet been there for so long has missed nothing.
      warmUpMinutes: Math.min(inPeriods(quietSec, MINUTE_SEC), WARM_UP_MINUTES_MAX),
    },
  ];
}

/** Whether polls may wait for consumers. */
export function isHeldBack({ behind }: PipelineSettings['poll']): boolean {
  return behind.reaction === 'pause';
}

/** Short: CloudWatch looks some periods further back before it calls data missing. */
function periodFor(quietSec: number): number {
  if (quietSec <= HOUR_SEC) return MINUTE_SEC;
  return quietSec <= DAY_SEC ? FIVE_MINUTES_SEC : HOUR_SEC;
}
