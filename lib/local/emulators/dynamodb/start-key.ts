/** Where a page begins: the key that the page before ended with. */
import { ServiceError } from '#local/aws-json';
import type { AttributeMap } from './attribute-value.ts';
import type { ItemKey, SortRange } from './item-store.ts';
import { segmentStart } from './item-store.ts';
import type { KeyRange } from './key-condition.ts';
import { keyNames, keyWithin, pickNames } from './keys.ts';
import type { Target } from './page-ask.ts';
import { invalid } from './refusal.ts';
import { baseBytes } from './secondary-index.ts';

/** The names of a start key: those of the table's key and of the index's. */
export function startNames({ table, index }: Target): readonly string[] {
  return [...new Set([...keyNames(table), ...(index === undefined ? [] : keyNames(index))])];
}

/** @throws {ServiceError} for a key that no page could have ended with. */
export function readStartKey(
  target: Target,
  start: AttributeMap,
  operation: 'Query' | 'Scan',
): ItemKey {
  const names = startNames(target);
  const same = Object.keys(start).length === names.length;
  if (!same || names.some((name) => !Object.hasOwn(start, name))) {
    const isPlain = operation === 'Query' || target.index !== undefined;
    throw invalidStart(isPlain ? '' : ': The provided key element does not match the schema');
  }
  const { table, index } = target;
  try {
    const base = keyWithin(table, pickNames(start, keyNames(table)));
    if (index === undefined) return base;
    return { ...keyWithin(index, pickNames(start, keyNames(index))), base: baseBytes(base) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw invalidStart(`: ${error.message}`);
  }
}

function invalidStart(why: string): ServiceError {
  return invalid(`The provided starting key is invalid${why}`);
}

/** @throws {ServiceError} for a start key outside of what the query looks at. */
export function checkWithin({ partition, range }: KeyRange, start: ItemKey): void {
  const samePartition = Buffer.compare(partition, start.partition) === 0;
  if (range === undefined) {
    if (samePartition) return;
    throw invalid(
      'The provided starting key is outside query boundaries based on provided conditions',
    );
  }
  if (!isWithin(range, start.sort)) {
    throw invalid('The provided starting key does not match the range key predicate');
  }
  if (samePartition) return;
  throw invalid('The query can return at most one row and cannot be restarted');
}

function isWithin({ low, high }: SortRange, sort: Uint8Array): boolean {
  const above = low === undefined ? 1 : Buffer.compare(sort, low.bytes);
  const below = high === undefined ? -1 : Buffer.compare(sort, high.bytes);
  return (
    (above > 0 || (above === 0 && low?.inclusive === true)) &&
    (below < 0 || (below === 0 && high?.inclusive === true))
  );
}

/** @throws {ServiceError} for a start key that lies in another segment. */
export function checkSegment(segment: { at: number; of: number }, start: ItemKey): void {
  const from = segmentStart(segment);
  const until = segmentStart({ ...segment, at: segment.at + 1 });
  if (Buffer.compare(start.partition, from) >= 0 && Buffer.compare(start.partition, until) < 0) {
    return;
  }
  throw invalidStart(
    ': Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. ' +
      `TotalSegments: ${segment.of} Segment: ${segment.at}`,
  );
}
