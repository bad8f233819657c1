import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signedFetch } from '#adapters/aws/signed-fetch';
import { versionedSecret } from '#adapters/secrets/versioned-secret';
import type { PipelineSettings } from '#config/pipeline-settings';
import type { WireHandler } from '#local/contracts';
import { createKinesis } from '#local/emulators/kinesis/kinesis';
import { createSecrets } from '#local/emulators/secrets/secrets';
import { openStorage } from '#local/storage';
import { SYSTEM_CLOCK } from '#local/system-clock';
import { openWire } from '#local/wire';
import type { Wire } from '#local/wire';
import { scriptedServer, serve } from '#test/adapters/http/scripted-server';
import { pollHandler } from '#functions/poll/handler';

const settings: PipelineSettings = {
  name: 'orders',
  source: {
    url: { env: 'ORDERS_API_URL' },
    auth: { kind: 'bearer', secret: 'orders-api-token', refetchOn: [401] },
    records: 'data',
    pagination: { kind: 'cursor', param: 'cursor', next: 'next' },
    incremental: {
      param: 'since',
      field: 'updated_at',
      fieldFormat: 'iso',
      format: 'iso',
      horizonSec: 90,
      inclusive: true,
      ordered: true,
    },
    pageSize: { param: 'limit', value: 2 },
    query: {},
    timeoutSec: 5,
    idleSec: 4,
    orphans: false,
  },
  schedule: { everyMinutes: 1 },
  poll: { memoryMb: 512, timeoutSec: 60, behind: { reaction: 'ignore' } },
  record: {
    key: 'order_id',
    version: { field: 'updated_at', format: 'iso' },
    eventTime: { field: 'updated_at', format: 'iso' },
    partitionBy: 'order_id',
  },
  stream: { load: { onDemand: true }, retentionHours: 24, recordBytesMax: 1_048_576 },
  consumers: [],
  quarantine: { keptDays: 14 },
  alarms: { iteratorAgeMinutes: 15, staleIntervals: 3 },
};

const context = { getRemainingTimeInMillis: () => 50_000 } as Context;
let wire: Wire;
const before = { ...process.env };
afterAll(async () => {
  // In place: other files of this thread hold the same object.
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  await wire.close();
});

/** Answers whatever is asked with the same JSON, and keeps what was asked. */
function canned(answer: object, asked: string[] = []): WireHandler {
  return {
    async handle({ body }) {
      asked.push(Buffer.from(body).toString());
      return { status: 200, body: JSON.stringify(answer) };
    },
  };
}

const kinesis = createKinesis({
  storage: openStorage(),
  clock: SYSTEM_CLOCK,
  region: 'eu-central-1',
  accountId: '000000000000',
});
const secrets = createSecrets({ storage: openStorage(), clock: SYSTEM_CLOCK });
const saved: string[] = [];
const bearers: (string | undefined)[] = [];

beforeAll(async () => {
  kinesis.createStream({ Name: 'penstock-dev-orders', ShardCount: 1 });
  secrets.createSecret({ name: 'penstock/dev/orders-api-token', arn: 'a', value: 'tok-3f9c' });
  secrets.createSecret({ name: 'penstock/dev/put-later', arn: 'b' });
  secrets.createSecret({
    name: 'penstock/dev/grant',
    arn: 'd',
    value: '{"refreshToken":"r0"}',
  });
  const value = '{ "username": "ada", "password": "two words" }';
  secrets.createSecret({ name: 'penstock/dev/login', arn: 'c', value });
  const Attributes = { epoch: { N: '4' }, notBeforeMs: { N: '0' } };
  wire = await openWire({
    targets: {
      [kinesis.target]: kinesis,
      DynamoDB_20120810: canned({ Attributes }, saved),
      secretsmanager: secrets,
    },
    paths: [],
  });
  const source = await scriptedServer((response, at, request) => {
    bearers.push(request.headers.authorization);
    const data = [{ order_id: `${at}`, updated_at: '2031-06-12T15:00:00Z', total: at }];
    response.end(
      JSON.stringify({ data, next: at === 0 ? 'k2' : null }).replace('"total":1', '"total":1.00'),
    );
  });
  Object.assign(process.env, {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL: wire.url,
    AWS_LAMBDA_FUNCTION_NAME: 'penstock-dev-orders-poll',
    PENSTOCK_STREAM: 'penstock-dev-orders',
    PENSTOCK_STATE_TABLE: 'penstock-dev-state',
    PENSTOCK_QUARANTINE_BUCKET: 'bucket',
    PENSTOCK_SECRET: 'penstock/dev/orders-api-token',
    ORDERS_API_URL: source.url,
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    POWERTOOLS_METRICS_DISABLED: 'true',
  });
  return source.close;
});

