import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startCloud } from '#local/cloud';
import type { Cloud } from '#local/cloud';
import type { CloudEvent } from '#local/cloud-event';
import type { CloudOptions } from '#local/cloud-options';
import {
  DATA_TEMPLATE,
  roleThatMay,
  RUN_TEMPLATE,
  withoutTicks,
  writeSmallApp,
} from '#test/local/cloud-fixture';
import { PATIENTLY } from '#test/clouds/patience';

const parameters = { OrdersApiUrl: 'http://127.0.0.1:9/orders' };
const BOX = 'box-000000000000';

async function start(options: Partial<CloudOptions> = {}) {
  const events: CloudEvent[] = [];
  const cloud = await startCloud({
    cdkOut: options.cdkOut ?? writeSmallApp({ run: withoutTicks() }),
    parameters,
    onEvent: (event) => void events.push(event),
    ...options,
  });
  onTestFinished(() => cloud.stop());
  return { cloud, events };
}

async function call({ endpoint }: Pick<Cloud, 'endpoint'>, target: string, input: object) {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'x-amz-target': target, 'content-type': 'application/x-amz-json-1.1' },
    body: JSON.stringify(input),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function seen({ endpoint }: Cloud): Promise<string[]> {
  const text = await (await fetch(`${endpoint}/${BOX}?list-type=2&prefix=seen/`)).text();
  return [...text.matchAll(/<Key>(.*?)<\/Key>/g)].map((match) => match[1]!);
}

const put = (cloud: Cloud, key: string) =>
  call(cloud, 'Kinesis_20131202.PutRecord', {
    StreamName: 'river',
    PartitionKey: key,
    Data: 'eyJuIjoxfQ==',
  });

/** Waits on the condition, however busy the machine is. */
const eventually = <T>(read: () => T) => expect.poll(read, PATIENTLY);

const isAlive = (pid: number) => spawnSync('kill', ['-0', String(pid)]).status === 0;

/** Functions' processes that a process started. */
const children = (parent = process.pid) =>
  spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(parent)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.includes('bootstrap.mjs'))
    .map((line) => Number.parseInt(line, 10));

