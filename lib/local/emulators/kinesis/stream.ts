/** A stream and its shards, as they are worked with in memory. */
import type { HashKeyRange } from './hash-ring.ts';
import type { Bucket } from './rate-limit.ts';
import type { ShardOrigin } from './sequence-number.ts';

export interface Shard extends HashKeyRange, ShardOrigin {
  /** Unique among all shards of the cloud. */
  readonly row: number;
  readonly shardId: string;
  readonly parentShardIds: readonly string[];
  readonly createdMs: number;
  closedMs: number | undefined;
  /** Of the newest record; 0 before the first. */
  counter: number;
  /** Arrivals never step back within a shard, even where the clock does. */
  lastArrivalMs: number;
  /** Not kept: a restart finds every bucket full. */
  traffic: ShardTraffic | undefined;
}

export interface ShardTraffic {
  readonly writtenRecords: Bucket;
  readonly writtenBytes: Bucket;
  readonly reads: Bucket;
  readonly readBytes: Bucket;
  readonly iterators: Bucket;
  /** No read passes before: an earlier one took more than its share. */
  shutUntilMs: number;
}

export interface NewShard extends HashKeyRange, ShardOrigin {
  readonly parentShardIds: readonly string[];
  readonly createdMs: number;
}

export type StreamMode = 'PROVISIONED' | 'ON_DEMAND';
export type StreamStatus = 'CREATING' | 'ACTIVE' | 'UPDATING' | 'DELETING';

export interface Stream {
  readonly id: number;
  readonly name: string;
  readonly arn: string;
  readonly createdMs: number;
  mode: StreamMode;
  retentionHours: number;
  recordBytesMax: number;
  /** What the template last asked for: a count changed by hand stays until the template changes. */
  templateShardCount: number;
  /** In the order of their indexes. */
  shards: Shard[];
  /** The open ones, in the order of the ring. */
  openShards: readonly Shard[];
  nextShardIndex: number;
  readonly settings: StreamSettings;
  /** The work itself is done; this is how long it shows. Not kept: a restart finds it settled. */
  change: { readonly status: StreamStatus; readonly untilMs: number } | undefined;
}

/** What a stream is told beside its shards. */
export interface StreamSettings {
  tags: Readonly<Record<string, string>>;
  /** Told in every answer; nothing is encrypted. */
  keyId: string | undefined;
  shardLevelMetrics: readonly string[];
  consumers: readonly Consumer[];
  /** When UpdateShardCount and UpdateStreamMode were called, as far back as their limits count. */
  scaledMs: readonly number[];
  modeChangedMs: readonly number[];
}

export interface Consumer {
  readonly name: string;
  readonly arn: string;
  readonly createdMs: number;
  readonly tags: Readonly<Record<string, string>>;
}

export function statusOf({ change }: Stream, nowMs: number): StreamStatus {
  return change === undefined || nowMs >= change.untilMs ? 'ACTIVE' : change.status;
}

export function encryptionOf({ settings }: Stream): 'KMS' | 'NONE' {
  return settings.keyId === undefined ? 'NONE' : 'KMS';
}
