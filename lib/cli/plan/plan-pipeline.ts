/** Plans a pipeline before there is any cloud: resources, shards, and what a month costs. */
import type { PipelineSettings } from '#config/pipeline-settings';
import { keyPaths } from '#config/record-key';
import { alarmName } from '#config/resource-names';
import { billOf } from '#core/capacity/bill';
import type { Bill, Usage } from '#core/capacity/bill';
import { pageMsMax } from '#core/capacity/function-usage';
import { keyRate } from '#core/capacity/key-rate';
import type { KeyRate } from '#core/capacity/key-rate';
import { keySpread } from '#core/capacity/key-spread';
import type { CountedKey, KeySpread } from '#core/capacity/key-spread';
import { planShards } from '#core/capacity/plan-shards';
import type { ShardPlan } from '#core/capacity/plan-shards';
import { PRICES } from '#core/capacity/prices';
import { onDemandUsage } from '#core/capacity/stream-usage';
import { planAlarms } from '#infra/alarms/plan-alarms';
import { usageOf } from './month.ts';
import type { Load } from './month.ts';
import { pipelineResources } from './resources.ts';
import type { ResourceGroup } from './resources.ts';

export interface PlanAsk {
  readonly stage: string;
  readonly region: string;
  /** Mean load of the month, in per cent of the peak; undefined when nobody says. */
  readonly meanPercent: number | undefined;
}

export interface ShardReasons extends ShardPlan {
  readonly recordsPerSecPeak: number;
  readonly recordBytesMean: number;
  readonly headroom: number;
  readonly readers: number;
  readonly key: KeyRate;
  /** How long a page of the source may take at the peak, in ms. */
  /** Undefined where one answer holds everything. */
  readonly pageMsMax: number | undefined;
}

export interface PipelinePlan {
  readonly pipeline: string;
  readonly resources: readonly ResourceGroup[];
  /** How measured keys spread over the shards; undefined unless they are given. */
  readonly keys: KeySpread | undefined;
  /** What a record holds that keeps it with others in one shard. */
  readonly partitionBy: string;
  /** Undefined on demand: nobody describes a load. */
  readonly shards: ShardReasons | undefined;
  /** Mean of the month that is priced; undefined when nobody has described it. */
  readonly recordsPerSec: number | undefined;
  readonly bill: Bill;
  /** What the same stream would cost on demand; undefined where it is. */
  readonly streamOnDemand: Bill | undefined;
}

/** @param keys measured, if they are. */
export function planPipeline(
  settings: PipelineSettings,
  ask: PlanAsk,
  keys?: readonly CountedKey[],
): PipelinePlan {
  const { name, record } = settings;
  const alarms = planAlarms(ask.stage, settings);
  const shards = reasonsOf(settings);
  const recordsPerSec = shards && (shards.recordsPerSecPeak * (ask.meanPercent ?? 100)) / 100;
  const load = shards && {
    recordsPerSec: recordsPerSec ?? shards.recordsPerSecPeak,
    recordBytes: shards.recordBytesMean,
  };
  const usages = usageOf(settings, {
    shardCount: shards?.shardCount,
    load,
    alarmMetrics: alarms.reduce((sum, { metrics }) => sum + metrics.length, 0),
  });
  return {
    pipeline: name,
    resources: pipelineResources(
      ask,
      settings,
      alarms.map(({ id }) => alarmName(ask.stage, name, id)),
    ),
    partitionBy: keyPaths(record.partitionBy).join(' and '),
    keys: keys && keySpread(keys, shards && { ...shards, sharedReaders: shards.readers }),
    shards,
    recordsPerSec,
    bill: billOf(usages, PRICES, ask.region),
    streamOnDemand: shards && billOf(streamOnDemand(settings, load), PRICES, ask.region),
  };
}

function streamOnDemand(
  { stream: { retentionHours }, consumers }: PipelineSettings,
  load: Load | undefined,
): readonly Usage[] {
  const { recordsPerSec, recordBytes } = load ?? {};
  return onDemandUsage(consumers.length, { recordsPerSec, recordBytes, retentionHours });
}

function reasonsOf({ stream, consumers, source }: PipelineSettings): ShardReasons | undefined {
  const { load } = stream;
  if ('onDemand' in load) return undefined;
  const readers = consumers.length;
  return {
    ...load,
    readers,
    ...planShards({ ...load, sharedReaders: readers }),
    key: keyRate({ recordBytes: load.recordBytesMean, sharedReaders: readers }),
    pageMsMax:
      source.pageSize &&
      pageMsMax({ recordsPerSec: load.recordsPerSecPeak, pageSize: source.pageSize.value }),
  };
}
