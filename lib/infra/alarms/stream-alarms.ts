/** Alarms of a pipeline's stream. */
import type { PipelineSettings } from '#config/pipeline-settings';
import { pipelineNames } from '#config/resource-names';
import { shardCountOf } from '#config/shard-count';
import { shardsTake } from '#core/capacity/shard-usage';
import { kinesisMetric } from './metrics.ts';
import { MINUTE_SEC } from './periods.ts';
import type { PlannedAlarm } from './planned-alarm.ts';
import { AT_ONCE, IN_MINUTES } from './rings.ts';

/** Share of what the shards take from which a stream counts as full. */
const FULL_PERCENT = 80;

export function streamAlarms(stage: string, settings: PipelineSettings): readonly PlannedAlarm[] {
  const { stream } = pipelineNames(stage, settings.name);
  const summary = `aws kinesis describe-stream-summary --stream-name ${stream}`;
  const lag = `penstock lag ${settings.name} --cloud aws --stage ${stage}`;
  return [
    {
      id: 'write-throttled',
      title: 'The stream refuses writes',
      meaning:
        'A shard is written to faster than it takes; refused entries are sent again, so polls grow slow.',
      firstStep: summary,
      metrics: [kinesisMetric('WriteProvisionedThroughputExceeded', stream)],
      ...IN_MINUTES,
    },
    {
      id: 'read-throttled',
      title: 'The stream refuses reads',
      meaning: 'More readers than a shard serves: consumers fall behind.',
      firstStep: lag,
      metrics: [kinesisMetric('ReadProvisionedThroughputExceeded', stream)],
      ...IN_MINUTES,
    },
    ...fullAlarms(stream, shardCountOf(settings)),
  ];
}

/** None on demand, where AWS adds shards. */
function fullAlarms(stream: string, shards: number | undefined): readonly PlannedAlarm[] {
  if (shards === undefined) return [];
  const take = shardsTake({ shards, periodSec: MINUTE_SEC });
  const long = {
    firstStep: `aws kinesis describe-stream-summary --stream-name ${stream}`,
    ...AT_ONCE,
    periodSec: MINUTE_SEC,
    evaluationPeriods: 15,
    datapointsToAlarm: 15,
  };
  const meaning = (what: string): string =>
    `For a quarter of an hour its shards took ${FULL_PERCENT} % of the ${what} they can: a long catch-up, or raise stream.load.`;
  return [
    {
      id: 'records-near-limit',
      title: 'The stream is nearly full of records',
      meaning: meaning('records'),
      metrics: [kinesisMetric('IncomingRecords', stream)],
      ...long,
      threshold: (FULL_PERCENT * take.records) / 100,
    },
    {
      id: 'bytes-near-limit',
      title: 'The stream is nearly full of bytes',
      meaning: meaning('bytes'),
      metrics: [kinesisMetric('IncomingBytes', stream)],
      ...long,
      threshold: (FULL_PERCENT * take.bytes) / 100,
    },
  ];
}
