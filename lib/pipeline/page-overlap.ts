/** Compares a page by offset with the rows that it is to show again. */
import type { JsonValue } from '#core/record/json';
import { rawText } from '#core/record/raw-text';
import { clampOf } from '#core/source/cursor';
import type { Run } from '#core/source/cursor';
import { lapOver } from '#core/source/overlap';
import type { Overlap } from '#core/source/overlap';
import type { SourceQuery } from '#core/source/page-query';
import { rowTime } from '#core/source/row-time';
import type { Digest } from '#ports/digest';

interface OverlapContext {
  readonly before: Run | null;
  readonly source: SourceQuery;
  /** The source's clock when the run began. */
  readonly startedAtMs: number;
  readonly digest: Digest;
}

/** @returns undefined where nothing is to be shown again. */
export function pageOverlap(
  records: readonly JsonValue[],
  { before, source: { pagination, incremental }, startedAtMs, digest }: OverlapContext,
): Overlap | undefined {
  const width = pagination.kind === 'offset' ? (pagination.overlap ?? 0) : 0;
  if (width === 0) return undefined;
  const clamp = incremental && clampOf(startedAtMs, incremental);
  const rows = records.map((record) => ({
    mark: digest(rawText(record)),
    // Of a source that is read as a whole, whatever is put behind its end is read the next time.
    isAskedAgain:
      incremental === undefined ||
      clamp === undefined ||
      (rowTime(record, incremental.path, incremental.fieldFormat) ?? '') >= clamp,
  }));
  const known = before === null ? undefined : (before.overlap ?? { tail: [], isBroken: false });
  return lapOver(known, rows, width);
}
