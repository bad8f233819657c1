/** A backfill before, while and after it runs, as text and as JSON. */
import type { BackfillPlan, CutOff } from '#cli/backfill/backfill-ask';
import type { BackfillTally } from '#cli/backfill/backfill-tally';
import type { BackfillEstimate } from '#cli/backfill/estimate';
import type { BackfillEnd } from '#pipeline/backfill';
import { count, iso, plural, span } from './text.ts';

export interface BackfillView {
  readonly pipeline: string;
  readonly plan: BackfillPlan;
  readonly slices: number;
  /** How far behind consumers may be meanwhile. */
  readonly behindMsMax: number;
  /** The source has a feed of deletes, which a backfill does not read. */
  readonly leavesDeletes: boolean;
}

/** What will be done. */
export function planLines({
  pipeline,
  plan,
  slices,
  behindMsMax,
  leavesDeletes,
}: BackfillView): string[] {
  const { fromMs, toMs, sliceMs } = plan;
  const left = leavesDeletes ? ' It reads records only: source.deletes is left to live polls.' : '';
  return [
    `${pipeline}: history from ${iso(fromMs)} to ${iso(toMs)}, in ${plural(slices, 'slice')} of ${span(sliceMs)}.${left}`,
    `It waits while a consumer is more than ${span(behindMsMax)} behind. A version that live polls published stands against it.`,
  ];
}

export function cutOffLine({ atMs, of }: CutOff): string {
  return of === 'live'
    ? `Live polls read what changed from ${iso(atMs)} on.`
    : `No poll has come to the end of the source yet: what is older than ${iso(atMs)} may be read.`;
}

/** @example backfillLine(tally) // '12 of 30 slices, 8,400 records, 210 a second; reads 2031-…; about 4 min to go.' */
export function backfillLine(tally: BackfillTally): string {
  const { slices, records, recordsPerSec, readsAtMs, waitsFor, leftMs } = tally;
  const facts = [
    `${count(slices.done)} of ${plural(slices.all, 'slice')}, ${plural(records, 'record')}, ${count(Math.round(recordsPerSec))} a second`,
    ...(readsAtMs === undefined ? [] : [`reads ${iso(readsAtMs)}`]),
    ...(waitsFor === undefined ? [] : [`waits: ${waitsFor}`]),
    ...(leftMs === undefined ? [] : [`about ${span(leftMs)} to go`]),
  ];
  return `${facts.join('; ')}.`;
}

/** How it ended, and what goes on with it. */
export function backfillEndLines(
  end: BackfillEnd,
  { slices, records, published, refused }: BackfillTally,
  resumeWith: string,
): string[] {
  const told =
    `${count(slices.done)} of ${plural(slices.all, 'slice')}, ${plural(records, 'record')} read, ${count(published)} published` +
    (refused === 0 ? '.' : `, ${count(refused)} refused: they rest in quarantine.`);
  switch (end.kind) {
    case 'done':
      return [`Done: ${told}`];
    case 'interrupted':
      return [`Stopped: ${told} This goes on from there:`, resumeWith];
    case 'lost':
      return [`Stopped: ${told} Another run has taken this backfill up.`];
    case 'failed':
      return [
        `Stopped: ${told} ${end.detail}.`,
        'Once that is mended, this goes on from there:',
        resumeWith,
      ];
  }
}

export function estimateLines(slices: number, estimate: BackfillEstimate): string[] {
  const { spans, sampled, longer, records } = estimate;
  const least = spans + Math.ceil((longer * spans) / sampled);
  const more =
    longer === 0 ? 'none has more' : `${count(longer)} ${longer === 1 ? 'has' : 'have'} more`;
  return [
    `The first page of ${sampled === slices ? 'each slice' : `${count(sampled)} slices`} was read: ${plural(records, 'record')}, ${more}.`,
    ...(spans > slices
      ? [
          `All are asked for in ${count(spans)} spans: source.incremental.until.sec allows no longer.`,
        ]
      : []),
    `So it takes about ${plural(least, 'request')} or more. Nothing was published.`,
  ];
}

/** Moments as ISO 8601. */
export function backfillJson({ pipeline, plan, slices, behindMsMax }: BackfillView): object {
  const { fromMs, toMs, sliceMs } = plan;
  return { pipeline, from: iso(fromMs), to: iso(toMs), sliceMs, slices, behindMsMax };
}
