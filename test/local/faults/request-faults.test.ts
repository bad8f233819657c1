/** Faults of whole requests: through a socket, and through the handler that needs none. */
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { WireRequest, WireResponse } from '#local/contracts';
import type { Fault } from '#local/faults/fault';
import { operationOf } from '#local/faults/operation-of';
import { planFaults } from '#local/faults/plan-faults';
import { requestHandlerOf } from '#local/kit/request-handler';
import { steppedClock } from '#local/kit/stepped-clock';
import { createRouter } from '#local/router';
import type { WireRoutes } from '#local/router';
import { openWire } from '#local/wire';
import { PATIENTLY } from '#test/clouds/patience';

const clock = steppedClock(0);

/** A table that counts what it is asked, with one fault before it. */
function tableWith(fault: Fault) {
  const done: string[] = [];
  const plan = planFaults([fault], Math.random, clock);
  const handle = async ({ headers }: WireRequest): Promise<WireResponse> => {
    done.push(headers['x-amz-target'] ?? '');
    const body = JSON.stringify({ Attributes: { id: { S: 'a long enough answer' } } });
    return { status: 200, headers: { 'content-type': 'application/x-amz-json-1.0' }, body };
  };
  const routes: WireRoutes = {
    targets: { DynamoDB_20120810: { handle } },
    paths: [{ matches: () => true, handler: { handle } }],
    clock,
    faultOf: (request) => {
      const named = operationOf(request);
      return named === undefined ? undefined : plan.onRequest(named);
    },
  };
  return { done, routes };
}

const WAYS = {
  async 'a socket'(routes: WireRoutes) {
    const wire = await openWire(routes);
    onTestFinished(() => wire.close());
    return { endpoint: wire.url };
  },
  async 'no socket'(routes: WireRoutes) {
    const requestHandler = requestHandlerOf(createRouter(routes));
    return { endpoint: 'http://penstock.invalid', requestHandler };
  },
};

describe.each(Object.entries(WAYS))('through %s', (_way, open) => {
  const send = async (fault: Fault, abortSignal?: AbortSignal) => {
    const { done, routes } = tableWith(fault);
    const client = new DynamoDBClient({
      ...(await open(routes)),
      region: 'us-east-1',
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
      maxAttempts: 1,
    });
    onTestFinished(() => client.destroy());
    const put = new PutItemCommand({ TableName: 't', Item: { id: { S: '1' } } });
    const answer = client.send(put, abortSignal === undefined ? {} : { abortSignal }).then(
      () => 'answered',
      (error: Error & { code?: string; $metadata?: { httpStatusCode?: number } }) =>
        error.$metadata?.httpStatusCode === 500 ? error.name : (error.code ?? error.name),
    );
    return { answer, done };
  };

  test.each([
    ['error-before', 'InternalServerError', 0],
    ['error-after', 'InternalServerError', 1],
    ['cut-before', 'ECONNRESET', 0],
    ['cut-after', 'ECONNRESET', 1],
    ['cut-amid', 'ECONNRESET', 1],
  ] as const)('%s is an %s, and the work is done %i times', async (kind, seen, count) => {
    const { answer, done } = await send({ kind, service: 'dynamodb', operation: 'PutItem' });
    expect([await answer, done.length]).toEqual([seen, count]);
  });

  test('hang is never answered, and the work is done', async () => {
    const abort = new AbortController();
    const { answer, done } = await send({ kind: 'hang' }, abort.signal);
    await expect.poll(() => done.length, PATIENTLY).toBe(1);
    abort.abort();
    expect(await answer).toBe('AbortError');
  });

  test('delay waits by the cloud’s clock, and then the work is done', async () => {
    const { answer, done } = await send({ kind: 'delay', delayMs: 900 });
    await expect.poll(async () => (await clock.step(300), done.length), PATIENTLY).toBe(1);
    expect(await answer).toBe('answered');
  });

  test('an operation that is not named is not touched', async () => {
    const { answer } = await send({ kind: 'cut-before', service: 'dynamodb', operation: 'Scan' });
    expect(await answer).toBe('answered');
  });
});

const named = (method: string, path: string, target?: string) => {
  const { pathname, searchParams: query } = new URL(path, 'http://x');
  const headers = target === undefined ? {} : { 'x-amz-target': target };
  return operationOf({ method, path: pathname, query, headers, body: new Uint8Array() });
};

test('a request is named by its service and operation', () => {
  expect([
    named('POST', '/', 'Kinesis_20131202.PutRecords'),
    named('POST', '/', 'secretsmanager.GetSecretValue'),
    named('POST', '/2015-03-31/functions/f/invocations'),
    named('GET', '/2015-03-31/functions/f/configuration'),
    named('PUT', '/2015-03-31/event-source-mappings/u'),
    named('PUT', '/bucket/a/key'),
    named('GET', '/bucket/key'),
    named('DELETE', '/bucket/key'),
    named('GET', '/bucket?list-type=2'),
    named('GET', '/_penstock/faults'),
  ]).toEqual([
    { service: 'kinesis', operation: 'PutRecords' },
    { service: 'secretsmanager', operation: 'GetSecretValue' },
    { service: 'lambda', operation: 'Invoke' },
    { service: 'lambda', operation: 'GetFunctionConfiguration' },
    { service: 'lambda', operation: 'UpdateEventSourceMapping' },
    { service: 's3', operation: 'PutObject' },
    { service: 's3', operation: 'GetObject' },
    { service: 's3', operation: 'DeleteObject' },
    { service: 's3', operation: 'ListObjectsV2' },
    undefined,
  ]);
});
