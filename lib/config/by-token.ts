import type { DeltaLinkSettings, SourceSettings, TokenSettings } from './pipeline-settings.ts';

/** How a source is asked by what an earlier answer gave it; undefined where it is asked otherwise. */
export function byToken({
  incremental,
}: Pick<SourceSettings, 'incremental'>): TokenSettings | DeltaLinkSettings | undefined {
  const isByToken = incremental.kind === 'token' || incremental.kind === 'delta-link';
  return isByToken ? incremental : undefined;
}
