/** What is seen of the records of a walk. */
import { previewRecords } from '#cli/preview/preview-records';
import type { PreviewRow } from '#cli/preview/preview-records';
import type { Walk } from '#cli/source/walk-pages';
import type { JsonObject, JsonValue } from '#core/record/json';
import { isJsonObject } from '#core/record/path';
import type { Timestamp } from '#core/record/timestamp';
import { rowTime } from '#core/source/row-time';
import type { PollOptions } from '#pipeline/poll-options';
import type { RecordSeen } from './finding.ts';

export function recordsOf({ pages }: Walk, options: PollOptions): readonly RecordSeen[] {
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

/** By which the source filters. */
export function timeOf(
  raw: JsonValue,
  { source: { incremental } }: PollOptions,
): Timestamp | undefined {
  return incremental && rowTime(raw, incremental.path, incremental.fieldFormat);
}
