/** Token buckets by the clock: what a shard lets through in a second. */

export interface Bucket {
  readonly capacity: number;
  readonly perSec: number;
  level: number;
  atMs: number;
}

/** A full bucket that holds one second of its rate. */
export function secondOf(perSec: number, nowMs: number): Bucket {
  return { capacity: perSec, perSec, level: perSec, atMs: nowMs };
}

/** Let in what has come since the last look; a clock that goes back brings nothing. */
export function refill(bucket: Bucket, nowMs: number): void {
  const elapsedMs = nowMs - bucket.atMs;
  bucket.atMs = nowMs;
  if (elapsedMs <= 0) return;
  bucket.level = Math.min(bucket.capacity, bucket.level + (elapsedMs * bucket.perSec) / 1_000);
}

/** Whether `amount` may pass now. More than the bucket holds passes when the bucket is full. */
export function holds(bucket: Bucket, amount: number): boolean {
  return bucket.level >= Math.min(amount, bucket.capacity);
}
