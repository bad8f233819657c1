/** A stream of the local cloud behind a real port, filled as a test asks. */
import { KinesisClient, PutRecordsCommand, SplitShardCommand } from '@aws-sdk/client-kinesis';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { createKinesis } from '#local/emulators/kinesis/kinesis';
import { openStorage } from '#local/storage';
import { SYSTEM_CLOCK } from '#local/system-clock';
import { openWire } from '#local/wire';

export const STREAM = 'penstock-dev-orders';
const MIDDLE = String(1n << 127n);

export async function streamOnTheWire() {
  const kinesis = createKinesis({
    storage: openStorage(),
    clock: SYSTEM_CLOCK,
    region: 'us-east-1',
    accountId: '000000000000',
    limits: { shardWriteRecordsPerSec: 1_000_000, shardWriteBytesPerSec: 1_000_000_000 },
  });
  kinesis.createStream({ Name: STREAM, ShardCount: 1 });
  const wire = await openWire({ targets: { [kinesis.target]: kinesis }, paths: [] });
  const client = new KinesisClient({
    endpoint: wire.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    requestHandler: new NodeHttpHandler(),
  });
  return {
    endpoint: wire.url,
    client,
    /** Puts one record a text, in requests of 500; each is its own partition key unless one is given. */
    async put(texts: readonly string[], key?: string) {
      for (let at = 0; at < texts.length; at += 500) {
        const records = texts.slice(at, at + 500).map((text, index) => ({
          PartitionKey: key ?? `key-${at + index}`,
          Data: Buffer.from(text),
        }));
        await client.send(new PutRecordsCommand({ StreamName: STREAM, Records: records }));
      }
    },
    /** Splits the only shard in the middle. */
    async split() {
      const first = 'shardId-000000000000';
      const ask = { StreamName: STREAM, ShardToSplit: first, NewStartingHashKey: MIDDLE };
      await client.send(new SplitShardCommand(ask));
    },
    async close() {
      client.destroy();
      await wire.close();
    },
  };
}
