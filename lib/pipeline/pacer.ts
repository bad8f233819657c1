/**
 * Sends to shards that throttle no faster than they take, and to all others at once.
 *
 * Nothing is asked of the stream until an entry is throttled; then its shards are listed, and again
 * whenever a record comes to rest in another shard than the ring says.
 */
import { hashRing } from '#core/partition/hash-ring';
import type { HashRing } from '#core/partition/hash-ring';
import type { Entry, Lanes, Pending } from '#core/batch/publish-queue';
import {
  SHARD_LIMITS,
  applySpend,
  applyThrottle,
  applyTime,
  firstPace,
  waitMs,
} from '#core/partition/shard-pace';
import type { ShardLimits, ShardPace } from '#core/partition/shard-pace';
import type { Clock } from '#ports/clock';
import type { HashKey } from '#ports/hash-key';
import type { Report } from '#ports/report';
import type { PutOutcome } from '#ports/stream-writer';
import type { StreamShards } from '#ports/stream-shards';
import { errorSentence } from './world-failure.ts';

export interface PacerWorld {
  readonly shards: StreamShards;
  readonly hashKey: HashKey;
  readonly clock: Clock;
  readonly report: Report;
}

export interface Pacer extends Lanes {
  /** Learns from an answer; what must be asked of the stream for it is not waited for. */
  learn(taken: readonly Entry<Pending>[], outcomes: readonly PutOutcome[]): void;
  /** Whether the lanes of records are others than when this was last asked. */
  hasChanged(): boolean;
  /** Milliseconds until a lane takes one more record; 0 when it does. */
  waitMs(lane: string): number;
}

/** A stream that cannot be listed is asked again no sooner. */
const LIST_EVERY_MS = 1_000;

export function shardPacer(
  { pipeline, limits = SHARD_LIMITS }: { pipeline: string; limits?: ShardLimits },
  { shards, hashKey, clock, report }: PacerWorld,
): Pacer {
  let ring: HashRing | undefined;
  let listedMs = Number.NEGATIVE_INFINITY;
  const paces = new Map<string, ShardPace>();
  let isOther = false;

  const shardOf = ({ partitionKey }: Pending): string | undefined =>
    ring?.shardOf(hashKey(partitionKey));

  return {
    laneOf(record) {
      if (paces.size === 0) return undefined;
      const shard = shardOf(record);
      return shard !== undefined && paces.has(shard) ? shard : undefined;
    },
    admits(lane, bytes) {
      const known = paces.get(lane);
      if (known === undefined) return true;
      const pace = applyTime(known, clock.nowMs(), limits);
      const isFree = waitMs(pace, limits) === 0;
      paces.set(lane, isFree ? applySpend(pace, bytes) : pace);
      return isFree;
    },
    learn(taken, outcomes) {
      const throttled = taken
        .filter((_, at) => outcomes[at]?.kind === 'throttled')
        .map(({ record }) => record);
      const isStale = paces.size > 0 && taken.some((one, at) => isElsewhere(one, outcomes[at]));
      pace(throttled);
      if (isStale || (throttled.length > 0 && ring === undefined)) void list();
    },
    hasChanged() {
      const before = isOther;
      isOther = false;
      return before;
    },
    waitMs(lane) {
      const known = paces.get(lane);
      return known === undefined ? 0 : waitMs(applyTime(known, clock.nowMs(), limits), limits);
    },
  };

  function isElsewhere({ record }: Entry<Pending>, outcome: PutOutcome | undefined): boolean {
    if (outcome?.kind !== 'written' || outcome.shardId === undefined) return false;
    return outcome.shardId !== shardOf(record);
  }

  function pace(throttled: readonly Pending[]): void {
    const nowMs = clock.nowMs();
    for (const shard of new Set(throttled.map(shardOf))) {
      if (shard === undefined) continue;
      const known = paces.get(shard);
      paces.set(shard, applyThrottle(known ?? firstPace(nowMs), nowMs, limits));
      if (known !== undefined) continue;
      isOther = true;
      report({ event: 'ShardPaced', pipeline, shardId: shard });
    }
  }

  /** Shards that are gone have no pace any more. */
  async function list(): Promise<void> {
    if (clock.nowMs() - listedMs < LIST_EVERY_MS) return;
    listedMs = clock.nowMs();
    try {
      ring = hashRing(await shards.listOpen()) ?? ring;
    } catch (error) {
      report({ event: 'ShardsUnknown', pipeline, error: errorSentence(error) });
      return;
    }
    const known = new Set(ring?.shardIds);
    for (const shard of paces.keys()) if (!known.has(shard)) paces.delete(shard);
    isOther = true;
  }
}
