/** Asks any Kinesis, each question on streams of its own. */
import { randomUUID } from 'node:crypto';
import { Kinesis, ResourceNotFoundException } from '@aws-sdk/client-kinesis';
import type { ShardIteratorType } from '@aws-sdk/client-kinesis';
import { NodeHttpHandler } from '@smithy/node-http-handler';

export interface KinesisAsker {
  readonly client: Kinesis;
  /** Makes a stream and waits until it can be written to. */
  stream(shardCount: number): Promise<string>;
  /** Waits until nothing is being done to the stream. */
  settled(stream: string): Promise<void>;
  /** Deletes a stream, and waits until nothing is left of it. */
  remove(stream: string): Promise<void>;
  /** Puts texts under one key; answers their numbers. */
  put(stream: string, ...texts: readonly string[]): Promise<readonly string[]>;
  iterator(stream: string, type: ShardIteratorType, more?: IteratorFrom): Promise<string>;
  /** The texts of one read. */
  read(iterator: string): Promise<readonly string[]>;
  /** Deletes the streams made so far: an account has room for so many shards. */
  tidy(): Promise<void>;
  close(): void;
}

interface IteratorFrom {
  readonly ShardId?: string;
  readonly StartingSequenceNumber?: string;
  readonly Timestamp?: Date;
}

export const FIRST = 'shardId-000000000000';
const PAUSE_MS = 20;

/** HTTP/1.1: not every server speaks HTTP/2 without TLS. */
export function kinesisAsker(endpoint: string, attempts = 1): KinesisAsker {
  const client = new Kinesis({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: '000000000000', secretAccessKey: 'parity' },
    maxAttempts: attempts,
    requestHandler: new NodeHttpHandler(),
  });
  const made = new Set<string>();
  const asker: KinesisAsker = {
    client,
    async stream(ShardCount) {
      const StreamName = `parity-${randomUUID()}`;
      await client.createStream({ StreamName, ShardCount });
      made.add(StreamName);
      await asker.settled(StreamName);
      return StreamName;
    },
    async settled(StreamName) {
      for (;;) {
        const { StreamDescriptionSummary } = await client.describeStreamSummary({ StreamName });
        if (StreamDescriptionSummary?.StreamStatus === 'ACTIVE') return;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    },
    async remove(StreamName) {
      for (;;) {
        try {
          const { StreamDescriptionSummary: found } = await client.describeStreamSummary({
            StreamName,
          });
          if (found?.StreamStatus === 'ACTIVE') {
            await client.deleteStream({ StreamName, EnforceConsumerDeletion: true });
          }
          await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        } catch (error) {
          if (error instanceof ResourceNotFoundException) return;
          throw error;
        }
      }
    },
    async put(StreamName, ...texts) {
      const { Records = [] } = await client.putRecords({
        StreamName,
        Records: texts.map((text) => ({ PartitionKey: 'key', Data: Buffer.from(text) })),
      });
      return Records.map(({ SequenceNumber = '' }) => SequenceNumber);
    },
    async iterator(StreamName, ShardIteratorType, more = {}) {
      const { ShardIterator = '' } = await client.getShardIterator({
        StreamName,
        ShardId: FIRST,
        ShardIteratorType,
        ...more,
      });
      return ShardIterator;
    },
    async read(ShardIterator) {
      const { Records = [] } = await client.getRecords({ ShardIterator });
      return Records.map(({ Data }) => Buffer.from(Data ?? []).toString());
    },
    async tidy() {
      for (const StreamName of made) await asker.remove(StreamName);
      made.clear();
    },
    close: () => client.destroy(),
  };
  return asker;
}
