/** ShardReader over GetRecords. */
import type { KinesisClient } from '@aws-sdk/client-kinesis';
import type { StoredRecord } from '#core/record/records';
import type { ShardReader } from '#ports/shard-reader';
import { openShard } from './stream-reader.ts';

/** Small enough that a shard's other readers wait for no page of ours; ten megabytes take five seconds' reads. */
const PAGE_RECORDS_MAX = 1_000;

export function kinesisShardReader(client: KinesisClient, stream: string): ShardReader {
  return {
    async open(shardId, from) {
      const shard = await openShard(client, { stream, shardId, from });
      return async () => {
        const page = await shard.read(PAGE_RECORDS_MAX);
        // What was written this very millisecond is no time behind, and yet to be read.
        const isAtTip = page.behindMs === 0 && page.records.length === 0;
        return {
          records: page.records as readonly StoredRecord[],
          stand: shard.isReadOut() ? 'end' : isAtTip ? 'tip' : 'more',
        };
      };
    },
  };
}
