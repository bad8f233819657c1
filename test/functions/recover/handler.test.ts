/** The function that reads given-up batches, over the wire. */
import type { Context, KinesisStreamEvent } from 'aws-lambda';
import { afterEach, expect, test, vi } from 'vitest';
import type { PipelineSettings } from '#config/pipeline-settings';
import type { RecordEnd } from '#core/checkpoint/record-end';
import { recoverHandler } from '#functions/recover/handler';
import { readRecoverEnvironment } from '#functions/recover/environment';
import { createDynamoDb } from '#local/emulators/dynamodb/dynamodb';
import { createObjects } from '#local/emulators/objects/objects';
import { isInvokePath } from '#local/invoke-api';
import { openStorage } from '#local/storage';
import { SYSTEM_CLOCK } from '#local/system-clock';
import { openWire } from '#local/wire';
import { signedFetch } from '#adapters/aws/signed-fetch';
import { givenUpDocumentsIn } from '#test/contracts/quarantine-buckets';
import { ARRIVAL_MS, eventOf, recordOf } from '#test/pipeline/consume-world';
import { stateTable } from '#test/local/state-table';

const BUCKET = 'penstock-dev-orders-refused';
const settings = { name: 'orders', consumers: [{ name: 'audit' }] } as unknown as PipelineSettings;
const context = { getRemainingTimeInMillis: () => 290_000 } as Context;

const closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closes.splice(0)) await close();
});

/** A cloud with a bucket, a state table, and a consumer that answers as it is told. */
async function recoverCloud(end: (partitionKey: string) => RecordEnd) {
  const place = { storage: openStorage(), clock: SYSTEM_CLOCK, region: 'us-east-1' };
  const objects = createObjects(place);
  const dynamodb = createDynamoDb({ ...place, accountId: '000000000000' });
  objects.buckets.createBucket(BUCKET);
  dynamodb.createTable(stateTable('penstock-dev-state'));
  const invoked: string[] = [];
  const wire = await openWire({
    targets: { [dynamodb.target]: dynamodb },
    paths: [
      {
        matches: ({ path }) => isInvokePath(path),
        handler: {
          handle: async ({ path, body }) => {
            invoked.push(path);
            const { Records } = JSON.parse(Buffer.from(body).toString()) as KinesisStreamEvent;
            const ends = Records.map((record) => end(record.kinesis.partitionKey));
            return { status: 200, body: JSON.stringify({ batchItemFailures: [], ends }) };
          },
        },
      },
      { matches: () => true, handler: objects },
    ],
  });
  closes.push(() => wire.close());
  const env = {
    AWS_ENDPOINT_URL: wire.url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'key',
    AWS_LAMBDA_FUNCTION_NAME: 'penstock-dev-orders-recover',
    PENSTOCK_STAGE: 'dev',
    PENSTOCK_WAIT_MINUTES: '60',
    PENSTOCK_STATE_TABLE: 'penstock-dev-state',
    PENSTOCK_QUARANTINE_BUCKET: BUCKET,
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    POWERTOOLS_METRICS_DISABLED: 'true',
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const keys = () =>
    objects.buckets.page(BUCKET, { prefix: '', after: '', countMax: 9 }).map(({ key }) => key);
  return {
    invoked,
    keys,
    leave: givenUpDocumentsIn(signedFetch('s3', env), BUCKET, 'penstock-dev-orders-consume-audit')
      .leave,
  };
}

test('a batch that ends is done; what comes back of it is kept as given up', async () => {
  const { invoked, keys, leave } = await recoverCloud((key) =>
    key === 'b' ? 'returned' : 'written',
  );
  const records = ['a', 'b'].map((key, at) => recordOf(at + 1, eventOf({ key, version: 1 })));
  const said = { consumer: 'audit', condition: 'MaximumRecordAgeExceeded', attempts: 0 };
  await leave({ ...said, atMs: ARRIVAL_MS, records });
  await recoverHandler(settings)({}, context);
  expect(new Set(invoked)).toEqual(
    new Set(['/2015-03-31/functions/penstock-dev-orders-consume-audit/invocations']),
  );
  expect(keys()).toEqual(['audit/given-up/2030/03/17/shardId-000000000003-2.json']);
});

test('a variable that the template forgot is named', () => {
  expect(() => readRecoverEnvironment({})).toThrow('PENSTOCK_STAGE is not set');
});
