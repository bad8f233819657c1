/** The AWS adapters on an endpoint of AWS's services, each over something new that holds nothing. */
import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { CreateStreamCommand, KinesisClient, waitUntilStreamExists } from '@aws-sdk/client-kinesis';
import { clientOptions } from '#adapters/aws/client-options';
import { signedFetch } from '#adapters/aws/signed-fetch';
import type { SignedFetch } from '#adapters/aws/signed-fetch';
import { dynamoBreakerStore } from '#adapters/dynamodb/breaker-store';
import { dynamoCheckpointReader } from '#adapters/dynamodb/checkpoint-reader';
import { dynamoCheckpointStore } from '#adapters/dynamodb/checkpoint-store';
import { dynamoFeedStates } from '#adapters/dynamodb/feed-states';
import { dynamoPollControl } from '#adapters/dynamodb/poll-control';
import { dynamoPollStateStore } from '#adapters/dynamodb/poll-state-store';
import { dynamoRateBudget } from '#adapters/dynamodb/rate-budget';
import { dynamoRecordTable } from '#adapters/dynamodb/record-table';
import { dynamoBackfillStore } from '#adapters/dynamodb/backfill-store';
import { dynamoReplayStore } from '#adapters/dynamodb/replay-store';
import { dynamoTurns } from '#adapters/dynamodb/turns';
import { kinesisStreamWriter } from '#adapters/kinesis/stream-writer';
import { bucketLedgers } from '#adapters/objects/ledgers';
import { bucketQuarantine } from '#adapters/objects/quarantine';
import { askSecrets } from '#adapters/secrets/ask-secrets';
import { versionedSecret } from '#adapters/secrets/versioned-secret';
import { systemClock as clock } from '#adapters/system/clock';
import type { JsonObject } from '#core/record/json';
import { keptIn } from './kept-in.ts';
import { givenUpDocumentsIn, keptRecordsIn } from './quarantine-buckets.ts';
import { readItem, recordIn, timesIn, writeBeside } from './read-item.ts';
import type { TableAsk } from './record-table.contract.ts';

export const REGION = 'us-east-1';
const CREDENTIALS = { accessKeyId: 'test', secretAccessKey: 'test' };
/** A cloud that is busy with other tests answers late; none is asked how fast it is. */
const LIMITS = { requestTimeoutMs: 30_000, concurrency: 8 };
/** In seconds; the SDK's own first wait for a table is 20. */
const PATIENCE = { minDelay: 0.1, maxDelay: 0.5, maxWaitTime: 30 };

export interface Endpoint {
  /** As `http://127.0.0.1:4599`. */
  readonly url: string;
  /** Given where the wire has no CreateBucket. */
  createBucket?(name: string): void;
}

export type EndpointPorts = ReturnType<typeof endpointPorts>;

