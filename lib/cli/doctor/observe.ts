/** Looks at a source once, for all checks: a run from the beginning, and one from a boundary. */
import type { Exchange } from '#adapters/http/page-source';
import { previewRecords } from '#cli/preview/preview-records';
import type { PreviewRow } from '#cli/preview/preview-records';
import type { Patience } from '#cli/source/ask-patiently';
import type { OpenSource } from '#cli/source/open-source';
import { walkPages } from '#cli/source/walk-pages';
import type { PageSeen, Walk } from '#cli/source/walk-pages';
import type { PipelineSettings } from '#config/pipeline-settings';
import type { JsonObject, JsonValue } from '#core/record/json';
import { isJsonObject } from '#core/record/path';
import { renderTimestamp, timestampMs, timestampOfMs } from '#core/record/timestamp';
import type { Timestamp } from '#core/record/timestamp';
import { runQuery } from '#core/source/page-query';
import { latestSpan, planSpan } from '#core/source/span';
import type { Incremental } from '#core/source/page-query';
import { rowTime } from '#core/source/row-time';
import type { PollOptions } from '#pipeline/poll-options';
import type { Observed, Probe, RecordSeen } from './finding.ts';
import { planProbe } from './plan-probe.ts';

export interface ObserveAsk extends OpenSource {
  readonly settings: PipelineSettings;
  readonly exchanges: readonly Exchange[];
  readonly pagesMax: number;
}

export async function observe(
  { settings, options, source, exchanges, pagesMax }: ObserveAsk,
  patience: Omit<Patience, 'source'>,
): Promise<Observed> {
  const ask = (query: Readonly<Record<string, string>>, enough: (page: PageSeen) => boolean) =>
    walkPages(options, query, {
      ...patience,
      source,
      isEnough: (pages) => pages.length >= pagesMax || pages.some(enough),
    });
  const { incremental } = options.source;
  const nowMs = patience.clock.nowMs();
  const walk = await ask(runQuery(options.source, latestSpan(incremental, nowMs)), () => false);
  const records = recordsOf(walk, options);
  // A source that asks to wait, or is down, is not asked once more.
  const isWell = walk.end.kind !== 'no-page' || walk.end.answer.kind === 'refused';
  const at = isWell && incremental && planProbe(timesOf(records), incremental.paramFormat);
  const probe = at ? await probeAt(at, { incremental, options, nowMs, ask }) : undefined;
  return { settings, options, exchanges, walk, records, probe };
}

interface ProbeWorld {
  readonly incremental: Incremental;
  readonly options: PollOptions;
  readonly nowMs: number;
  readonly ask: (
    query: Readonly<Record<string, string>>,
    enough: (page: PageSeen) => boolean,
  ) => Promise<Walk>;
}

/** Earlier than the tick before, and than what a source rounds to. */
const EARLIER_MS = 2_000;

async function probeAt(at: Timestamp, world: ProbeWorld): Promise<Probe> {
  const { incremental, options, nowMs, ask } = world;
  const holds = (page: PageSeen) => page.records.some((record) => timeOf(record, options) === at);
  const from = (bound: Timestamp) => ({
    ...runQuery(options.source, planSpan(incremental, bound, nowMs)),
    [incremental.param]: renderTimestamp(bound, incremental.paramFormat),
  });
  const walk = await ask(from(at), holds);
  const times = timesOf(recordsOf(walk, options));
  if (walk.pages.some(holds)) return { at, walk, times, atBoundary: 'answered' };
  // In order it would have come first. It may have gone since: only what is there still was left out.
  const isMissed =
    walk.end.kind === 'last-page' || (incremental.ordered && walk.end.kind === 'enough');
  const earlier = timestampOfMs(Math.max(0, timestampMs(at) - EARLIER_MS));
  const isStillThere = isMissed && (await ask(from(earlier), holds)).pages.some(holds);
  return { at, walk, times, atBoundary: isStillThere ? 'left-out' : 'moved' };
}

function recordsOf({ pages }: Walk, options: PollOptions): readonly RecordSeen[] {
  const raws = pages.flatMap(({ records }, page) => records.map((raw) => ({ page, raw })));
  const rows = previewRecords(
    raws.map(({ raw }) => raw),
    options,
    { shardCount: undefined, sourceMs: pages[0]?.startedAtMs ?? 0 },
  );
  return rows.map((row, at) => {
    const { page, raw } = raws[at] as { page: number; raw: JsonValue };
    return { page, raw, row, data: dataOf(row, raw, options), time: timeOf(raw, options) };
  });
}

function dataOf(row: PreviewRow, raw: JsonValue, { rules }: PollOptions): JsonObject | undefined {
  if (row.kind === 'published') return row.event.data;
  return rules.map === undefined && isJsonObject(raw) ? raw : undefined;
}

function timeOf(raw: JsonValue, { source: { incremental } }: PollOptions): Timestamp | undefined {
  return incremental && rowTime(raw, incremental.path, incremental.fieldFormat);
}

function timesOf(records: readonly RecordSeen[]): readonly Timestamp[] {
  return records.flatMap(({ time }) => time ?? []);
}