test('a tick brings the source’s pages into the stream, and says how far it came', async () => {
  const map = ({ order_id, updated_at, total }: Record<string, never>) => ({
    order_id,
    updated_at,
    total,
  });
  const result = await pollHandler(settings, map as never)({}, context);
  expect(result).toMatchObject({ kind: 'caught-up', pages: 2, records: 2, published: 2 });
  expect(bearers).toEqual(['Bearer tok-3f9c', 'Bearer tok-3f9c']);

  const [shard] = kinesis.listShards('penstock-dev-orders');
  const from = { kind: 'trim-horizon' } as const;
  const max = { records: 10, bytes: 1_000_000 };
  const { records } = kinesis.read('penstock-dev-orders', shard!.shardId, from, max);
  const events = records.map(({ data }) => Buffer.from(data).toString());
  expect(events[1]).toContain(
    '"data":{"order_id":"1","updated_at":"2031-06-12T15:00:00Z","total":1.00}',
  );
  expect(JSON.parse(events[0]!)).toMatchObject({
    id: expect.stringMatching(/^0@2031-06-12T15:00:00Z#[0-9a-f]{16}$/),
    observed: '0000000004-0000000001',
  });
  // Taken, saved after each page, given back.
  expect(saved).toHaveLength(4);
  expect(saved.join()).not.toContain('tok-3f9c');
});

test('a tick reads bodies by the rules of its file: lines, and an error among them', async () => {
  const lines = (id: string) => `{"order_id":"${id}","updated_at":"2031-06-12T15:00:00Z"}\n`;
  const bodies = [lines('8') + lines('9'), '', `${lines('10')}{"error":{"code":"SLOW"}}\n`];
  const source = await scriptedServer((response, at) => response.end(bodies[at]));
  const url = process.env['ORDERS_API_URL'];
  process.env['ORDERS_API_URL'] = source.url;
  const handler = pollHandler({
    ...settings,
    source: {
      ...settings.source,
      records: { lines: true },
      pagination: { kind: 'offset', param: 'skip', first: 0, overlap: 0 },
      errors: { path: 'error', waitIf: { path: 'error.code', is: ['SLOW'] } },
    },
  });
  try {
    expect(await handler({}, context)).toMatchObject({ kind: 'caught-up', published: 2 });
    expect(await handler({}, context)).toMatchObject({
      kind: 'parked',
      published: 0,
      detail: 'the source asked for a pause with status 200',
    });
  } finally {
    process.env['ORDERS_API_URL'] = url;
    await source.close();
  }
});

test('a tick whose secret has no value fails and says how to put it', async () => {
  process.env['PENSTOCK_SECRET'] = 'penstock/dev/put-later';
  expect(await pollHandler(settings)({}, context)).toMatchObject({
    kind: 'failed',
    detail:
      'the secret penstock/dev/put-later cannot be read: it is missing or empty; put it with ' +
      '`aws secretsmanager put-secret-value --secret-id penstock/dev/put-later --secret-string …`',
  });
  expect(bearers).toHaveLength(2);
});

test('a secret that is a login may hold spaces, as JSON does', async () => {
  process.env['PENSTOCK_SECRET'] = 'penstock/dev/login';
  const { source } = settings;
  const auth = { kind: 'basic', secret: 'login', refetchOn: [401] } as const;
  const poll = pollHandler({ ...settings, source: { ...source, auth } });
  expect(await poll({}, context)).toMatchObject({ kind: 'caught-up' });
  expect(bearers.at(-1)).toBe(`Basic ${btoa('ada:two words')}`);
});

test('a refresh token that changes is in the secret when the poll ends', async () => {
  process.env['PENSTOCK_SECRET'] = 'penstock/dev/grant';
  const { url } = await serve((response) =>
    response.end('{"access_token":"a1","expires_in":600,"refresh_token":"r1"}'),
  );
  const auth = {
    kind: 'oauth2',
    grant: 'refresh-token',
    tokenUrl: `${url}/token`,
    clientId: 'app',
    clientIn: 'body',
    secret: 'grant',
    refetchOn: [401],
  } as const;
  const poll = pollHandler({ ...settings, source: { ...settings.source, auth } });
  expect(await poll({}, context)).toMatchObject({ kind: 'caught-up' });
  expect(bearers.at(-1)).toBe('Bearer a1');
  const read = await versionedSecret(
    signedFetch('secretsmanager', process.env),
    'penstock/dev/grant',
  ).read('current');
  expect(JSON.parse(read!.text)).toMatchObject({ refreshToken: 'r1', accessToken: 'a1' });
  expect(saved.join()).toContain('turn#penstock/dev/grant');
  expect(saved.join()).not.toMatch(/\b[ar][01]\b/);
});

test('a function without its secret’s name does not start', () => {
  delete process.env['PENSTOCK_SECRET'];
  expect(() => pollHandler(settings)).toThrow('a source that is shown a secret has one');
});

test('a function whose source is no URL does not start, and names the variable', () => {
  process.env['PENSTOCK_SECRET'] = 'penstock/dev/orders-api-token';
  process.env['ORDERS_API_URL'] = 'nonsense';
  expect(() => pollHandler(settings)).toThrow(/^ORDERS_API_URL is not a URL$/);
});