describe('a cloud', () => {
  test('is ticked, published to and consumed from, as its template says', async () => {
    const { cloud, events } = await start({ cdkOut: writeSmallApp(), tempo: true });
    await eventually(() => seen(cloud)).not.toHaveLength(0);
    await eventually(() => events.filter(({ kind }) => kind === 'tick').length).toBeGreaterThan(2);
    const log = events.find((event) => event.kind === 'log' && event.functionName === 'poll');
    expect(log).toMatchObject({
      json: { message: 'ticked', url: parameters.OrdersApiUrl, source: 'aws.scheduler' },
    });
    const kinds = () => new Set(events.map(({ kind }) => kind));
    for (const kind of ['put', 'batch', 'finished', 'invocation'] as const) {
      await eventually(kinds).toContain(kind);
    }
    expect(kinds()).not.toContain('defect');
  });

  test('says what it is made of', async () => {
    const { cloud } = await start();
    expect(cloud.resources).toMatchObject({
      'AWS::Kinesis::Stream': ['river'],
      'AWS::DynamoDB::Table': ['rows'],
      'AWS::S3::Bucket': [BOX],
      'AWS::Lambda::Function': ['poll', 'consume'],
    });
    const page = await fetch(`${cloud.endpoint}/_penstock/resources`);
    expect(await page.json()).toEqual(cloud.resources);
    const health = await fetch(`${cloud.endpoint}/_penstock/health`);
    expect(await health.json()).toEqual({ status: 'ok', process: process.pid });
    expect((await fetch(`${cloud.endpoint}/_penstock/other`)).status).toBe(404);
  });

  test('serves every service on one port', async () => {
    const { cloud } = await start();
    const statuses = [
      await call(cloud, 'Kinesis_20131202.ListShards', { StreamName: 'river' }),
      await call(cloud, 'DynamoDB_20120810.DescribeTable', { TableName: 'rows' }),
      await call(cloud, 'secretsmanager.ListSecrets', {}),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200]);
    expect(await seen(cloud)).toEqual([]);
  });

  test('invokes a function over the wire, and answers what it answers', async () => {
    const { cloud } = await start();
    const path = '/2015-03-31/functions/poll/invocations';
    const response = await fetch(cloud.endpoint + path, { method: 'POST', body: '{}' });
    expect([response.status, await response.json()]).toEqual([200, { ticks: 1 }]);
    expect(await cloud.invoke('poll', '{}')).toMatchObject({ kind: 'ok', payload: '{"ticks":2}' });
    await eventually(() => seen(cloud)).toHaveLength(2);
  });

  test('takes an event that nobody waits for, and works it off', async () => {
    const { cloud } = await start();
    const response = await fetch(`${cloud.endpoint}/2015-03-31/functions/poll/invocations`, {
      method: 'POST',
      body: '{}',
      headers: { 'x-amz-invocation-type': 'Event' },
    });
    expect(response.status).toBe(202);
    await eventually(() => seen(cloud)).toHaveLength(1);
  });

  test('a failed event is retried, and then told and kept in its failure bucket', async () => {
    const run = withoutTicks();
    const Config = {
      Type: 'AWS::Lambda::EventInvokeConfig',
      Properties: {
        FunctionName: 'poll',
        Qualifier: '$LATEST',
        MaximumRetryAttempts: 1,
        DestinationConfig: { OnFailure: { Destination: `arn:aws:s3:::${BOX}` } },
      },
    };
    const { cloud, events } = await start({
      tempo: true,
      cdkOut: writeSmallApp({
        run: { ...run, Resources: { ...run.Resources, Config } },
        poll: 'export const handler = () => { throw new TypeError("no luck"); };',
      }),
    });
    await fetch(`${cloud.endpoint}/2015-03-31/functions/poll/invocations`, {
      method: 'POST',
      body: '{"asked":3}',
      headers: { 'x-amz-invocation-type': 'Event' },
    });
    const given = () => events.find(({ kind }) => kind === 'event-given-up');
    await eventually(given).toMatchObject({ attempts: 2, condition: 'RetriesExhausted' });
    const list = await (await fetch(`${cloud.endpoint}/${BOX}?list-type=2`)).text();
    const key = /<Key>(aws\/lambda\/async\/poll\/.*?)<\/Key>/.exec(list)![1];
    expect(await (await fetch(`${cloud.endpoint}/${BOX}/${key}`)).json()).toMatchObject({
      requestContext: { condition: 'RetriesExhausted', approximateInvokeCount: 2 },
      requestPayload: { asked: 3 },
      responsePayload: { errorType: 'TypeError', errorMessage: 'no luck' },
    });
  });

  test('lets the caller act before anything runs', async () => {
    const statuses: number[] = [];
    const kinds: string[] = [];
    await start({
      cdkOut: writeSmallApp(),
      tempo: true,
      onEvent: ({ kind }) => void kinds.push(kind),
      async beforeRunning(endpoint) {
        const secret = { SecretId: 'penstock/dev/token', SecretString: 's' };
        const put = await call({ endpoint }, 'secretsmanager.PutSecretValue', secret);
        statuses.push(put.status, kinds.length);
      },
    });
    expect(statuses).toEqual([200, 0]);
    await eventually(() => kinds).toContain('tick');
  });
});

