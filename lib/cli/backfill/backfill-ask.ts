/** What is to be read of a source's history, as a person says it, and what it means at a moment. Pure. */
import { UsageError } from '#cli/cli-error';
import { parseSince, parseSpan } from '#cli/read-from';
import { iso } from '#cli/render/text';
import { typedWords } from '#cli/typed-words';
import type { Slice } from '#core/source/plan-slices';

/** As it was typed: typed again, it is the same backfill. */
export interface BackfillWords {
  readonly from: string;
  readonly to?: string | undefined;
  readonly slice: string;
}

export interface BackfillPlan extends Slice {
  readonly sliceMs: number;
}

/** Up to where a backfill may read: what lies behind it is read by live polls. */
export interface CutOff {
  readonly atMs: number;
  /** The boundary of live polls; or, where there is none yet, now less the horizon. */
  readonly of: 'live' | 'horizon';
}

/** More than anybody waits for; a slice is one request at least. */
const SLICES_MAX = 100_000;

/** @throws {UsageError} when a time is none, or the range is empty or reaches behind the cut-off. */
export function planBackfill(
  { from, to, slice }: BackfillWords,
  { atMs, of }: CutOff,
  nowMs: number,
): BackfillPlan {
  const fromMs = parseSince(from, nowMs, '--from');
  const toMs = to === undefined ? atMs : parseSince(to, nowMs, '--to');
  const sliceMs = parseSpan(slice, '--slice');
  if (sliceMs === 0) throw new UsageError('--slice must be longer than nothing.');
  if (toMs > atMs) {
    const why =
      of === 'live'
        ? 'what lies behind it is read by live polls'
        : 'what is younger may still appear in the source';
    throw new UsageError(`--to ${iso(toMs)} must be ${iso(atMs)} at the latest: ${why}.`);
  }
  if (fromMs >= toMs) {
    throw new UsageError(
      `--from ${iso(fromMs)} must lie before ${to === undefined ? 'the cut-off' : '--to'} ${iso(toMs)}.`,
    );
  }
  const count = Math.ceil((toMs - fromMs) / sliceMs);
  if (count > SLICES_MAX) {
    throw new UsageError(
      `--slice ${slice} makes ${count} slices, more than ${SLICES_MAX}: choose a longer one.`,
    );
  }
  return { fromMs, toMs, sliceMs };
}

/** Of two words: typed again, they are the same. */
export function backfillCommand(
  pipeline: string,
  { from, to, slice }: BackfillWords,
  more: readonly string[] = [],
): string {
  const words = Object.entries({ from, to, slice: slice === SLICE ? undefined : slice }).flatMap(
    ([name, value]) => (value === undefined ? [] : [`--${name}`, value]),
  );
  return typedWords(['penstock', 'backfill', pipeline, ...words, ...more]);
}

/** Unless said otherwise. */
export const SLICE = '1d';
