/** A consumer's checkpoint of one shard, as the state table holds it: each reach in attributes of its own. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** The form of item written here; a newer one is left alone. */
export const ITEM_VERSION = 1;

/** Which attributes hold which reach, in the order that `list` answers. */
export const ATTRIBUTES = {
  frontier: { sequence: 'sequence', arrival: 'arrivalTimeMs', at: 'atMs' },
  'highest-finished': {
    sequence: 'highestSequence',
    arrival: 'highestArrivalTimeMs',
    at: 'highestAtMs',
  },
} as const;

export type Item = Record<string, AttributeValue>;
export type Consumer = { readonly pipeline: string; readonly consumer: string };

export function partitionOf({ pipeline, consumer }: Consumer): string {
  return `checkpoint#${pipeline}#${consumer}`;
}

/** @throws {Error} when a newer Penstock wrote the item. */
export function assertReadable(item: Item): void {
  const version = Number(item['v']?.N ?? 0);
  if (version > ITEM_VERSION) {
    throw new Error(
      `a checkpoint has form ${version}, this Penstock reads up to ${ITEM_VERSION}: ` +
        'deploy the newer one',
    );
  }
}

export function number(value: number): AttributeValue {
  return { N: String(value) };
}
