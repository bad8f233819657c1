/** Asks one stream of a test's Kinesis as a reader and a writer of its first shard do. */
import type { GetRecordsCommandOutput, ShardIteratorType } from '@aws-sdk/client-kinesis';
import { bytes, shardId, text } from './kinesis-cloud.ts';
import type { TestKinesis } from './kinesis-cloud.ts';

const StreamName = 'orders';

export interface ShardReader {
  /** Puts one record; answers its sequence number. */
  put(word: string | Uint8Array): Promise<string>;
  iterator(type: ShardIteratorType, from?: IteratorFrom): Promise<string>;
  get(iterator: string, limit?: number): Promise<GetRecordsCommandOutput>;
  /** The data of a read, whose turn has come. */
  words(iterator: string): Promise<string[]>;
  /** Splits the first shard in the middle of the ring. */
  split(): Promise<void>;
}

interface IteratorFrom {
  readonly StartingSequenceNumber?: string;
  readonly Timestamp?: Date;
  readonly ShardId?: string;
}

export function shardReader(cloud: () => TestKinesis): ShardReader {
  const reader: ShardReader = {
    async put(word) {
      const Data = typeof word === 'string' ? bytes(word) : word;
      const { SequenceNumber = '' } = await cloud().client.putRecord({
        StreamName,
        PartitionKey: 'a',
        Data,
      });
      return SequenceNumber;
    },
    async iterator(ShardIteratorType, from = {}) {
      const place = { StreamName, ShardId: shardId(0), ShardIteratorType, ...from };
      const { ShardIterator = '' } = await cloud().client.getShardIterator(place);
      return ShardIterator;
    },
    get: (ShardIterator, Limit) => cloud().client.getRecords({ ShardIterator, Limit }),
    async words(iterator) {
      cloud().clock.nowMs += 200;
      const { Records = [] } = await reader.get(iterator);
      return Records.map(({ Data }) => text(Data));
    },
    async split() {
      await cloud().client.splitShard({
        StreamName,
        ShardToSplit: shardId(0),
        NewStartingHashKey: String(2n ** 127n),
      });
    },
  };
  return reader;
}
