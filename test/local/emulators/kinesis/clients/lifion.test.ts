/** A consumer that is not of this project: its own leases and checkpoints, by the SDK before the last. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Kinesis } from '@aws-sdk/client-kinesis';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PATIENTLY } from '#test/clouds/patience';
import { openKinesisForClients } from './kinesis-for-clients.ts';

interface Lifion {
  on(event: 'data', listener: (page: LifionPage) => void): Lifion;
  on(event: 'error', listener: (error: Error) => void): Lifion;
  startConsumer(): Promise<void>;
  stopConsumer(): void;
}

interface LifionPage {
  readonly shardId: string;
  readonly records: readonly { readonly partitionKey: string; readonly data: string }[];
}

const LIFION = fileURLToPath(import.meta.resolve('lifion-kinesis'));
const LifionKinesis = createRequire(import.meta.url)(LIFION) as new (options: object) => Lifion;

const StreamName = 'orders';
const ACCESS = {
  region: 'eu-west-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
};
const KEYS = Array.from({ length: 10 }, (_, n) => `key-${n}`);
const ROUNDS = 120;
const PAUSE_MS = 40;

/** Round after round, each key's next number. */
async function write(
  client: Kinesis,
  { between }: { between: (round: number) => Promise<unknown> | undefined },
) {
  for (let round = 0; round < ROUNDS; round++) {
    const Records = KEYS.map((key) => ({ PartitionKey: key, Data: Buffer.from(String(round)) }));
    const { FailedRecordCount } = await client.putRecords({ StreamName, Records });
    expect(FailedRecordCount).toBe(0);
    await between(round);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

test('lifion-kinesis reads every record once and each key in order, through a reshard under load', async () => {
  const { url: endpoint, kinesis, close } = await openKinesisForClients();
  onTestFinished(close);
  kinesis.createStream({ Name: StreamName, ShardCount: 2 });
  const client = new Kinesis({ endpoint, ...ACCESS, requestHandler: new NodeHttpHandler() });

  const seen: { shardId: string; key: string; round: number }[] = [];
  const errors: Error[] = [];
  const consumer = new LifionKinesis({
    ...ACCESS,
    endpoint,
    dynamoDb: { ...ACCESS, endpoint },
    streamName: StreamName,
    consumerGroup: 'parity',
    initialPositionInStream: 'TRIM_HORIZON',
    leaseAcquisitionInterval: 300,
    pollDelay: 220,
    noRecordsPollDelay: 220,
  });
  consumer.on('error', (error) => errors.push(error));
  consumer.on('data', ({ shardId, records }) => {
    for (const { partitionKey, data } of records) {
      seen.push({ shardId, key: partitionKey, round: Number(data) });
    }
  });
  await consumer.startConsumer();
  onTestFinished(() => {
    // It stumbles over the shards that it has read to their ends; what goes on ends with the process.
    expect(() => consumer.stopConsumer()).toThrow("reading 'stop'");
  });

  await write(client, {
    between: (round) =>
      round === 40
        ? client.updateShardCount({
            StreamName,
            TargetShardCount: 4,
            ScalingType: 'UNIFORM_SCALING',
          })
        : undefined,
  });
  await vi.waitFor(
    () => expect(seen.length).toBeGreaterThanOrEqual(KEYS.length * ROUNDS),
    PATIENTLY,
  );

  const rounds = Array.from({ length: ROUNDS }, (_, round) => round);
  const byKey = Map.groupBy(seen, ({ key }) => key);
  expect(
    Object.fromEntries(
      [...byKey].map(([key, records]) => [key, records.map(({ round }) => round)]),
    ),
  ).toEqual(Object.fromEntries(KEYS.map((key) => [key, rounds])));
  expect(new Set(seen.map(({ shardId }) => shardId)).size).toBeGreaterThan(2);
  expect(errors).toEqual([]);
});
