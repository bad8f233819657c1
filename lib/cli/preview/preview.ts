/** The work of penstock preview: asks a source, and shows what would be published. */
import { systemChance } from '#adapters/system/chance';
import { systemClock } from '#adapters/system/clock';
import { printJson, printLines, sayLines } from '#cli/io';
import type { Io } from '#cli/io';
import { previewJson, renderPreview } from '#cli/render/preview';
import { hidingIo } from '#cli/source/hiding-io';
import { openSource } from '#cli/source/open-source';
import { walkPages } from '#cli/source/walk-pages';
import type { WalkEnd } from '#cli/source/walk-pages';
import type { LoadedPipeline } from '#config/load-pipelines';
import { shardCountOf } from '#config/shard-count';
import { runQuery } from '#core/source/page-query';
import { latestSpan } from '#core/source/span';
import type { Clock } from '#ports/clock';
import { previewRecords } from './preview-records.ts';
import type { PreviewRow } from './preview-records.ts';

export interface Preview {
  readonly pipeline: string;
  /** Undefined on demand. */
  readonly shardCount: number | undefined;
  readonly pages: number;
  readonly rows: readonly PreviewRow[];
  readonly end: WalkEnd;
}

/** A source may have empty pages without end. */
const PAGES_MAX = 100;

/**
 * Ask for a first run's pages until there are enough records.
 *
 * @throws {CliError} naming every variable that is missing or useless.
 */
export async function preview(
  pipeline: Pick<LoadedPipeline, 'settings' | 'map'>,
  ask: { readonly count: number; readonly json: boolean | undefined },
  { io: told, fail, clock = systemClock }: { io: Io; fail: () => void; clock?: Clock },
): Promise<void> {
  const { options, source, secrets } = openSource(pipeline, { env: told.env, clock });
  const io = hidingIo(told, secrets);
  const span = latestSpan(options.source.incremental, clock.nowMs());
  const walk = await walkPages(options, runQuery(options.source, span), {
    source,
    clock,
    chance: systemChance,
    say: (sentence) => sayLines(io, [sentence]),
    isEnough: (pages) =>
      pages.length >= PAGES_MAX ||
      pages.reduce((sum, page) => sum + page.records.length, 0) >= ask.count,
  });
  const records = walk.pages.flatMap((page) => page.records).slice(0, ask.count);
  const shardCount = shardCountOf(pipeline.settings);
  const shown: Preview = {
    pipeline: options.pipeline,
    shardCount,
    pages: walk.pages.length,
    rows: previewRecords(records, options, {
      shardCount,
      sourceMs: walk.pages[0]?.startedAtMs ?? clock.nowMs(),
    }),
    end: walk.end,
  };
  if (ask.json) printJson(io, previewJson(shown));
  else printLines(io, renderPreview(shown));
  if (isWrong(shown)) fail();
}

function isWrong({ rows, end }: Preview): boolean {
  const isWhole = end.kind === 'last-page' || end.kind === 'enough';
  return !isWhole || rows.some(({ kind }) => kind === 'refused');
}
