/**
 * Learns how fast a shard takes records, and spends that rate evenly.
 *
 * A shard takes at most what Kinesis documents; others may write to it as well. So its pace begins
 * at the limit, falls by a share when entries are throttled, at most once a second, and rises slowly
 * while none is: it settles just below what is free, and throttled entries stay few.
 */

export interface ShardLimits {
  readonly recordsPerSec: number;
  readonly bytesPerSec: number;
}

/** @source Kinesis quotas, 2026: a shard takes 1,000 records and 1 MiB a second. */
export const SHARD_LIMITS: ShardLimits = { recordsPerSec: 1_000, bytesPerSec: 1024 * 1024 };

export interface ShardPace {
  /** Share of the limits that is used: above 0, at most 1. */
  readonly share: number;
  /** What may be sent at once: in records, and in bytes; below 0 while a debt is paid off. */
  readonly records: number;
  readonly bytes: number;
  readonly atMs: number;
  /** When the share last fell. */
  readonly fellMs: number;
}

const SHARE_MIN = 0.01;
/** What is left of the share when it falls. */
const FALL = 0.85;
/** Of the limits, by which the share rises each second. */
const RISE_PER_SEC = 0.01;
const FALLS_EVERY_MS = 1_000;
/** A shard that throttles has spent its second: what is left of it, on average, and less. */
const REST_MS = 300;
/** Unspent time that may be caught up on: more would come as a burst. */
const BURST_MS = 100;
const MS_PER_SEC = 1_000;

/** The pace of a shard that throttled for the first time. */
export function firstPace(nowMs: number): ShardPace {
  return { share: 1, records: 0, bytes: 0, atMs: nowMs, fellMs: nowMs };
}

/** Let time pass: what may be sent grows, and so does the share. */
export function applyTime(pace: ShardPace, nowMs: number, limits: ShardLimits): ShardPace {
  const passedMs = Math.max(0, nowMs - pace.atMs);
  const share = Math.min(1, pace.share + (RISE_PER_SEC * passedMs) / MS_PER_SEC);
  const filled = (tokens: number, perSec: number): number =>
    Math.min(
      tokens + (pace.share * perSec * passedMs) / MS_PER_SEC,
      // However slow, one may go once its time has passed.
      Math.max(1, (pace.share * perSec * BURST_MS) / MS_PER_SEC),
    );
  return {
    ...pace,
    share,
    records: filled(pace.records, limits.recordsPerSec),
    bytes: filled(pace.bytes, limits.bytesPerSec),
    atMs: Math.max(pace.atMs, nowMs),
  };
}

/** Entries were throttled: nothing for a while, and less from now on. */
export function applyThrottle(pace: ShardPace, nowMs: number, limits: ShardLimits): ShardPace {
  const emptied = (tokens: number, perSec: number): number =>
    Math.min(tokens, (-pace.share * perSec * REST_MS) / MS_PER_SEC);
  const resting = {
    ...pace,
    records: emptied(pace.records, limits.recordsPerSec),
    bytes: emptied(pace.bytes, limits.bytesPerSec),
  };
  if (nowMs - pace.fellMs < FALLS_EVERY_MS) return resting;
  return { ...resting, share: Math.max(SHARE_MIN, pace.share * FALL), fellMs: nowMs };
}

/** Spend one record; a large one is sent on credit, which the next wait for. */
export function applySpend(pace: ShardPace, bytes: number): ShardPace {
  return { ...pace, records: pace.records - 1, bytes: pace.bytes - bytes };
}

/** Whole milliseconds until one more record may go; 0 when it may. */
export function waitMs({ share, records, bytes }: ShardPace, limits: ShardLimits): number {
  const recordsMs =
    records >= 1 ? 0 : ((1 - records) * MS_PER_SEC) / (share * limits.recordsPerSec);
  const bytesMs = bytes > 0 ? 0 : ((1 - bytes) * MS_PER_SEC) / (share * limits.bytesPerSec);
  return Math.ceil(Math.max(recordsMs, bytesMs));
}
