/** What a backfill would cost, from a few of its slices. Nothing is published. */
import { systemChance } from '#adapters/system/chance';
import { systemClock } from '#adapters/system/clock';
import { CliError } from '#cli/cli-error';
import { troubleOfEnd } from '#cli/render/preview';
import { iso } from '#cli/render/text';
import type { OpenSource } from '#cli/source/open-source';
import { walkPages } from '#cli/source/walk-pages';
import { timestampOfMs } from '#core/record/timestamp';
import { runQuery } from '#core/source/page-query';
import type { Slice } from '#core/source/plan-slices';

export interface BackfillEstimate {
  /** Slices whose first page was read, spread over all. */
  readonly sampled: number;
  /** Of those, the ones that have more than a page. */
  readonly longer: number;
  /** On the pages that were read. */
  readonly records: number;
}

/** Read the first page of so many slices, at most. */
const SAMPLES_MAX = 12;

/** @throws {CliError} when the source answers no page. */
export async function estimateBackfill(
  { options, source }: OpenSource,
  slices: readonly Slice[],
  say: (sentence: string) => void,
): Promise<BackfillEstimate> {
  const samples = Math.min(SAMPLES_MAX, slices.length);
  let [longer, records] = [0, 0];
  for (let at = 0; at < samples; at++) {
    const { fromMs, toMs } = slices[Math.floor((at * slices.length) / samples)] as Slice;
    const span = { from: timestampOfMs(fromMs), to: timestampOfMs(toMs) };
    const { end, pages } = await walkPages(options, runQuery(options.source, span), {
      source,
      clock: systemClock,
      chance: systemChance,
      say,
      isEnough: () => true,
    });
    const trouble = troubleOfEnd(end);
    if (trouble !== undefined) {
      throw new CliError(`The source was asked for ${iso(fromMs)}: ${trouble}.`);
    }
    records += pages[0]?.records.length ?? 0;
    if (end.kind === 'enough') longer++;
  }
  return { sampled: samples, longer, records };
}
