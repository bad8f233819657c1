/** The AWS adapters of a poller's ports against any endpoint: the local cloud, LocalStack, AWS. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KinesisClient } from '@aws-sdk/client-kinesis';
import { clientOptions } from '#adapters/aws/client-options';
import { dynamoPollStateStore } from '#adapters/dynamodb/poll-state-store';
import { kinesisStreamWriter } from '#adapters/kinesis/stream-writer';
import { systemClock as clock } from '#adapters/system/clock';
import type { PollStateStore } from '#ports/poll-state';
import type { StreamWriter } from '#ports/stream-writer';

export interface Endpoint {
  readonly url: string;
  readonly region: string;
}

const limits = { requestTimeoutMs: 5_000, concurrency: 1 };
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

/** The stream must exist. */
export function endpointStreamWriter(
  { url: endpoint, region }: Endpoint,
  streamName: string,
): StreamWriter {
  const client = new KinesisClient({ endpoint, region, credentials, ...clientOptions(limits) });
  return kinesisStreamWriter(client, streamName);
}

/** The table must exist, with `pk` and `sk`, and hold nothing. */
export function endpointPollStateStore(
  { url: endpoint, region }: Endpoint,
  tableName: string,
): PollStateStore {
  const client = new DynamoDBClient({ endpoint, region, credentials, ...clientOptions(limits) });
  return dynamoPollStateStore(client, { tableName, clock });
}
