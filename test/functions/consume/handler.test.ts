import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Context, KinesisStreamEvent } from 'aws-lambda';
import { afterEach, expect, test, vi } from 'vitest';
import type { PipelineSettings } from '#config/pipeline-settings';
import { consumeHandler } from '#functions/consume/handler';
import { readConsumeEnvironment } from '#functions/consume/environment';
import { eventOf } from '#test/pipeline/consume-world';

const settings = {
  name: 'orders',
  record: { key: 'order.order_id' },
  consumers: [
    {
      kind: 'table',
      name: 'audit',
      concurrency: 3,
      batchesPerShard: 1,
      breaker: { percent: 50, recordsMin: 50 },
      tombstoneDays: 7,
    },
  ],
} as unknown as PipelineSettings;

const closes: (() => void)[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const close of closes.splice(0)) close();
});

interface Call {
  readonly what: string;
  readonly body: Record<string, unknown>;
}

/** AWS as far as a consumer knows it: answers each call with a status and a body. */
async function stubAws(answer: (call: Call) => { status: number; body?: object }) {
  const calls: Call[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const target = String(request.headers['x-amz-target'] ?? '').split('.')[1];
    const what = target ?? `${request.method} ${request.url}`;
    const call = { what, body: JSON.parse(Buffer.concat(chunks).toString() || '{}') };
    calls.push(call);
    const { status, body = {} } = answer(call);
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closes.push(
    () => server.closeAllConnections(),
    () => void server.close(),
  );

  const { port } = server.address() as AddressInfo;
  const env = {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_LAMBDA_FUNCTION_NAME: 'penstock-dev-orders-consume-audit',
    PENSTOCK_CODE: 'c0de',
    PENSTOCK_TABLE: 'penstock-dev-orders-audit',
    PENSTOCK_STATE_TABLE: 'penstock-dev-state',
    PENSTOCK_QUARANTINE_BUCKET: 'penstock-dev-orders-refused-123456789012-eu-west-1',
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    POWERTOOLS_METRICS_DISABLED: 'true',
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  return calls;
}

const batch = (...contents: string[]): KinesisStreamEvent => ({
  Records: contents.map((content, at) => ({
    eventID: `shardId-000000000004:${at + 9}`,
    eventSource: 'aws:kinesis',
    eventSourceARN: 'arn:aws:kinesis:eu-west-1:123456789012:stream/penstock-dev-orders',
    eventName: 'aws:kinesis:record',
    eventVersion: '1.0',
    awsRegion: 'eu-west-1',
    invokeIdentityArn: 'arn:aws:iam::123456789012:role/x',
    kinesis: {
      kinesisSchemaVersion: '1.0',
      partitionKey: 'lane',
      sequenceNumber: String(at + 9),
      data: Buffer.from(content).toString('base64'),
      approximateArrivalTimestamp: 1_900_000_000.5,
    },
  })),
});
const context = { getRemainingTimeInMillis: () => 20_000 } as Context;
const order = (key: string) => JSON.stringify(eventOf({ key, version: 4 }));

test('a batch is written, its poison is set aside, its place is saved', async () => {
  const calls = await stubAws(() => ({ status: 200 }));
  const handler = consumeHandler(settings, 'audit');
  expect(await handler(batch(order('a'), '%%%', order('b')), context)).toEqual({
    batchItemFailures: [],
  });
  expect(calls.map(({ what }) => what).sort()).toEqual([
    'GetItem',
    'PUT /penstock-dev-orders-refused-123456789012-eu-west-1/audit/not-json/2030/03/17/' +
      'shardId-000000000004-10.json',
    'PutItem',
    'PutItem',
    'UpdateItem',
  ]);
  expect(calls.at(-1)).toMatchObject({
    what: 'UpdateItem',
    body: {
      TableName: 'penstock-dev-state',
      Key: { pk: { S: 'checkpoint#orders#audit' }, sk: { S: 'shardId-000000000004' } },
    },
  });
  expect(calls.find(({ what }) => what === 'PutItem')?.body).toMatchObject({
    TableName: 'penstock-dev-orders-audit',
    Item: { order_id: { S: expect.stringMatching(/^[ab]$/) } },
  });
});

test('a refused condition is success; a table that is not there returns its records', async () => {
  await stubAws(({ what, body }) => {
    if (what !== 'PutItem') return { status: 200 };
    const isA = JSON.stringify(body['Item']).includes('"S":"a"');
    const type = isA ? 'ConditionalCheckFailedException' : 'ResourceNotFoundException';
    return { status: 400, body: { __type: `com.amazonaws.dynamodb.v20120810#${type}` } };
  });
  const handler = consumeHandler(settings, 'audit');
  expect(await handler(batch(order('a'), order('b')), context)).toEqual({
    batchItemFailures: [{ itemIdentifier: '10' }],
  });
});

test('a consumer that its pipeline does not have is a defect', async () => {
  await stubAws(() => ({ status: 200 }));
  expect(() => consumeHandler(settings, 'other')).toThrow(/a consumer of its pipeline/);
});

test.each([
  'PENSTOCK_CODE',
  'PENSTOCK_TABLE',
  'PENSTOCK_STATE_TABLE',
  'PENSTOCK_QUARANTINE_BUCKET',
  'AWS_LAMBDA_FUNCTION_NAME',
])('without %s the function says so and does not start', async (name) => {
  await stubAws(() => ({ status: 200 }));
  expect(() => readConsumeEnvironment({ ...process.env, [name]: '' })).toThrow(
    `${name} is not set: the template should set it`,
  );
});
