/** Stands between a function and its cloud, and does what no cloud does on command. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A call of the AWS JSON protocols. */
export interface Call {
  /** `PutRecords` */
  readonly operation: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Answers a call, with the cloud's own answer or another; undefined breaks the connection off. */
export type Handle = (
  call: Call,
  forward: (body: Call['body']) => Promise<Answer>,
) => Promise<Answer | undefined>;

export interface FaultProxy {
  /** `http://127.0.0.1:40123` */
  readonly url: string;
  /** Forward to the cloud that answers here; what came before has waited for it. */
  pass(endpoint: string): void;
}

/** Open one until the test is over. */
export async function faultProxy(handle: Handle): Promise<FaultProxy> {
  const { promise: endpoint, resolve: pass } = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers } = request;
    const operation = String(headers['x-amz-target']).split('.').at(-1) ?? '';
    const body = (await new Response(request).json()) as Call['body'];
    const said = await handle({ operation, body }, async (changed) =>
      send(await endpoint, headers, changed),
    );
    if (said === undefined) {
      response.destroy();
      return;
    }
    response.writeHead(said.status, { 'content-type': String(headers['content-type']) });
    response.end(JSON.stringify(said.body));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, pass };
}

const KEPT = ['x-amz-target', 'content-type', 'authorization', 'x-amz-date'] as const;

async function send(
  endpoint: string,
  headers: IncomingMessage['headers'],
  body: Call['body'],
): Promise<Answer> {
  const kept = Object.fromEntries(KEPT.map((name) => [name, String(headers[name])]));
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: kept,
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

/** An error as both protocols write it; from status 500 on nobody knows what was done. */
export function refusal(type: string, status = 400): Answer {
  return { status, body: { __type: type, message: 'on command' } };
}