describe('a role', () => {
  const withRole = (run: typeof RUN_TEMPLATE, ...actions: readonly string[]) =>
    writeSmallApp({
      run: { ...run, Resources: { ...run.Resources, Role: roleThatMay(...actions) } },
    });
  const refusedIn = (cloud: Cloud) =>
    cloud.calls().flatMap(({ caller, refused }) => refused.map(({ action }) => [caller, action]));

  test('that may not write logs costs the lines, and nothing else', async () => {
    const cdkOut = withRole(withoutTicks(), 'kinesis:*');
    const { cloud, events } = await start({ cdkOut });
    expect(await cloud.invoke('poll', '{}')).toMatchObject({ kind: 'ok', payload: '{"ticks":1}' });
    expect(events.filter(({ kind }) => kind === 'log')).toEqual([]);
    expect(refusedIn(cloud)).toEqual([['Lambda for poll', 'logs:CreateLogStream']]);
  });

  test('that may not call the function costs the tick', async () => {
    const cdkOut = withRole(RUN_TEMPLATE, 'kinesis:*', 'logs:*');
    const { cloud, events } = await start({ cdkOut, tempo: true });
    await eventually(() => refusedIn(cloud)).toEqual([
      ['schedule every-minute', 'lambda:InvokeFunction'],
    ]);
    expect(events.filter(({ kind }) => kind === 'invocation')).toEqual([]);
    expect(await (await fetch(`${cloud.endpoint}/_penstock/calls`)).json()).toEqual(cloud.calls());
  });

  test('that may not put into the failure bucket costs what is given up', async () => {
    const run = withoutTicks();
    const Mapping = {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        ...run.Resources?.['Mapping']?.Properties,
        MaximumRetryAttempts: 0,
        DestinationConfig: { OnFailure: { Destination: `arn:aws:s3:::${BOX}` } },
      },
    };
    const Consume = { ...run.Resources!['Consume']! };
    const Properties = { ...Consume.Properties, Handler: 'index.absent' };
    const changed = { ...run.Resources, Mapping, Consume: { ...Consume, Properties } };
    const cdkOut = withRole({ ...run, Resources: changed }, 'kinesis:*', 's3:ListBucket');
    const { cloud, events } = await start({ cdkOut });
    await put(cloud, 'k');
    const failed = () => events.find(({ kind }) => kind === 'destination-failed');
    await eventually(failed).toMatchObject({ message: expect.stringMatching(/s3:PutObject/) });
    expect(await (await fetch(`${cloud.endpoint}/${BOX}?list-type=2`)).text()).not.toMatch(/<Key>/);
  });
});

describe('stopping', () => {
  test('leaves no process, and frees the port and the folder', async () => {
    const keepDir = mkdtempSync(join(tmpdir(), 'penstock-keep-'));
    const { cloud } = await start({ cdkOut: writeSmallApp(), tempo: true, keepDir });
    await eventually(() => seen(cloud)).not.toHaveLength(0);
    const pids = children();
    expect(pids.length).toBeGreaterThan(0);
    await cloud.stop();
    expect(pids.filter(isAlive)).toEqual([]);
    expect(children()).toEqual([]);
    const port = Number(new URL(cloud.endpoint).port);
    const { cloud: next } = await start({ port, keepDir });
    expect(next.endpoint).toBe(cloud.endpoint);
  });

  test('a cloud that is killed takes its functions with it', async () => {
    const script = `
      import { startCloud } from '#local/cloud';
      const cdkOut = ${JSON.stringify(writeSmallApp())};
      await startCloud({ cdkOut, parameters: { OrdersApiUrl: 'http://x' }, tempo: true });`;
    const cloud = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: 'inherit',
    });
    await eventually(() => children(cloud.pid).length).toBeGreaterThan(0);
    const pids = children(cloud.pid);
    cloud.kill('SIGKILL');
    await eventually(() => pids.filter(isAlive)).toEqual([]);
  });

  test('waits for the invocation that runs', async () => {
    const { cloud } = await start({
      cdkOut: writeSmallApp({
        run: withoutTicks(),
        poll: 'export const handler = () => new Promise((r) => setTimeout(() => r("done"), 300));',
      }),
    });
    const running = cloud.invoke('poll', '{}');
    await eventually(() => children().length).toBe(1);
    await cloud.stop();
    expect(await running).toMatchObject({ kind: 'ok', payload: '"done"' });
  });

  test('waits no longer than its grace', async () => {
    const { cloud } = await start({
      cdkOut: writeSmallApp({
        run: withoutTicks(),
        poll: 'export const handler = () => new Promise(() => {});',
      }),
    });
    const running = cloud.invoke('poll', '{}');
    await eventually(() => children().length).toBe(1);
    await cloud.stop(50);
    expect(await running).toMatchObject({ kind: 'error' });
    expect(children()).toEqual([]);
  });

  test('stopping twice is stopping once', async () => {
    const { cloud } = await start();
    await Promise.all([cloud.stop(), cloud.stop()]);
    await expect(fetch(cloud.endpoint)).rejects.toThrow();
  });
});

