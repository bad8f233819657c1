/** Runs a backfill that was taken up, and shows how far it is. */
import type { Connection } from '#cli/connection';
import type { Io } from '#cli/io';
import { showProgress } from '#cli/progress';
import { backfillLine } from '#cli/render/backfill';
import type { OpenSource } from '#cli/source/open-source';
import type { PipelineSettings } from '#config/pipeline-settings';
import type { Incremental } from '#core/source/page-query';
import type { Slice } from '#core/source/plan-slices';
import { patientConsumers } from '#functions/poll/poll-options';
import { backfill, isDone } from '#pipeline/backfill';
import type { BackfillEnd } from '#pipeline/backfill';
import type { JobTaken } from '#pipeline/hold-job';
import type { BackfillPlace, BackfillStore } from '#ports/backfill-store';
import { backfillTally } from './backfill-tally.ts';
import type { BackfillTally } from './backfill-tally.ts';
import { openBackfill } from './open-backfill.ts';

export interface BackfillJob {
  readonly connection: Connection;
  readonly stage: string;
  readonly settings: PipelineSettings;
  readonly opened: OpenSource;
  readonly incremental: Incremental;
  readonly store: BackfillStore;
  /** How far behind consumers may be meanwhile. */
  readonly behindMsMax: number;
}

export type TakenBackfill = JobTaken<BackfillPlace | undefined> & { readonly kind: 'taken' };

/** Where it begins anew, `left` being where the one before was: what the source asked of that still holds. */
export function beginAfter(left: BackfillPlace | undefined): BackfillPlace {
  return { cursor: undefined, sent: undefined, notBeforeMs: left?.notBeforeMs ?? 0 };
}

export async function runBackfill(
  { connection, stage, settings, opened, incremental, store, behindMsMax }: BackfillJob,
  ask: {
    readonly slices: readonly Slice[];
    readonly taken: TakenBackfill;
    readonly signal: AbortSignal;
  },
  io: Io,
): Promise<{ readonly end: BackfillEnd; readonly tally: BackfillTally }> {
  const { slices, taken, signal } = ask;
  const { run, places: place } = taken;
  const tally = backfillTally({
    slices: slices.length,
    doneBefore: place ? slices.filter((slice) => isDone(slice, place, incremental)).length : 0,
    startedMs: Date.now(),
  });
  const world = await openBackfill(connection, opened, {
    stage,
    settings,
    signal,
    report: tally.hear,
  });
  const consumers = patientConsumers(settings.consumers);
  const behind = { ageMsMax: behindMsMax, reaction: 'pause', consumers } as const;
  const progress = showProgress((nowMs) => backfillLine(tally.look(nowMs)), io);
  try {
    const poll = { ...opened.options, behind };
    const end = await backfill(
      { poll, incremental, slices, place, epoch: run.epoch, signal },
      {
        ...world,
        move: (next) => store.move(settings.name, run, next),
        onSlice: tally.begin,
        onWait: tally.wait,
      },
    );
    if (end.kind === 'done') tally.end();
    return { end, tally: tally.look(Date.now()) };
  } finally {
    progress.stop();
  }
}
