/** Plans the graphs of a pipeline's dashboard. */
import type { PipelineSettings } from '#config/pipeline-settings';
import { consumerNames, pipelineNames } from '#config/resource-names';
import { shardsTake } from '#core/capacity/shard-usage';
import { kinesisMetric, lambdaMetric, penstockMetric } from '#infra/alarms/metrics';
import type { PlannedMetric } from '#infra/alarms/planned-alarm';
import { shardCountOf } from '#config/shard-count';

export interface PlannedLine {
  readonly label: string;
  readonly metric: PlannedMetric;
  /** The line is the metric's share of this, in per cent, at whatever period is shown. */
  readonly ofPerSec?: number;
}

export interface PlannedGraph {
  readonly title: string;
  /** What the numbers are. */
  readonly unit: string;
  readonly lines: readonly PlannedLine[];
}

/** In the order of an operator's questions: how far behind, what flows, how full, what fails. */
export function planDashboard(stage: string, settings: PipelineSettings): readonly PlannedGraph[] {
  const { name, consumers } = settings;
  const { pollFunction: poll, stream } = pipelineNames(stage, name);
  const readers = consumers.map((consumer) => ({
    name: consumer.name,
    fn: consumerNames(stage, name, consumer.name).function,
  }));
  const functions = [{ name: 'poll', fn: poll }, ...readers];
  const throttled = ['Write', 'Read'].map((way) => ({
    label: `${way.toLowerCase()}s of the stream`,
    metric: kinesisMetric(`${way}ProvisionedThroughputExceeded`, stream),
  }));
  return [
    {
      title: 'Behind: age of records when a consumer gets them',
      unit: 'ms',
      lines: readers.map(({ name: label, fn }) => ({
        label,
        metric: lambdaMetric('IteratorAge', fn, 'Maximum'),
      })),
    },
    {
      title: 'Behind: the source, less what is read of it',
      unit: 'ms',
      lines: [{ label: 'source', metric: penstockMetric('SourceBehind', poll, 'Maximum') }],
    },
    { title: 'Flow', unit: 'records', lines: flowLines(poll, stream, readers) },
    fullness(stream, shardCountOf(settings)),
    { title: 'Errors', unit: 'invocations', lines: lambdaLines('Errors', functions) },
    {
      title: 'Throttles',
      unit: 'calls',
      lines: [...lambdaLines('Throttles', functions), ...throttled],
    },
    {
      title: 'Duration, longest',
      unit: 'ms',
      lines: lambdaLines('Duration', functions, 'Maximum'),
    },
  ];
}

interface NamedFunction {
  readonly name: string;
  readonly fn: string;
}

function flowLines(poll: string, stream: string, readers: readonly NamedFunction[]) {
  const counted = (label: string, metric: string, fn: string): PlannedLine => ({
    label,
    metric: penstockMetric(metric, fn),
  });
  return [
    counted('polled', 'RecordsPolled', poll),
    counted('published', 'RecordsPublished', poll),
    counted('refused by the poll', 'RecordsRefused', poll),
    { label: 'arrived', metric: kinesisMetric('IncomingRecords', stream) },
    ...readers.flatMap(({ name, fn }) =>
      ['Written', 'Stale', 'Refused', 'Returned'].map((end) =>
        counted(`${name}: ${end.toLowerCase()}`, `Records${end}`, fn),
      ),
    ),
  ];
}

/** On demand there is nothing to be full of: AWS adds shards. */
function fullness(stream: string, shards: number | undefined): PlannedGraph {
  const bytes = kinesisMetric('IncomingBytes', stream);
  const records = kinesisMetric('IncomingRecords', stream);
  if (shards === undefined) {
    return { title: 'Bytes on demand', unit: 'bytes', lines: [{ label: 'bytes', metric: bytes }] };
  }
  const take = shardsTake({ shards, periodSec: 1 });
  return {
    title: `How full ${shards === 1 ? 'the shard is' : `the ${shards} shards are`}`,
    unit: '%',
    lines: [
      { label: 'bytes', metric: bytes, ofPerSec: take.bytes },
      { label: 'records', metric: records, ofPerSec: take.records },
    ],
  };
}

function lambdaLines(
  name: string,
  functions: readonly NamedFunction[],
  statistic?: PlannedMetric['statistic'],
): readonly PlannedLine[] {
  return functions.map(({ name: label, fn }) => ({
    label,
    metric: lambdaMetric(name, fn, statistic),
  }));
}
