/** What a backfill would cost, from a few of its slices. Nothing is published. */
import { systemChance } from '#adapters/system/chance';
import { systemClock } from '#adapters/system/clock';
import { CliError } from '#cli/cli-error';
import { troubleOfEnd } from '#cli/render/preview';
import { iso } from '#cli/render/text';
import type { OpenSource } from '#cli/source/open-source';
import { walkPages } from '#cli/source/walk-pages';
import type { Walk } from '#cli/source/walk-pages';
import { runQuery } from '#core/source/page-query';
import type { Incremental } from '#core/source/page-query';
import type { Slice } from '#core/source/plan-slices';
import { sliceSpans, withinSlice } from '#core/source/slice-spans';
import type { RateGate } from '#pipeline/rate-gate';

export interface BackfillEstimate {
  /** In how many spans all slices are asked for. */
  readonly spans: number;
  /** Slices whose first page was read, spread over all. */
  readonly sampled: number;
  /** Of those, the ones whose first span has more than a page. */
  readonly longer: number;
  /** On the pages that were read. */
  readonly records: number;
}

export interface EstimateAsk {
  readonly incremental: Incremental;
  readonly slices: readonly Slice[];
  /** By which requests leave; undefined where the API has no budget. */
  readonly gate: RateGate | undefined;
}

/** Read the first page of so many slices, at most. */
const SAMPLES_MAX = 12;

/** A person who waits longer for one request would rather come back. */
const PERMIT_MS_MAX = 600_000;

/** @throws {CliError} when the source answers no page. */
export async function estimateBackfill(
  opened: OpenSource,
  ask: EstimateAsk,
  say: (sentence: string) => void,
): Promise<BackfillEstimate> {
  const { slices } = ask;
  const samples = Math.min(SAMPLES_MAX, slices.length);
  let [longer, records] = [0, 0];
  for (let at = 0; at < samples; at++) {
    const slice = slices[Math.floor((at * slices.length) / samples)] as Slice;
    const { end, pages } = await readFirst(slice, { opened, ask, say });
    const trouble = troubleOfEnd(end);
    if (trouble !== undefined) {
      throw new CliError(`The source was asked for ${iso(slice.fromMs)}: ${trouble}.`);
    }
    records += pages[0]?.records.length ?? 0;
    if (end.kind === 'enough') longer++;
  }
  return { spans: spansOf(ask), sampled: samples, longer, records };
}

/** The first page of a slice, asked as the backfill would ask. */
function readFirst(
  slice: Slice,
  {
    opened: { options, source },
    ask: { incremental, gate },
    say,
  }: { opened: OpenSource; ask: EstimateAsk; say: (sentence: string) => void },
): Promise<Walk> {
  const [first = { from: null }] = sliceSpans(slice, incremental);
  const bounded = { ...options.source, incremental: withinSlice(slice, incremental) };
  return walkPages(options, runQuery(bounded, first), {
    source,
    gate: gate?.open({
      waitMsMax: () => PERMIT_MS_MAX,
      ensure: async () => true,
      timeoutMs: () => options.sourceTimeoutMs,
    }),
    clock: systemClock,
    chance: systemChance,
    say,
    isEnough: () => true,
  });
}

/** All slices but the last are of one length. */
function spansOf({ slices, incremental }: EstimateAsk): number {
  const countOf = (slice: Slice | undefined) =>
    slice === undefined ? 0 : sliceSpans(slice, incremental).length;
  return countOf(slices[0]) * (slices.length - 1) + countOf(slices.at(-1));
}
