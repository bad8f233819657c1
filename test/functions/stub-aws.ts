/** AWS as far as a consumer knows it, and what its function is started with. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Context, KinesisStreamEvent } from 'aws-lambda';
import { afterEach, vi } from 'vitest';

const closes: (() => void)[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const close of closes.splice(0)) close();
});

export interface Call {
  readonly what: string;
  readonly body: Record<string, unknown>;
}

/** Answers each call with a status and a body. */
export async function stubAws(answer: (call: Call) => { status: number; body?: object }) {
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

/** A batch of one shard that holds these texts. */
export const batch = (...contents: string[]): KinesisStreamEvent => ({
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
export const context = { getRemainingTimeInMillis: () => 20_000 } as Context;