describe('keeping', () => {
  test('what was written survives a restart and a redeploy, and is not consumed twice', async () => {
    const keepDir = mkdtempSync(join(tmpdir(), 'penstock-keep-'));
    const first = await start({ keepDir });
    await put(first.cloud, 'a');
    await call(first.cloud, 'secretsmanager.PutSecretValue', {
      SecretId: 'penstock/dev/token',
      SecretString: 's',
    });
    await eventually(() => seen(first.cloud)).toHaveLength(1);
    await first.cloud.stop();

    const second = await start({ keepDir });
    expect(await seen(second.cloud)).toHaveLength(1);
    await put(second.cloud, 'b');
    await eventually(() => seen(second.cloud)).toHaveLength(2);
    const secret = await call(second.cloud, 'secretsmanager.GetSecretValue', {
      SecretId: 'penstock/dev/token',
    });
    expect(secret.body['SecretString']).toBe('s');
    expect(second.events.filter(({ kind }) => kind === 'batch')).toHaveLength(1);
  });

  test('a changed template changes what is there, and keeps what was written', async () => {
    const keepDir = mkdtempSync(join(tmpdir(), 'penstock-keep-'));
    const first = await start({ keepDir });
    await put(first.cloud, 'a');
    await eventually(() => seen(first.cloud)).toHaveLength(1);
    await first.cloud.stop();

    const Stream = { Type: 'AWS::Kinesis::Stream', Properties: { Name: 'river', ShardCount: 4 } };
    const data = { ...DATA_TEMPLATE, Resources: { ...DATA_TEMPLATE.Resources, Stream } };
    const { cloud } = await start({
      keepDir,
      cdkOut: writeSmallApp({ data, run: withoutTicks() }),
    });
    const summary = await call(cloud, 'Kinesis_20131202.DescribeStreamSummary', {
      StreamName: 'river',
    });
    expect(summary.body['StreamDescriptionSummary']).toMatchObject({ OpenShardCount: 4 });
    await put(cloud, 'b');
    await eventually(() => seen(cloud)).toHaveLength(2);
  });

  test('two clouds cannot share a folder', async () => {
    const keepDir = mkdtempSync(join(tmpdir(), 'penstock-keep-'));
    await start({ keepDir });
    await expect(start({ keepDir })).rejects.toThrow(
      `Another local cloud (process ${process.pid}) has ${keepDir}`,
    );
  });
});

describe('refusing', () => {
  test('a port that is taken is told, with what to do', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    await expect(start({ port })).rejects.toThrow(
      `Port ${port} is taken: stop what uses it, or choose another with --port.`,
    );
  });

  test('a parameter without a value is told before anything is opened', async () => {
    const keepDir = mkdtempSync(join(tmpdir(), 'penstock-keep-'));
    await expect(start({ parameters: {}, keepDir })).rejects.toThrow(
      'Parameter OrdersApiUrl of stack run has no value: set the environment variable ORDERS_API_URL.',
    );
    await start({ keepDir });
  });

  test('what a counterpart refuses is told with its resource, and nothing stays open', async () => {
    const run = withoutTicks();
    const { Mapping, ...others } = run.Resources!;
    const Properties = { ...Mapping!.Properties, BatchSize: 20_000, FunctionName: 'consume' };
    const cdkOut = writeSmallApp({
      run: { ...run, Resources: { ...others, Mapping: { ...Mapping!, Properties } } },
    });
    await expect(start({ cdkOut })).rejects.toThrow(
      /^Mapping \(AWS::Lambda::EventSourceMapping\) in run: .*BatchSize is 20000, not 1 to 10000\.$/,
    );
    expect(children()).toEqual([]);
  });

  test('a mapping of a stream that nothing made is refused', async () => {
    const run = withoutTicks();
    const { Mapping, ...others } = run.Resources!;
    const Properties = {
      ...Mapping!.Properties,
      EventSourceArn: 'arn:aws:kinesis:us-east-1:000000000000:stream/nowhere',
    };
    const cdkOut = writeSmallApp({
      run: { ...run, Resources: { ...others, Mapping: { ...Mapping!, Properties } } },
    });
    await expect(start({ cdkOut })).rejects.toThrow(/^Mapping .*not found: .*nowhere\.$/);
  });
});
