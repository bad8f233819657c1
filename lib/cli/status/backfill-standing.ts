/** How a backfill stands that is not over. */
import { backfillCommand } from '#cli/backfill/backfill-ask';
import type { BackfillPlan, BackfillWords } from '#cli/backfill/backfill-ask';
import { decodeCursor } from '#core/source/cursor-text';
import { planSlices } from '#core/source/plan-slices';
import { timestampMs } from '#core/record/timestamp';
import type { BackfillStore } from '#ports/backfill-store';
import type { BackfillStanding } from './pipeline-standing.ts';

/** @param where what a command must say to reach the same place. */
export async function backfillStanding(
  store: Pick<BackfillStore, 'read'>,
  pipeline: string,
  { nowMs, where }: { readonly nowMs: number; readonly where: readonly string[] },
): Promise<BackfillStanding | null> {
  const found = await store.read(pipeline);
  if (found?.run.finishedAtMs !== null) return null;
  const { run, places } = found;
  const plan = JSON.parse(run.plan) as BackfillPlan;
  const slices = planSlices(plan);
  const { boundary } = decodeCursor(places?.cursor);
  const reachedMs = boundary === null ? plan.fromMs : timestampMs(boundary);
  return {
    fromMs: plan.fromMs,
    toMs: plan.toMs,
    slices: slices.length,
    done: slices.filter(({ toMs }) => toMs <= reachedMs).length,
    atWork: run.leaseUntilMs > nowMs,
    resumeWith: backfillCommand(pipeline, JSON.parse(run.ask) as BackfillWords, where),
  };
}
