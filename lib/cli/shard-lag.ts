/** How far a reader stands behind the tip of a shard. Pure. */

export interface PlacedRecord {
  readonly sequenceNumber: string;
  readonly arrivalTimeMs: number;
}

export interface ShardLag {
  readonly records: number;
  /** Age of the oldest record not yet done; 0 when all are done. */
  readonly behindMs: number;
}

/**
 * Count the records behind a checkpoint.
 *
 * @param records in the order of the shard.
 * @param checkpoint the last record that is done; undefined when none is.
 */
export function shardLag(
  records: readonly PlacedRecord[],
  checkpoint: string | undefined,
  nowMs: number,
): ShardLag {
  const first = checkpoint === undefined ? 0 : firstAfter(records, BigInt(checkpoint));
  const oldest = records[first];
  const behindMs = oldest === undefined ? 0 : Math.max(0, nowMs - oldest.arrivalTimeMs);
  return { records: records.length - first, behindMs };
}

function firstAfter(records: readonly PlacedRecord[], checkpoint: bigint): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const record = records[middle];
    if (record !== undefined && BigInt(record.sequenceNumber) <= checkpoint) low = middle + 1;
    else high = middle;
  }
  return low;
}
