import type { SourceSettings } from '#config/pipeline-settings';
import { parsePath } from '#core/record/path';
import type { SourceQuery } from '#core/source/page-query';
import { toMark } from './to-pagination.ts';

/** How a source is asked only for what changed, in the terms of the core: by a time, or by a token. */
export function toIncremental(
  incremental: SourceSettings['incremental'],
): Pick<SourceQuery, 'incremental' | 'feed'> {
  if (incremental.kind === 'token') {
    const { param, next, first, expired } = incremental;
    const feed = { param, next: toMark(next), first, expired: expired.status };
    return { incremental: undefined, feed };
  }
  return {
    incremental: {
      param: incremental.param,
      path: parsePath(incremental.field),
      paramFormat: incremental.format,
      fieldFormat: incremental.fieldFormat,
      horizonMs: incremental.horizonSec * 1_000,
      inclusive: incremental.inclusive,
      ordered: incremental.ordered,
    },
  };
}
