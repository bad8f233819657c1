/** Keeps what the indexes of a table hold of its items. */
import type { ItemKey, ItemStore, StoredItem } from './item-store.ts';
import type { AttributeMap } from './attribute-value.ts';
import { invalid } from './refusal.ts';
import { keyNames, keyOfItem, pickNames, placeKey } from './keys.ts';
import type { SecondaryIndex, Table } from './table-store.ts';
import { mapBytes } from './value-size.ts';

interface Entry {
  readonly key: ItemKey;
  readonly stored: StoredItem;
}

/** What a write did to one index: the bytes of what it deleted, put, or replaced. */
export interface IndexWrite {
  readonly index: SecondaryIndex;
  readonly bytes: readonly number[];
}

/** @throws {ServiceError} when the table has no such index. */
export function indexOf(table: Table, name: string): SecondaryIndex {
  const index = table.indexes.find((one) => one.name === name);
  if (index !== undefined) return index;
  throw invalid(`The table does not have the specified index: ${name}`);
}

/** The names that an index holds; undefined: all. */
export function projectedNames(table: Table, index: SecondaryIndex): readonly string[] | undefined {
  const { projection } = index;
  if (projection.kind === 'ALL') return undefined;
  const keys = [...keyNames(index), ...keyNames(table)];
  return [...new Set(projection.kind === 'INCLUDE' ? [...keys, ...projection.names] : keys)];
}

/** An item without all attributes of an index's key is not in the index. */
function entryOf(
  table: Table,
  index: SecondaryIndex,
  base: ItemKey,
  item: AttributeMap | undefined,
): Entry | undefined {
  const key = item === undefined ? undefined : placeKey(index, item);
  if (item === undefined || key === undefined) return undefined;
  const names = projectedNames(table, index);
  const projected = names === undefined ? item : pickNames(item, names);
  return {
    key: { ...key, base: baseBytes(base) },
    stored: { item: projected, bytes: mapBytes(projected) },
  };
}

/** One run of bytes for the two parts of a table's key. */
export function baseBytes({ partition, sort }: ItemKey): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(partition.length);
  return Buffer.concat([partition, sort, length]);
}

/** Bring every index from the item as it was to the item as it is. */
export function maintainIndexes(
  items: ItemStore,
  table: Table,
  base: ItemKey,
  change: { old: AttributeMap | undefined; fresh: AttributeMap | undefined },
): readonly IndexWrite[] {
  return table.indexes.flatMap((index): IndexWrite[] => {
    const before = entryOf(table, index, base, change.old);
    const after = entryOf(table, index, base, change.fresh);
    const moved = before !== undefined && (after === undefined || !sameKey(before.key, after.key));
    if (moved) items.delete(index, before.key);
    if (after === undefined) return moved ? [{ index, bytes: [before.stored.bytes] }] : [];
    if (!moved && before !== undefined && sameItem(before.stored.item, after.stored.item)) {
      return [];
    }
    items.put(index, after.key, after.stored);
    const bytes = moved
      ? [before.stored.bytes, after.stored.bytes]
      : [Math.max(before?.stored.bytes ?? 0, after.stored.bytes)];
    return [{ index, bytes }];
  });
}

/** Fill an index that is new from the items that are there; those with no fitting key stay out. */
export function fillIndex(items: ItemStore, table: Table, index: SecondaryIndex): void {
  // Read whole before any of it is written.
  const all = Array.from(items.scan(table, { after: undefined, segment: undefined }));
  for (const { item } of all) {
    const entry = fits(index, item)
      ? entryOf(table, index, keyOfItem(table, item), item)
      : undefined;
    if (entry !== undefined) items.put(index, entry.key, entry.stored);
  }
}

function fits({ partitionKey, sortKey }: SecondaryIndex, item: AttributeMap): boolean {
  return [partitionKey, ...(sortKey === undefined ? [] : [sortKey])].every(({ name, type }) => {
    const value = Object.hasOwn(item, name) ? item[name] : undefined;
    return value !== undefined && Object.hasOwn(value, type);
  });
}

function sameKey(a: ItemKey, b: ItemKey): boolean {
  return Buffer.compare(a.partition, b.partition) === 0 && Buffer.compare(a.sort, b.sort) === 0;
}

function sameItem(a: AttributeMap, b: AttributeMap): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
