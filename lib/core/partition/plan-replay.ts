/** Chooses the shards that a second reading of a stream goes through. */
import type { LinkedShard } from './lineage-walk.ts';

export interface ReplayShard extends LinkedShard {
  readonly startingHashKey: bigint;
  readonly endingHashKey: bigint;
}

export interface ReplayPlanAsk {
  /** A sequence number is a place in one shard; a time, or the oldest record, is one in each. */
  readonly from: 'sequence' | 'any';
  /** Only this shard: its name, or the number at the end of it. */
  readonly shard: string | undefined;
  /** Only shards that may hold records of the partition key with this hash. */
  readonly hashKey: bigint | undefined;
}

export type ReplayPlan =
  | {
      readonly kind: 'planned';
      readonly shards: readonly ReplayShard[];
      /** Parents of the chosen that have left the stream, with all that was in them. */
      readonly goneShardIds: readonly string[];
    }
  /** One sentence: what would have to be asked instead. */
  | { readonly kind: 'refused'; readonly detail: string };

export function planReplay(listed: readonly ReplayShard[], ask: ReplayPlanAsk): ReplayPlan {
  const { from, shard, hashKey } = ask;
  const shards = listed.filter((one) => isNamed(one, shard) && mayHold(one, hashKey));
  if (shards.length === 0) {
    return { kind: 'refused', detail: `the stream has no shard '${shard ?? ''}'` };
  }
  if (from === 'sequence' && shards.length > 1) {
    const ids = shards.map(({ shardId }) => shardId).join(', ');
    const detail = `a sequence number is a place in one shard: --shard says which of ${ids}`;
    return { kind: 'refused', detail };
  }
  const known = new Set(listed.map(({ shardId }) => shardId));
  const parents = new Set(shards.flatMap(({ parentShardIds }) => parentShardIds));
  return {
    kind: 'planned',
    shards,
    goneShardIds: shard === undefined ? [...parents].filter((parent) => !known.has(parent)) : [],
  };
}

function isNamed({ shardId }: ReplayShard, asked: string | undefined): boolean {
  if (asked === undefined || shardId === asked) return true;
  return /^\d+$/.test(asked) && Number(shardId.replace(/^\D+/, '')) === Number(asked);
}

/** @source Kinesis Developer Guide: the hash of a partition key chooses its shard. */
function mayHold(
  { startingHashKey, endingHashKey }: ReplayShard,
  hashKey: bigint | undefined,
): boolean {
  return hashKey === undefined || (startingHashKey <= hashKey && hashKey <= endingHashKey);
}
