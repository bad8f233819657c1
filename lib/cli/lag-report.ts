/** What looks at consumers say together: trends, shares, the worst shard and the whole. Pure. */
import { lagTrend } from '#core/checkpoint/lag-trend';
import type { LagTrend } from '#core/checkpoint/lag-trend';
import type { OpenBreaker } from '#ports/breaker-store';
import type { ShardStanding } from './measure-lag.ts';

/** One consumer as it was seen once. */
export interface ConsumerLook {
  readonly pipeline: string;
  readonly consumer: string;
  readonly shards: readonly ShardStanding[];
  /** Why it stands still; undefined while it does not. */
  readonly stopped: OpenBreaker | undefined;
}

export interface ShardLag extends ShardStanding {
  /** Since an earlier look; null without one. */
  readonly trend: LagTrend | null;
  /** Of what the consumer has done, 0 to 1: since the earlier look, or without one since its start. */
  readonly share: number | null;
}

export interface ConsumerLag {
  readonly pipeline: string;
  readonly consumer: string;
  readonly stopped: OpenBreaker | undefined;
  readonly shards: readonly ShardLag[];
  /** The shard that is furthest behind; undefined where nothing waits. */
  readonly worst: ShardLag | undefined;
  /** Null when there are more than were counted. */
  readonly behindRecords: number | null;
  /** Null without an earlier look. */
  readonly donePerSec: number | null;
  /** Null where of some shard nobody knows. */
  readonly arrivingPerSec: number | null;
}

/** @param before the same consumer earlier. */
export function consumerLag(look: ConsumerLook, before: ConsumerLook | undefined): ConsumerLag {
  const earlier = new Map(before?.shards.map((shard) => [shard.shardId, shard]));
  const trended = look.shards.map((shard) => {
    const first = earlier.get(shard.shardId);
    const trend = first && first.atMs < shard.atMs ? lagTrend(first, shard) : null;
    return { ...shard, trend };
  });
  const isTrended = trended.some(({ trend }) => trend !== null);
  const loads = trended.map(({ trend, doneTotal }) =>
    isTrended ? (trend?.donePerSec ?? 0) : doneTotal,
  );
  const load = sum(loads) ?? 0;
  const shards = trended.map((shard, at) => ({
    ...shard,
    share: load === 0 ? null : (loads[at] ?? 0) / load,
  }));
  const { pipeline, consumer, stopped } = look;
  const behind = shards.filter(({ behindMs }) => behindMs > 0);
  return {
    pipeline,
    consumer,
    stopped,
    shards,
    worst: behind.toSorted((a, b) => b.behindMs - a.behindMs)[0],
    behindRecords: sum(shards.map(({ behindRecords }) => behindRecords)),
    donePerSec: isTrended ? load : null,
    arrivingPerSec: isTrended
      ? sum(shards.map(({ trend }) => trend?.arrivingPerSec ?? null))
      : null,
  };
}

/** Null when one of them is. */
function sum(numbers: readonly (number | null)[]): number | null {
  return numbers.reduce((all, one) => (all === null || one === null ? null : all + one), 0);
}
