/** Alarms of a pipeline's schedule and its poll function. */
import type { PipelineSettings } from '#config/pipeline-settings';
import { pollSpanSec } from '#config/poll-span';
import { pipelineNames } from '#config/resource-names';
import { lambdaMetric, penstockMetric, schedulerMetric } from './metrics.ts';
import { periodOf } from './periods.ts';
import { PARKED_FROM } from '#core/source/failing';
import type { PlannedAlarm } from './planned-alarm.ts';
import { AT_ONCE, FIVE_MINUTES_SEC } from './rings.ts';
import { isHeldBack, staleAlarm } from './stale-alarm.ts';

const HOUR_SEC = 3_600;
/** A poll ends two seconds before its timeout at the latest, by design. */
const POLL_ENDS_BEFORE_SEC = 1;

export function pollAlarms(stage: string, settings: PipelineSettings): readonly PlannedAlarm[] {
  return [
    ...staleAlarm(stage, settings),
    ...pollingAlarms(stage, settings),
    ...heldBackAlarm(stage, settings),
    ...functionAlarms(stage, settings),
  ];
}

function pollingAlarms(
  stage: string,
  { schedule, name }: PipelineSettings,
): readonly PlannedAlarm[] {
  const names = pipelineNames(stage, name);
  const fn = names.pollFunction;
  const intervalSec = pollSpanSec(schedule, 1);
  // A source that is seldom asked is not asked more seldom for its failures.
  const mayPark = intervalSec < HOUR_SEC;
  const logs = `aws logs tail /aws/lambda/${fn} --since 1h`;
  return [
    {
      id: 'poll-failing',
      title: 'Polls fail',
      meaning:
        'Many polls fail, some in between do not: the source, its secret or the stream refuses now and then. The cursor stands; the next poll goes on from it.',
      firstStep: `${logs} --filter-pattern PollEnded`,
      ...(mayPark
        ? {
            metrics: [
              { ...penstockMetric('PollsFailed', fn), id: 'failed' },
              { ...penstockMetric('SourceParked', fn), id: 'parked' },
            ],
            // What fails in a row rings another bell.
            expression: 'IF(FILL(parked, 0) > 0, 0, FILL(failed, 0))',
          }
        : { metrics: [penstockMetric('PollsFailed', fn)] }),
      ...AT_ONCE,
      periodSec: periodOf(Math.max(PARKED_FROM * intervalSec, FIVE_MINUTES_SEC)),
      // Fewer in a row than park the source are no trouble of their own.
      threshold: mayPark ? PARKED_FROM : 1,
      missingData: 'ignore',
    },
    ...(mayPark ? [parkedAlarm(stage, name, fn)] : []),
    {
      id: 'quarantine-growing-poll',
      title: 'The poll refuses records',
      meaning: 'Records of the source cannot be published; they rest in quarantine with a reason.',
      firstStep: `penstock quarantine list ${name} --consumer poll --cloud aws --stage ${stage}`,
      metrics: [penstockMetric('RecordsRefused', fn)],
      ...AT_ONCE,
    },
    {
      id: 'ticks-dropped',
      title: 'Ticks are dropped',
      meaning: 'The scheduler cannot start the poll function, and has stopped trying for a tick.',
      firstStep: `aws scheduler get-schedule --group-name ${names.scheduleGroup} --name ${names.schedule}`,
      metrics: [schedulerMetric('InvocationDroppedCount', names.scheduleGroup)],
      ...AT_ONCE,
    },
  ];
}

/** A source that is asked less often than the schedule says, because its polls fail in a row. */
function parkedAlarm(stage: string, name: string, fn: string): PlannedAlarm {
  return {
    id: 'poll-parked',
    title: 'The source is parked',
    meaning:
      `${PARKED_FROM} polls or more failed in a row: the source, its secret or the stream refuses. It is asked less and ` +
      'less often, once an hour at last. The cursor stands, and the first success ends it.',
    firstStep: `penstock status ${name} --cloud aws --stage ${stage}`,
    metrics: [penstockMetric('SourceParked', fn)],
    ...AT_ONCE,
  };
}

/** A hold that passes within some minutes is no trouble: it is what the bound is for. */
function heldBackAlarm(
  stage: string,
  { schedule, name, poll }: PipelineSettings,
): readonly PlannedAlarm[] {
  if (!isHeldBack(poll)) return [];
  const intervalSec = pollSpanSec(schedule, 1);
  const periodSec = periodOf(Math.max(3 * intervalSec, 3 * FIVE_MINUTES_SEC));
  return [
    {
      id: 'poll-held-back',
      title: 'Polls wait for a consumer',
      meaning:
        'A consumer is further behind than poll.behind allows: nothing new is read, and polls go on by themselves once it has come close.',
      firstStep: `penstock status ${name} --cloud aws --stage ${stage}`,
      metrics: [penstockMetric('PollsHeldBack', pipelineNames(stage, name).pollFunction)],
      ...AT_ONCE,
      periodSec,
      // Two polls of three.
      threshold: Math.max(1, Math.floor((2 * periodSec) / (3 * intervalSec))),
      missingData: 'ignore',
    },
  ];
}

function functionAlarms(stage: string, { poll, name }: PipelineSettings): readonly PlannedAlarm[] {
  const fn = pipelineNames(stage, name).pollFunction;
  const logs = `aws logs tail /aws/lambda/${fn} --since 1h`;
  return [
    {
      id: 'errors-poll',
      title: 'The poll function breaks off',
      meaning:
        'It crashed, or ran into its timeout or its memory; the next poll goes on from the saved cursor.',
      firstStep: `${logs} --filter-pattern "?ERROR ?REPORT"`,
      metrics: [lambdaMetric('Errors', fn)],
      ...AT_ONCE,
    },
    {
      id: 'throttles-poll',
      title: 'The poll function is never started',
      meaning:
        'Lambda throttles it and no poll runs; ticks during a long poll are throttled by design, and do not ring.',
      firstStep: `aws lambda get-function-concurrency --function-name ${fn}`,
      metrics: [
        { ...lambdaMetric('Throttles', fn), id: 'throttled' },
        { ...lambdaMetric('Invocations', fn), id: 'started' },
      ],
      expression: 'IF(FILL(throttled, 0) > 0 AND FILL(started, 0) == 0, 1, 0)',
      ...AT_ONCE,
      // Within one poll's time there is a start, unless two periods run without.
      periodSec: periodOf(Math.max(poll.timeoutSec, FIVE_MINUTES_SEC)),
      evaluationPeriods: 2,
      datapointsToAlarm: 2,
    },
    {
      id: 'duration-poll',
      title: 'A poll reaches its timeout',
      meaning:
        'A poll that catches up ends by itself shortly before; this one did not, and may be cut off.',
      firstStep: `${logs} --filter-pattern REPORT`,
      metrics: [lambdaMetric('Duration', fn, 'Maximum')],
      ...AT_ONCE,
      threshold: (poll.timeoutSec - POLL_ENDS_BEFORE_SEC) * 1_000,
    },
  ];
}
