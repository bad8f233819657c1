/** A stream and the state table of the local cloud behind a real port, filled as a test asks. */
import { PutRecordsCommand, SplitShardCommand } from '@aws-sdk/client-kinesis';
import { dynamoCheckpointStore } from '#adapters/dynamodb/checkpoint-store';
import { connect } from '#cli/connection';
import type { SequenceNumber } from '#core/record/records';
import type { FaultPlan } from '#local/contracts';
import { createDynamoDb } from '#local/emulators/dynamodb/dynamodb';
import { createKinesis } from '#local/emulators/kinesis/kinesis';
import { createLogs } from '#local/emulators/logs/logs';
import { createObjects } from '#local/emulators/objects/objects';
import { createSecrets } from '#local/emulators/secrets/secrets';
import { openStorage } from '#local/storage';
import { SYSTEM_CLOCK } from '#local/system-clock';
import { openWire } from '#local/wire';
import { stateTable } from '#test/local/state-table';

export const STREAM = 'penstock-dev-orders';
export const FIRST_SHARD = 'shardId-000000000000';
const STATE_TABLE = 'penstock-dev-state';
const MIDDLE = String(1n << 127n);

export async function streamOnTheWire(faults: FaultPlan = {}) {
  const storage = openStorage();
  const place = { storage, clock: SYSTEM_CLOCK, region: 'us-east-1', accountId: '000000000000' };
  const kinesis = createKinesis({
    ...place,
    faults,
    limits: { shardWriteRecordsPerSec: 1_000_000, shardWriteBytesPerSec: 1_000_000_000 },
  });
  const dynamodb = createDynamoDb({ ...place, faults });
  const logs = createLogs(place);
  const objects = createObjects(place);
  const secrets = createSecrets(place);
  kinesis.createStream({ Name: STREAM, ShardCount: 1 });
  dynamodb.createTable(stateTable(STATE_TABLE));
  secrets.createSecret({
    name: 'penstock/dev/orders-api-token',
    arn: 'arn:aws:secretsmanager:us-east-1:000000000000:secret:s',
  });
  const wire = await openWire({
    targets: {
      [kinesis.target]: kinesis,
      [dynamodb.target]: dynamodb,
      secretsmanager: secrets,
      [logs.target]: logs,
    },
    paths: [{ matches: () => true, handler: objects }],
  });
  const connection = connect(wire.url, {});
  const checkpoints = dynamoCheckpointStore(connection.dynamodb, { tableName: STATE_TABLE });
  return {
    endpoint: wire.url,
    connection,
    client: connection.kinesis,
    buckets: objects.buckets,
    logs,
    /** Puts one record a text, each under its own partition key unless one is given. */
    async put(texts: readonly string[], key?: string) {
      const sequences: string[] = [];
      for (let at = 0; at < texts.length; at += 500) {
        const records = texts.slice(at, at + 500).map((text, index) => ({
          PartitionKey: key ?? `key-${at + index}`,
          Data: Buffer.from(text),
        }));
        const command = new PutRecordsCommand({ StreamName: STREAM, Records: records });
        const { Records = [] } = await connection.kinesis.send(command);
        sequences.push(...Records.map(({ SequenceNumber }) => SequenceNumber ?? ''));
      }
      return sequences;
    },
    /** Splits the first shard in the middle. */
    async split() {
      const ask = { StreamName: STREAM, ShardToSplit: FIRST_SHARD, NewStartingHashKey: MIDDLE };
      await connection.kinesis.send(new SplitShardCommand(ask));
    },
    async checkpoint(
      shardId: string,
      sequenceNumber: string | undefined,
      reach: 'frontier' | 'highest-finished' = 'frontier',
      done = 1,
    ) {
      const at = { arrivalTimeMs: 1, atMs: 2, sequenceNumber: sequenceNumber as SequenceNumber };
      const whose = { pipeline: 'orders', consumer: 'orders', shardId, reach };
      await checkpoints.save({ ...whose, ...at }, done);
    },
    async close() {
      connection.close();
      await wire.close();
    },
  };
}
