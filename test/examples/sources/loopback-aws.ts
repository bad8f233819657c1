/** The services that pipelines' functions speak to, behind one port on loopback. */
import { onTestFinished, vi } from 'vitest';
import { keyNames } from '#config/record-key';
import type { PipelineSettings } from '#config/pipeline-settings';
import { createDynamoDb } from '#local/emulators/dynamodb/dynamodb';
import { createKinesis } from '#local/emulators/kinesis/kinesis';
import { createObjects } from '#local/emulators/objects/objects';
import { createSecrets } from '#local/emulators/secrets/secrets';
import { openStorage } from '#local/storage';
import { SYSTEM_CLOCK } from '#local/system-clock';
import { openWire } from '#local/wire';

const SHARDS = 2;
const STATE_TABLE = 'state';
const PLACE = { clock: SYSTEM_CLOCK, region: 'us-east-1', accountId: '000000000000' };

export type LoopbackAws = Awaited<ReturnType<typeof loopbackAws>>;

/** Start them, and point every client of the test at them; they end with it. */
export async function loopbackAws() {
  const kinesis = createKinesis({ ...PLACE, storage: openStorage() });
  const dynamodb = createDynamoDb({ ...PLACE, storage: openStorage() });
  const { buckets, ...objects } = createObjects({ ...PLACE, storage: openStorage() });
  const secrets = createSecrets({ ...PLACE, storage: openStorage() });
  const wire = await openWire({
    targets: { [kinesis.target]: kinesis, [dynamodb.target]: dynamodb, secretsmanager: secrets },
    paths: [{ matches: () => true, handler: objects }],
  });
  onTestFinished(() => wire.close());
  const env = {
    AWS_ENDPOINT_URL: wire.url,
    AWS_REGION: PLACE.region,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    POWERTOOLS_METRICS_DISABLED: 'true',
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  dynamodb.createTable(tableProperties(STATE_TABLE, ['pk', 'sk']));

  return {
    kinesis,
    /** What a pipeline's stacks would make, under its name: stream, table and buckets. */
    make({ name, record }: PipelineSettings): Readonly<Record<string, string>> {
      kinesis.createStream({ Name: name, ShardCount: SHARDS });
      dynamodb.createTable(tableProperties(name, keyNames(record.key)));
      for (const bucket of [name, `${name}-ledger`]) buckets.createBucket(bucket);
      return {
        ...env,
        AWS_LAMBDA_FUNCTION_NAME: name,
        PENSTOCK_STREAM: name,
        PENSTOCK_STATE_TABLE: STATE_TABLE,
        PENSTOCK_QUARANTINE_BUCKET: name,
        PENSTOCK_LEDGER_BUCKET: `${name}-ledger`,
        PENSTOCK_CODE: 'code',
      };
    },
    createSecret: (name: string, value: string) => secrets.createSecret({ name, arn: name, value }),
    keysIn: (bucket: string) =>
      buckets.page(bucket, { prefix: '', after: '', countMax: 100 }).map(({ key }) => key),
  };
}

function tableProperties(name: string, keys: readonly string[]) {
  return {
    TableName: name,
    KeySchema: keys.map((key, at) => ({
      AttributeName: key,
      KeyType: at === 0 ? 'HASH' : 'RANGE',
    })),
    AttributeDefinitions: keys.map((key) => ({ AttributeName: key, AttributeType: 'S' })),
    BillingMode: 'PAY_PER_REQUEST',
  };
}
