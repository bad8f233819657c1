/** Alarms of one consumer: its mapping and its function. */
import type { ConsumerSettings, PipelineSettings } from '#config/pipeline-settings';
import { pollSpanSec } from '#config/poll-span';
import { consumerNames, pipelineNames } from '#config/resource-names';
import { kinesisMetric, lambdaMetric, mappingMetric, penstockMetric } from './metrics.ts';
import { MINUTE_SEC, periodOf } from './periods.ts';
import type { PlannedAlarm } from './planned-alarm.ts';
import { AT_ONCE, FIVE_MINUTES_SEC, IN_MINUTES } from './rings.ts';

const MS_PER_SEC = 1_000;
const MS_PER_MINUTE = 60_000;
/** Share of the timeout from which a batch is too slow. */
const SLOW_PERCENT = 80;
/** Three of them are less than a day. */
const NOTHING_PERIOD_SEC_MAX = 21_600;

export function consumerAlarms(
  stage: string,
  settings: PipelineSettings,
  consumer: ConsumerSettings,
): readonly PlannedAlarm[] {
  return [
    ...deliveryAlarms(stage, settings, consumer),
    ...givenUpAlarms(stage, settings, consumer),
    ...functionAlarms(stage, settings, consumer),
  ];
}

function deliveryAlarms(
  stage: string,
  { name: pipeline, alarms, schedule }: PipelineSettings,
  { name, batchingWindowSec }: ConsumerSettings,
): readonly PlannedAlarm[] {
  const { stream } = pipelineNames(stage, pipeline);
  const fn = consumerNames(stage, pipeline, name).function;
  return [
    {
      id: `iterator-age-${name}`,
      title: 'A consumer is behind',
      meaning: `Records are ${alarms.iteratorAgeMinutes} minutes old when it gets them: it fails, or cannot keep up.`,
      firstStep: `penstock lag ${pipeline} --cloud aws --stage ${stage}`,
      metrics: [lambdaMetric('IteratorAge', fn, 'Maximum')],
      ...IN_MINUTES,
      // Once is enough: retries come at growing distances, and minutes between say nothing.
      datapointsToAlarm: 1,
      threshold: alarms.iteratorAgeMinutes * MS_PER_MINUTE,
    },
    {
      id: `delivered-nothing-${name}`,
      title: 'A consumer receives nothing',
      meaning:
        'Records arrive in the stream and none reaches it: its mapping is off, or it crashes.',
      firstStep: `aws lambda list-event-source-mappings --function-name ${fn}`,
      metrics: [
        { ...kinesisMetric('IncomingRecords', stream), id: 'arrived' },
        { ...penstockMetric('RecordsReceived', fn), id: 'received' },
      ],
      expression: 'IF(FILL(arrived, 0) > 0 AND FILL(received, 0) == 0, 1, 0)',
      ...AT_ONCE,
      // A record may arrive in one period and be received in the next; never in the one after.
      periodSec: periodOf(
        Math.min(
          Math.max(pollSpanSec(schedule, 1), batchingWindowSec + MINUTE_SEC, FIVE_MINUTES_SEC),
          NOTHING_PERIOD_SEC_MAX,
        ),
      ),
      evaluationPeriods: 3,
      datapointsToAlarm: 3,
    },
  ];
}

function givenUpAlarms(
  stage: string,
  { name: pipeline }: PipelineSettings,
  { name }: ConsumerSettings,
): readonly PlannedAlarm[] {
  const fn = consumerNames(stage, pipeline, name).function;
  const firstStep = `penstock quarantine list ${pipeline} --cloud aws --stage ${stage}`;
  return [
    {
      id: `gave-up-${name}`,
      title: 'A batch is given up',
      meaning:
        'Its attempts or its age ran out. Each record is tried again within minutes; what does not end rests in quarantine.',
      firstStep,
      metrics: [mappingMetric('OnFailureDestinationDeliveredEventCount', { mappingOf: name })],
      ...AT_ONCE,
    },
    {
      id: `gave-up-lost-${name}`,
      title: 'What is given up cannot be kept',
      meaning:
        'Quarantine takes no batch: its records remain only in the stream, until they expire.',
      firstStep,
      metrics: [lambdaMetric('DestinationDeliveryFailures', fn)],
      ...AT_ONCE,
    },
  ];
}

function functionAlarms(
  stage: string,
  { name: pipeline }: PipelineSettings,
  { name, timeoutSec }: ConsumerSettings,
): readonly PlannedAlarm[] {
  const fn = consumerNames(stage, pipeline, name).function;
  const logs = `aws logs tail /aws/lambda/${fn} --since 1h`;
  return [
    {
      id: `breaker-open-${name}`,
      title: 'A consumer stands still',
      meaning:
        'It would refuse most of what arrives, for one reason: a bad deployment, or a source that changed. Records wait in the stream.',
      firstStep: `penstock breaker show ${pipeline} --cloud aws --stage ${stage}`,
      metrics: [penstockMetric('BreakerOpen', fn, 'Maximum')],
      ...AT_ONCE,
      // A held batch comes again at growing distances: minutes without one say nothing.
      evaluationPeriods: 3,
    },
    {
      id: `quarantine-growing-${name}`,
      title: 'A consumer refuses records',
      meaning: 'Records of the stream cannot be taken as they are; they rest in quarantine.',
      firstStep: `penstock quarantine list ${pipeline} --consumer ${name} --cloud aws --stage ${stage}`,
      metrics: [penstockMetric('RecordsRefused', fn)],
      ...AT_ONCE,
    },
    {
      id: `errors-${name}`,
      title: 'A consumer breaks off',
      meaning:
        'It crashes or runs into its timeout or memory; the batch is tried again, then halved.',
      firstStep: `${logs} --filter-pattern "?ERROR ?REPORT"`,
      metrics: [lambdaMetric('Errors', fn)],
      ...IN_MINUTES,
      datapointsToAlarm: 2,
    },
    {
      id: `throttles-${name}`,
      title: 'A consumer is throttled',
      meaning: "The account's concurrency is used up: batches wait.",
      firstStep: 'aws lambda get-account-settings',
      metrics: [lambdaMetric('Throttles', fn)],
      ...IN_MINUTES,
    },
    {
      id: `duration-${name}`,
      title: 'A consumer is near its timeout',
      meaning: `Batches take ${SLOW_PERCENT} % of the time they have: what it writes to or calls is slow, or lower batchSize.`,
      firstStep: `${logs} --filter-pattern BatchConsumed`,
      metrics: [lambdaMetric('Duration', fn, 'Maximum')],
      ...IN_MINUTES,
      threshold: (SLOW_PERCENT * timeoutSec * MS_PER_SEC) / 100,
    },
  ];
}
