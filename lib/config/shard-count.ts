/** How many shards a pipeline's stream is made with. */
import type { PipelineSettings } from './pipeline-settings.ts';
import { planShards } from '#core/capacity/plan-shards';

/** Undefined on demand, where AWS adds and removes them. */
export function shardCountOf({
  stream: { load },
  consumers,
}: Pick<PipelineSettings, 'stream' | 'consumers'>): number | undefined {
  if ('onDemand' in load) return undefined;
  return planShards({ ...load, sharedReaders: consumers.length }).shardCount;
}
