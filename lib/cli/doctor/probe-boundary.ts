/** Asks with a boundary at which a record stands, and once more where that one does not come. */
import type { PageSeen, Walk } from '#cli/source/walk-pages';
import { readPath } from '#core/record/path';
import {
  parseTimestamp,
  renderTimestamp,
  timestampMs,
  timestampOfMs,
} from '#core/record/timestamp';
import type { Timestamp } from '#core/record/timestamp';
import { runQuery } from '#core/source/page-query';
import type { Incremental } from '#core/source/page-query';
import { planSpan } from '#core/source/span';
import type { Observed, Probe, RecordSeen } from './finding.ts';
import { planProbe, planRoughProbe } from './plan-probe.ts';
import { recordsOf, timeOf } from './records-of.ts';

export type AskPages = (
  query: Readonly<Record<string, string>>,
  pages: {
    readonly enough?: (page: PageSeen) => boolean;
    /** The token of the first page; that of the run unless given. */
    readonly from?: string;
    readonly attemptsMax?: number;
  },
) => Promise<Walk>;

type Seen = Pick<Observed, 'options' | 'records'>;

interface ProbeWorld {
  readonly nowMs: number;
  readonly ask: AskPages;
}

/** Earlier than the tick before, and than what a source rounds to. */
const EARLIER_MS = 2_000;

export async function probeBoundary(
  { options, records }: Seen,
  { nowMs, ask }: ProbeWorld,
): Promise<Probe | undefined> {
  const { incremental } = options.source;
  if (incremental === undefined) return undefined;
  const times = timesOf(records);
  const exact = planProbe(times, incremental.paramFormat);
  const at = exact ?? planRoughProbe(times, incremental.paramFormat);
  const [earliest] = times.toSorted();
  if (at === undefined || earliest === undefined) return undefined;
  const holds = (page: PageSeen) => page.records.some((record) => timeOf(record, options) === at);
  const askFrom = (bound: Timestamp) =>
    ask(
      {
        ...runQuery(options.source, planSpan(incremental, bound, nowMs)),
        [incremental.param]: renderTimestamp(bound, incremental.paramFormat),
      },
      { enough: holds },
    );

  const walk = await askFrom(at);
  const probe = { at, walk, times: timesOf(recordsOf(walk, options)) };
  if (exact !== undefined && walk.pages.some(holds)) return { ...probe, atBoundary: 'answered' };
  if (!mayBeMissed(walk, incremental)) return { ...probe, atBoundary: 'moved' };
  // In order it would have come first. It may have gone since: only what is there still was left out.
  const before = await askFrom(earlierThan(at));
  if (exact !== undefined && before.pages.some(holds)) {
    const isText = isTextual(at, { records, incremental }) && (await askFrom(justAfter(at)));
    const isAsText = isText !== false && isText.pages.some(holds);
    return { ...probe, atBoundary: isAsText ? 'left-out-as-text' : 'left-out' };
  }
  const isSilent = [walk, before].every(isBare) && isBare(await askFrom(earlierThan(earliest)));
  return { ...probe, atBoundary: isSilent ? 'nothing' : 'moved' };
}

function mayBeMissed({ end }: Walk, { ordered }: Incremental): boolean {
  return end.kind === 'last-page' || (ordered && end.kind === 'enough');
}

/** It was answered, without one record. */
function isBare({ pages, end }: Walk): boolean {
  return end.kind === 'last-page' && pages.every((page) => page.shown === 0);
}

function earlierThan(time: Timestamp): Timestamp {
  return timestampOfMs(Math.max(0, timestampMs(time) - EARLIER_MS));
}

/** By so little that only who compares texts sees it: of a text with fewer digits the `Z` is behind it. */
function justAfter(time: Timestamp): Timestamp {
  return parseTimestamp(time.replace(/0Z$/, '1Z'), 'iso') ?? time;
}

/** As texts, the source's own comes before the boundary though it is the same time. */
function isTextual(
  at: Timestamp,
  { records, incremental }: Pick<Seen, 'records'> & { readonly incremental: Incremental },
): boolean {
  const texts = comparedTexts(at, { records, incremental });
  return texts !== undefined && texts.row < texts.asked;
}

/** A row at the boundary as the source writes it, and the boundary. */
export function comparedTexts(
  at: Timestamp,
  { records, incremental }: Pick<Seen, 'records'> & { readonly incremental: Incremental },
): { readonly row: string; readonly asked: string } | undefined {
  const standing = records.find(({ time }) => time === at);
  const row = standing && readPath(standing.raw, incremental.path);
  const asked = renderTimestamp(at, incremental.paramFormat);
  return typeof row === 'string' ? { row, asked } : undefined;
}

function timesOf(records: readonly RecordSeen[]): readonly Timestamp[] {
  return records.flatMap(({ time }) => time ?? []);
}
