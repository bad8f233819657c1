import { request } from 'node:http';
import { KinesisClient, ListStreamsCommand } from '@aws-sdk/client-kinesis';
import { afterEach, expect, test } from 'vitest';
import type { WireRequest, WireResponse } from '#local/contracts';
import { createKinesis } from '#local/emulators/kinesis/kinesis';
import { openStorage } from '#local/storage';
import { SYSTEM_CLOCK } from '#local/system-clock';
import { openWire } from '#local/wire';
import { ruleTest } from '#test/local/rules/rule-test';
import type { WireRoutes } from '#local/router';
import type { Wire } from '#local/wire';

let wire: Wire;
afterEach(() => wire.close());

async function open(
  handle: (request: WireRequest) => Promise<WireResponse>,
  onDefect?: (error: unknown) => void,
): Promise<void> {
  const routes: WireRoutes = {
    targets: { Known_1: { handle } },
    paths: [{ matches: ({ path }) => path.startsWith('/bucket/'), handler: { handle } }],
    ...(onDefect === undefined ? {} : { onDefect }),
  };
  wire = await openWire(routes);
}

ruleTest('wire', 'routed-by-target', async () => {
  await open(async ({ method, headers, body }) => ({
    status: 201,
    headers: { 'x-method': method },
    body: `${headers['x-amz-target']} ${body.byteLength}`,
  }));
  const answer = await fetch(wire.url, {
    method: 'POST',
    headers: { 'x-amz-target': 'Known_1.Do' },
    body: new Uint8Array(3_000_000),
  });
  expect(answer.status).toBe(201);
  expect(answer.headers.get('x-method')).toBe('POST');
  expect(await answer.text()).toBe('Known_1.Do 3000000');
});

ruleTest('wire', 'routed-by-path', async () => {
  await open(async ({ path, query }) => ({
    status: 200,
    body: `${path} ${query.get('list-type')}`,
  }));
  const answer = await fetch(`${wire.url}/bucket/a%2Fb%20c?list-type=2`);
  expect(await answer.text()).toBe('/bucket/a%2Fb%20c 2');
});

ruleTest('wire', 'unknown-target', async () => {
  await open(async () => ({ status: 200 }));
  const answer = await fetch(`${wire.url}/nowhere`);
  expect([answer.status, ((await answer.json()) as { __type: string }).__type]).toEqual([
    404,
    'UnknownOperationException',
  ]);
});

ruleTest('wire', 'not-admitted', async () => {
  const reached: string[] = [];
  const handle = async ({ path }: WireRequest): Promise<WireResponse> => {
    reached.push(path);
    return { status: 200 };
  };
  wire = await openWire({
    targets: {},
    paths: [{ matches: () => true, handler: { handle } }],
    admit: ({ path }) => (path === '/closed' ? { status: 403, body: 'no' } : undefined),
  });
  const refused = await fetch(`${wire.url}/closed`);
  expect([refused.status, await refused.text()]).toEqual([403, 'no']);
  expect((await fetch(`${wire.url}/open`)).status).toBe(200);
  expect(reached).toEqual(['/open']);
});

ruleTest('wire', 'defect', async () => {
  const told: unknown[] = [];
  await open(
    async () => Promise.reject(new Error('broken invariant')),
    (error) => told.push(error),
  );
  const answer = await fetch(`${wire.url}/bucket/x`);
  expect([answer.status, ((await answer.json()) as { __type: string }).__type]).toEqual([
    500,
    'InternalFailure',
  ]);
  expect(told).toEqual([new Error('broken invariant')]);
});

ruleTest('wire', 'hang-up', async () => {
  let calls = 0;
  await open(async () =>
    calls++ === 0 ? { status: 200, hangUp: true } : { status: 200, body: 'here' },
  );
  await expect(fetch(`${wire.url}/bucket/x`)).rejects.toThrow();
  expect(await (await fetch(`${wire.url}/bucket/x`)).text()).toBe('here');
});

ruleTest('wire', 'head', async () => {
  await open(async () => ({ status: 200, headers: { 'content-length': '42' } }));
  const answer = await fetch(`${wire.url}/bucket/x`, { method: 'HEAD' });
  expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '42']);
});

ruleTest('wire', 'body-limit', async () => {
  await open(async () => ({ status: 200 }));
  const answer = await fetch(`${wire.url}/bucket/x`, {
    method: 'PUT',
    body: new Uint8Array(33 * 1024 * 1024),
  });
  expect(answer.status).toBe(413);
});

ruleTest('wire', 'closing', async () => {
  await open(async () => ({ status: 200 }));
  await (await fetch(`${wire.url}/bucket/x`)).text();
  await wire.close();
  await expect(fetch(`${wire.url}/bucket/x`)).rejects.toThrow();
});

ruleTest('wire', 'client-gone', async () => {
  await open(async () => ({ status: 200, body: 'here' }));
  const broken = request(`${wire.url}/bucket/x`, {
    method: 'PUT',
    headers: { 'content-length': 100 },
  });
  broken.on('error', () => undefined);
  broken.write('half');
  await new Promise((resolve) => setTimeout(resolve, 20));
  broken.destroy();
  expect(await (await fetch(`${wire.url}/bucket/x`)).text()).toBe('here');
});

ruleTest('wire', 'http2', async () => {
  const kinesis = createKinesis({
    storage: openStorage(),
    clock: SYSTEM_CLOCK,
    region: 'eu-west-1',
    accountId: '123456789012',
    limits: { callRateFactor: 10 },
  });
  kinesis.createStream({ Name: 'orders', ShardCount: 1 });
  wire = await openWire({ targets: { [kinesis.target]: kinesis }, paths: [] });
  const client = new KinesisClient({
    endpoint: wire.url,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 1,
  });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => client.send(new ListStreamsCommand({}))),
  );
  for (const { StreamNames } of answers) expect(StreamNames).toEqual(['orders']);
  client.destroy();
});

test('an answer that HTTP cannot carry costs its connection alone', async () => {
  const defects: unknown[] = [];
  const headers = { 'x-note': 'two\nlines' };
  await open(
    async ({ path }) => ({ status: 200, ...(path === '/bucket/bad' ? { headers } : {}) }),
    (error) => defects.push(error),
  );
  await expect(fetch(`${wire.url}/bucket/bad`)).rejects.toThrow();
  expect(defects).toHaveLength(1);
  expect((await fetch(`${wire.url}/bucket/good`)).status).toBe(200);
});
