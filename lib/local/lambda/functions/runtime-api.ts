/** The Runtime API of one environment, at its real paths. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RESPONSE_BYTES_MAX } from './invocation-failure.ts';

const ROOT = '/2018-06-01/runtime';

export interface Invocation {
  readonly requestId: string;
  readonly deadlineMs: number;
  readonly functionArn: string;
  readonly traceId: string;
  readonly payload: Uint8Array | string;
  /** As the client gave it to Lambda: JSON. */
  readonly clientContext?: string | undefined;
  /** True: the runtime says when it enters the handler. */
  readonly tellsEntry?: boolean;
  readonly skewMs?: number;
}

/** What the runtime tells of itself and of its work. */
export type RuntimeReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'entered' }
  | { readonly kind: 'response'; readonly payload: string; readonly rssKbMax: number | undefined }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'error'; readonly payload: string; readonly errorType: string | undefined }
  | {
      readonly kind: 'init-error';
      readonly payload: string;
      readonly errorType: string | undefined;
    };

export interface RuntimeApi {
  /** host:port. */
  readonly address: string;
  /** Hands one invocation to the runtime; the next only after its report. */
  give(invocation: Invocation): void;
  close(): void;
}

/** Opens a Runtime API on a port of loopback of its own. */
export async function openRuntimeApi(
  onReport: (report: RuntimeReport) => void,
): Promise<RuntimeApi> {
  let asking: ServerResponse | undefined;
  let waiting: Invocation | undefined;
  let current: string | undefined;

  const handOver = (): void => {
    if (asking === undefined || waiting === undefined) return;
    const { requestId, deadlineMs, functionArn, traceId, payload } = waiting;
    current = requestId;
    asking.writeHead(200, {
      ...optionalHeaders(waiting),
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(payload),
      'Lambda-Runtime-Aws-Request-Id': requestId,
      'Lambda-Runtime-Deadline-Ms': String(deadlineMs),
      'Lambda-Runtime-Invoked-Function-Arn': functionArn,
      'Lambda-Runtime-Trace-Id': traceId,
    });
    asking.end(payload);
    [asking, waiting] = [undefined, undefined];
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const route = `${request.method ?? ''} ${request.url ?? ''}`;
    if (route === `GET ${ROOT}/invocation/next`) {
      asking = response;
      onReport({ kind: 'ready' });
      handOver();
      return;
    }
    if (route === `POST ${ROOT}/penstock/entered`) {
      onReport({ kind: 'entered' });
      accept(response, 202);
      return;
    }
    const body = await readBody(request, RESPONSE_BYTES_MAX);
    const errorType = textHeader(request, 'lambda-runtime-function-error-type');
    if (route === `POST ${ROOT}/init/error`) {
      accept(response, 202);
      onReport({ kind: 'init-error', payload: body ?? '', errorType });
      return;
    }
    if (current === undefined || !route.startsWith(`POST ${ROOT}/invocation/${current}/`)) {
      accept(response, 400, { errorType: 'InvalidRequestID', errorMessage: 'Invalid request ID' });
      return;
    }
    const verb = route.slice(route.lastIndexOf('/') + 1);
    if (verb !== 'response' && verb !== 'error') {
      accept(response, 404, { errorType: 'NotFound', errorMessage: route });
      return;
    }
    current = undefined;
    accept(response, body === undefined ? 413 : 202);
    if (body === undefined) onReport({ kind: 'too-large' });
    else if (verb === 'error') onReport({ kind: 'error', payload: body, errorType });
    else onReport({ kind: 'response', payload: body, rssKbMax: rssHeader(request) });
  };

  const server = createServer((request, response) => {
    // A runtime that is killed while it sends leaves a torn request, and that is its exit's story.
    serve(request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    address: `127.0.0.1:${port}`,
    give(invocation) {
      waiting = invocation;
      handOver();
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** What not every invocation has; ours begin with the product's name. */
function optionalHeaders({
  clientContext,
  tellsEntry,
  skewMs,
}: Invocation): Record<string, string> {
  return {
    ...(clientContext === undefined ? {} : { 'Lambda-Runtime-Client-Context': clientContext }),
    ...(tellsEntry === true ? { 'Penstock-Tell-Entry': 'yes' } : {}),
    ...(skewMs === undefined ? {} : { 'Penstock-Skew-Ms': String(skewMs) }),
  };
}

/** The whole body as text, or undefined when it is larger than allowed. */
async function readBody(request: IncomingMessage, bytesMax: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes <= bytesMax) chunks.push(chunk);
  }
  return bytes > bytesMax ? undefined : Buffer.concat(chunks).toString('utf8');
}

function accept(response: ServerResponse, status: number, body: object = { status: 'OK' }): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function textHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** Ours alone: a foreign runtime does not send it. */
function rssHeader(request: IncomingMessage): number | undefined {
  const text = textHeader(request, 'penstock-rss-kb-max');
  return text === undefined ? undefined : Number(text);
}
