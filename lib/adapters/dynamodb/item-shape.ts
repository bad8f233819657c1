/**
 * Which of an item's attributes are its record's members: what a later write must take away.
 *
 * An item says so itself, in one text. Where the table is ours alone a digest of the names will do: who
 * meets one that it does not know reads the names off the item. Beside other writers it is the names.
 */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { sha256Digest } from '#adapters/system/digest';

/** `replace`: the item is its record. `merge`: others write attributes of their own beside it. */
export type TableMode = 'replace' | 'merge';

export interface Shape {
  /** What the item holds of it. */
  readonly text: string;
  /** The members' names, sorted. */
  readonly names: readonly string[];
}

/** The shape of a record with these members. */
export function shapeOf(names: readonly string[], mode: TableMode): Shape {
  const sorted = names.toSorted();
  const text = JSON.stringify(sorted);
  return { text: mode === 'merge' ? text : sha256Digest(text), names: sorted };
}

/**
 * The names of the members that a standing item holds.
 *
 * @param standing without its key and the attributes that are ours.
 * @param text what it says of its shape: nothing, or a digest, where another mode wrote it; beside other
 * writers it may be anything, and counts for what it names of the item.
 */
export function namesIn(
  standing: Readonly<Record<string, AttributeValue>>,
  text: string | undefined,
  mode: TableMode,
): readonly string[] {
  const names = Object.keys(standing);
  if (mode === 'replace' || text?.startsWith('[') !== true) return names;
  const named = namesOf(text);
  return names.filter((name) => named.has(name));
}

function namesOf(text: string): ReadonlySet<unknown> {
  try {
    return new Set(JSON.parse(text) as unknown[]);
  } catch {
    return new Set();
  }
}
