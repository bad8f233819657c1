/** What a source is asked for a slice of its history: one span or, where it sets a limit, several. */
import { timestampOfMs } from '#core/record/timestamp';
import type { Timestamp } from '#core/record/timestamp';
import { tickFrom } from './bound.ts';
import type { Incremental } from './page-query.ts';
import type { Slice } from './plan-slices.ts';
import { planSpan } from './span.ts';
import type { Span } from './span.ts';

/** So that a span ends with its slice, though it may be asked for from a tick before it. */
const TICK_MS_MAX = 1_000;

/** The source as it is asked within a slice. What live polls have come past is settled: the horizon was kept before. */
export function withinSlice({ fromMs, toMs }: Slice, incremental: Incremental): Incremental {
  const { until } = incremental;
  if (until === undefined) return incremental;
  const windowMs = Math.min(until.windowMs ?? Infinity, toMs - fromMs + TICK_MS_MAX);
  return { ...incremental, horizonMs: 0, until: { ...until, windowMs } };
}

/** The end that the last of its spans asks for: no row of the slice lies at it or after it. */
export function sliceEnd({ toMs }: Slice, incremental: Incremental): Timestamp {
  return tickFrom(timestampOfMs(toMs), incremental);
}

/** The spans of a slice, in the order they are asked for. */
export function sliceSpans(slice: Slice, incremental: Incremental): readonly Span[] {
  const bounded = withinSlice(slice, incremental);
  const end = sliceEnd(slice, incremental);
  const spans: Span[] = [];
  for (let from = timestampOfMs(slice.fromMs); from < end;) {
    const span = planSpan(bounded, from, slice.toMs);
    spans.push(span);
    from = span.to ?? end;
  }
  return spans;
}