export function endpointPorts({ url, createBucket }: Endpoint) {
  const settings = { endpoint: url, region: REGION, credentials: CREDENTIALS };
  const kinesis = new KinesisClient({ ...settings, ...clientOptions(LIMITS) });
  const dynamodb = new DynamoDBClient({ ...settings, ...clientOptions(LIMITS) });
  const environment = {
    AWS_ENDPOINT_URL: url,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
  };
  const send = signedFetch('s3', environment);

  const newBucket = async (): Promise<string> => {
    const name = `box-${randomUUID()}`;
    if (createBucket) createBucket(name);
    else await send({ method: 'PUT', path: `/${name}`, timeoutMs: LIMITS.requestTimeoutMs });
    return name;
  };
  return {
    async stream() {
      const streamName = await newStream(kinesis);
      return { streamName, writer: kinesisStreamWriter(kinesis, streamName) };
    },
    async pollState() {
      const tableName = await newTable(dynamodb, ['pk', 'sk']);
      return {
        store: dynamoPollStateStore(dynamodb, { tableName, clock }),
        control: dynamoPollControl(dynamodb, { tableName }),
      };
    },
    async rates() {
      return dynamoRateBudget(dynamodb, { tableName: await newTable(dynamodb, ['pk', 'sk']) });
    },
    async feedStates() {
      const tableName = await newTable(dynamodb, ['pk', 'sk']);
      return dynamoFeedStates(dynamodb, { tableName, feed: 'deletes', clock });
    },
    ledgers: async () => bucketLedgers(send, await newBucket()),
    async checkpoints() {
      const tableName = await newTable(dynamodb, ['pk', 'sk']);
      const store = {
        ...dynamoCheckpointStore(dynamodb, { tableName }),
        ...dynamoCheckpointReader(dynamodb, { tableName }),
      };
      return { dynamodb, tableName, store };
    },
    async replays() {
      return dynamoReplayStore(dynamodb, { tableName: await newTable(dynamodb, ['pk', 'sk']) });
    },
    async backfills() {
      return dynamoBackfillStore(dynamodb, { tableName: await newTable(dynamodb, ['pk', 'sk']) });
    },
    async breakers() {
      const tableName = await newTable(dynamodb, ['pk', 'sk']);
      return { dynamodb, tableName, store: dynamoBreakerStore(dynamodb, { tableName }) };
    },
    async records({ mode = 'replace', attributes = {}, nowMs = clock.nowMs }: TableAsk = {}) {
      const keyNames = ['order_id'];
      const tableName = await newTable(dynamodb, keyNames);
      const given = { keyNames, mode, attributes, tombstoneDays: 7 };
      const rules = { ...given, tableName, clock: { ...clock, nowMs } };
      const item = (key: string) => readItem(dynamodb, tableName, key);
      return {
        dynamodb,
        tableName,
        table: dynamoRecordTable(dynamodb, rules),
        writer: () => dynamoRecordTable(dynamodb, rules),
        item,
        read: async (key: string) => recordIn(await item(key)),
        times: async (key: string) => timesIn(await item(key)),
        write: (key: string, others: JsonObject) => writeBeside(dynamodb, tableName, key, others),
      };
    },
    async turns() {
      return dynamoTurns(dynamodb, { tableName: await newTable(dynamodb, ['pk', 'sk']) });
    },
    versionedSecret: (text: string) => newSecret(signedFetch('secretsmanager', environment), text),
    keptRecords: async () => keptRecordsIn(send, await newBucket()),
    givenUpDocuments: async () => givenUpDocumentsIn(send, await newBucket()),
    async quarantine() {
      const name = await newBucket();
      return { quarantine: bucketQuarantine(send, name), kept: () => keptIn(send, name) };
    },
  };
}

async function newSecret(send: SignedFetch, text: string) {
  const name = `penstock/test/${randomUUID()}`;
  const call = async (operation: string, input: object) => {
    const what = `the test's ${operation}`;
    const answer = await askSecrets(send, { operation, input, what });
    if (answer.kind === 'refused') throw new Error(`${what}: ${answer.code}`);
  };
  const ask = (value: string) => ({ SecretString: value, ClientRequestToken: randomUUID() });
  await call('CreateSecret', { Name: name, ...ask(text) });
  return {
    secret: versionedSecret(send, name),
    put: (other: string) => call('PutSecretValue', { SecretId: name, ...ask(other) }),
  };
}

async function newStream(client: KinesisClient): Promise<string> {
  const StreamName = `stream-${randomUUID()}`;
  await client.send(new CreateStreamCommand({ StreamName, ShardCount: 2 }));
  await waitUntilStreamExists({ client, ...PATIENCE }, { StreamName });
  return StreamName;
}

async function newTable(client: DynamoDBClient, keys: readonly string[]): Promise<string> {
  const TableName = `table-${randomUUID()}`;
  const command = new CreateTableCommand({
    TableName,
    KeySchema: keys.map((name, at) => ({ AttributeName: name, KeyType: at ? 'RANGE' : 'HASH' })),
    AttributeDefinitions: keys.map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    BillingMode: 'PAY_PER_REQUEST',
  });
  await client.send(command);
  await waitUntilTableExists({ client, ...PATIENCE }, { TableName });
  return TableName;
}
