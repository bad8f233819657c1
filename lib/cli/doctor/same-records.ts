/** Tells records that were seen before from others, by what they hold. */
import { contentDigest } from '#adapters/system/content-digest';
import type { PageSeen } from '#cli/source/walk-pages';
import type { JsonValue } from '#core/record/json';
import { rawText } from '#core/record/raw-text';

type Shown = Pick<PageSeen, 'records'>;

/** It has records, and none of them stands on one of the pages. */
export function areAllNew({ records }: Shown, pages: readonly Shown[]): boolean {
  const seen = new Set(pages.flatMap((page) => page.records.map(digestOf)));
  return records.length > 0 && records.every((record) => !seen.has(digestOf(record)));
}

/** The second record of the one is the first of the other. */
export function isOneAhead({ records }: Shown, other: Shown): boolean {
  const [, second] = records;
  const [first] = other.records;
  return first !== undefined && second !== undefined && digestOf(second) === digestOf(first);
}

export function beginAlike(one: Shown, other: Shown): boolean {
  const [first] = one.records;
  const [otherFirst] = other.records;
  return (
    first !== undefined && otherFirst !== undefined && digestOf(first) === digestOf(otherFirst)
  );
}

function digestOf(record: JsonValue): string {
  return contentDigest(rawText([record]));
}
