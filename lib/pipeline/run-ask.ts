/** What a run asks of its source, from its first page to its last. */
import type { Cursor, Run } from '#core/source/cursor';
import { runQuery } from '#core/source/page-query';
import type { SourceQuery } from '#core/source/page-query';
import { isBehind, planSpan } from '#core/source/span';
import type { Progress } from './read-page.ts';

/** `to`: where the time that it asks for ends; absent where it has no end. */
export type RunAsk = Pick<Run, 'query' | 'to'>;

/** What the run in progress asks, or else the next one. */
export function runAsk(
  { run, boundary, token }: Cursor,
  source: SourceQuery,
  nowMs: number,
): RunAsk {
  const span = planSpan(source.incremental, boundary, nowMs);
  const { query, to } = run ?? { query: runQuery(source, { ...span, token }), to: span.to };
  return to === undefined ? { query } : { query, to };
}

/** Where the next page is asked for: on in the run, or where a link led for what changed since. */
export function placeToAsk({ run, token }: Cursor, { feed }: SourceQuery): string | undefined {
  if (run !== null) return run.token;
  return feed !== undefined && feed.param === undefined ? token : undefined;
}

/**
 * Whether another run belongs to the same poll: the one that ended had a span with an end, and more
 * lies behind it. One that moved nothing is not followed, or it would be without end.
 *
 * @param nowMs when the poll began.
 */
export function goesOn(
  { to }: RunAsk,
  moved: { readonly from: Cursor; readonly to: Cursor },
  world: { readonly source: SourceQuery; readonly progress: Progress; readonly nowMs: number },
): boolean {
  const { nowMs, source, progress } = world;
  if (to === undefined || moved.from.boundary === moved.to.boundary) return false;
  return isBehind(to, source.incremental, { nowMs, sourceMs: progress.sourceMs ?? nowMs });
}
