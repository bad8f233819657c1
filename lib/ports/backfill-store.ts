import type { HeldJob, HeldJobs } from './held-job.ts';

/** How far a backfill has come. */
export interface BackfillPlace {
  /** As `encodeCursor` wrote it; undefined before the first page. */
  readonly cursor: string | undefined;
  /** What was published and may wait for consumers, as `encodeMarks` wrote it. */
  readonly sent: string | undefined;
  /** No request to the source may start before this moment; 0 when none was asked for. */
  readonly notBeforeMs: number;
}

/** A pipeline's backfill: one at a time. `places` is undefined before the first page. */
export interface BackfillStore extends HeldJobs<string, BackfillPlace | undefined> {
  /** Keeps how far it came; false, and nothing is kept, where one with a higher epoch has been. */
  move(pipeline: string, run: HeldJob, place: BackfillPlace): Promise<boolean>;
}
