import type { IncrementalSettings, SourceSettings } from './pipeline-settings.ts';

/** How a source is asked for what changed since a time; undefined where it is asked otherwise. */
export function byTime({
  incremental,
}: Pick<SourceSettings, 'incremental'>): IncrementalSettings | undefined {
  return incremental.kind === undefined || incremental.kind === 'time' ? incremental : undefined;
}
