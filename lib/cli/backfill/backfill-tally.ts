/** What a backfill has done so far, and how long it may take. Pure. */
import type { Slice } from '#core/source/plan-slices';
import type { TelemetryEvent } from '#core/telemetry-event';

export interface BackfillTally {
  readonly slices: { readonly done: number; readonly all: number };
  /** Of this run, as are those below. */
  readonly records: number;
  readonly published: number;
  readonly refused: number;
  readonly recordsPerSec: number;
  /** Where the slice begins that is read now; undefined before the first and after the last. */
  readonly readsAtMs: number | undefined;
  /** What it waits for; undefined while it works. */
  readonly waitsFor: string | undefined;
  /** Until it is over, as fast as so far; undefined while nobody can say. */
  readonly leftMs: number | undefined;
}

export function backfillTally(ask: {
  readonly slices: number;
  readonly doneBefore: number;
  readonly startedMs: number;
}) {
  let [records, published, refused, done] = [0, 0, 0, ask.doneBefore];
  let readsAtMs: number | undefined;
  let waitsFor: string | undefined;
  return {
    hear(event: TelemetryEvent): void {
      if (event.event === 'PagePublished') {
        records += event.records;
        published += event.published;
      }
      if (event.event === 'RecordRefused') refused++;
    },
    begin(slice: Slice, doneNow: number): void {
      readsAtMs = slice.fromMs;
      done = doneNow;
    },
    end(): void {
      readsAtMs = undefined;
      done = ask.slices;
    },
    wait(why: string | undefined): void {
      waitsFor = why;
    },
    look(nowMs: number): BackfillTally {
      const tookMs = Math.max(1, nowMs - ask.startedMs);
      const ofThisRun = done - ask.doneBefore;
      return {
        slices: { done, all: ask.slices },
        records,
        published,
        refused,
        recordsPerSec: (records * 1_000) / tookMs,
        readsAtMs,
        waitsFor,
        leftMs: ofThisRun > 0 ? (tookMs * (ask.slices - done)) / ofThisRun : undefined,
      };
    },
  };
}
