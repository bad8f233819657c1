/** A shard in the words of the API. */
import { COUNTER_LAST, sequenceNumber } from './sequence-number.ts';
import type { Shard } from './stream.ts';

export interface ShardDescription {
  readonly ShardId: string;
  readonly ParentShardId?: string;
  readonly AdjacentParentShardId?: string;
  readonly HashKeyRange: { readonly StartingHashKey: string; readonly EndingHashKey: string };
  readonly SequenceNumberRange: {
    readonly StartingSequenceNumber: string;
    readonly EndingSequenceNumber?: string;
  };
}

export function describeShard(shard: Shard): ShardDescription {
  const [parent, adjacent] = shard.parentShardIds;
  const { closedMs, bornSec } = shard;
  return {
    ShardId: shard.shardId,
    ...(parent === undefined ? {} : { ParentShardId: parent }),
    ...(adjacent === undefined ? {} : { AdjacentParentShardId: adjacent }),
    HashKeyRange: {
      StartingHashKey: shard.startHashKey.toString(),
      EndingHashKey: shard.endHashKey.toString(),
    },
    SequenceNumberRange: {
      StartingSequenceNumber: sequenceNumber(shard, 0, bornSec),
      ...(closedMs === undefined
        ? {}
        : {
            EndingSequenceNumber: sequenceNumber(shard, COUNTER_LAST, Math.floor(closedMs / 1_000)),
          }),
    },
  };
}
