import type { SourceSettings } from '#config/pipeline-settings';
import type { ExpiredSettings, KindOfError } from '#config/token-settings';
import { parsePath } from '#core/record/path';
import { parseTimestamp } from '#core/record/timestamp';
import type { KindRule } from '#core/source/body-error';
import type { ExpiryRule } from '#core/source/feed';
import type { SourceQuery } from '#core/source/page-query';
import type { timeFormats } from './time-formats.ts';
import { toMark } from './to-pagination.ts';

/** How a source is asked only for what changed, in the terms of the core: by a time, or by a token. */
export function toIncremental(
  incremental: SourceSettings['incremental'],
  formatOf: ReturnType<typeof timeFormats>,
): Pick<SourceQuery, 'incremental' | 'feed'> {
  if (incremental.kind === 'token') {
    const { param, next, first, expired } = incremental;
    const feed = { param, next: toMark(next), first, expired: toExpiryRule(expired) };
    return { incremental: undefined, feed };
  }
  if (incremental.kind === 'delta-link') {
    const { next, expired } = incremental;
    const feed = { param: undefined, next: parsePath(next), expired: toExpiryRule(expired) };
    return { incremental: undefined, feed };
  }
  if (incremental.kind === 'snapshot') return { incremental: undefined };
  const { param, field, inclusive, ordered, start, until } = incremental;
  return {
    incremental: {
      param,
      path: parsePath(field),
      paramFormat: formatOf(incremental.format),
      fieldFormat: formatOf(incremental.fieldFormat),
      horizonMs: incremental.horizonSec * 1_000,
      inclusive,
      ordered,
      start: start === undefined ? undefined : parseTimestamp(start, 'iso'),
      until: until && { param: until.param, windowMs: until.sec && until.sec * 1_000 },
    },
  };
}

function toExpiryRule({ status, onlyIf }: ExpiredSettings): ExpiryRule {
  return { status, onlyIf: onlyIf && toKindRule(onlyIf) };
}

export function toKindRule({ path, is }: KindOfError): KindRule {
  return { path: parsePath(path), values: is };
}
