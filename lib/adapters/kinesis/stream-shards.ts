/** StreamShards over ListShards. */
import { ListShardsCommand } from '@aws-sdk/client-kinesis';
import type { KinesisClient, Shard } from '@aws-sdk/client-kinesis';
import { toAwsError } from '#adapters/aws/aws-error';
import type { ShardRange } from '#core/partition/hash-ring';
import type { StreamShards } from '#ports/stream-shards';

export function kinesisStreamShards(client: KinesisClient, streamName: string): StreamShards {
  return {
    async listOpen() {
      const open: ShardRange[] = [];
      let NextToken: string | undefined;
      try {
        do {
          const page = await client.send(
            // The token stands for the name and the filter, and excludes both.
            new ListShardsCommand(
              NextToken === undefined
                ? { StreamName: streamName, ShardFilter: { Type: 'AT_LATEST' } }
                : { NextToken },
            ),
          );
          for (const shard of page.Shards ?? []) if (isOpen(shard)) open.push(toRange(shard));
          NextToken = page.NextToken;
        } while (NextToken !== undefined);
      } catch (error) {
        throw toAwsError(`listing the shards of the stream ${streamName}`, error);
      }
      return open;
    },
  };
}

/** A filter that is not understood answers closed ones as well. */
function isOpen({ SequenceNumberRange: range }: Shard): boolean {
  return range?.EndingSequenceNumber === undefined;
}

function toRange({ ShardId, HashKeyRange: range }: Shard): ShardRange {
  return {
    shardId: ShardId ?? '',
    startingHashKey: BigInt(range?.StartingHashKey ?? 0),
    endingHashKey: BigInt(range?.EndingHashKey ?? 0),
  };
}
