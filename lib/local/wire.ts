/** The one HTTP port of the local cloud: every service's requests come in here. */
import { randomUUID } from 'node:crypto';
import { createServer as createHttp1 } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttp2 } from 'node:http2';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { WireHandler, WireRequest, WireResponse } from '#local/contracts';

export interface WireRoutes {
  /** By what stands before the dot of `x-amz-target`, as `Kinesis_20131202`. */
  readonly targets: Readonly<Record<string, WireHandler>>;
  /** Asked in order, for requests without a known target. */
  readonly paths: readonly {
    readonly matches: (request: WireRequest) => boolean;
    readonly handler: WireHandler;
  }[];
  /** Asked before any handler; an answer of its own is the whole answer. */
  readonly admit?: (request: WireRequest) => WireResponse | undefined;
  /** Hears of a handler's exception, which the client sees as a 500. */
  readonly onDefect?: (error: unknown) => void;
}

export interface Wire {
  /** As `http://127.0.0.1:4566`. */
  readonly url: string;
  readonly port: number;
  /** Stops listening and cuts every connection. */
  close(): Promise<void>;
}

/** More than any service accepts: 10 MiB of records, in base64, with their names. */
const REQUEST_BYTES_MAX = 32 * 1024 * 1024;
const HTTP2_PREFACE = 'PRI * HTTP/2.0';

/** Listen on 127.0.0.1, for HTTP/1.1 and for HTTP/2 without TLS; port 0 takes a free one. */
export async function openWire(routes: WireRoutes, options: { port?: number } = {}): Promise<Wire> {
  const serve = (request: Incoming, response: Outgoing): void => {
    answer(routes, request, response).catch((error: unknown) => {
      routes.onDefect?.(error);
      response.stream?.destroy();
      request.socket.destroy();
    });
  };
  const http1 = createHttp1({ keepAliveTimeout: 60_000 }, serve);
  const http2 = createHttp2(serve);
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => void sockets.delete(socket));
    socket.once('readable', () => {
      const first: Buffer | null = socket.read();
      if (first === null) return;
      const speaksHttp2 = first.subarray(0, HTTP2_PREFACE.length).toString() === HTTP2_PREFACE;
      socket.unshift(first);
      (speaksHttp2 ? http2 : http1).emit('connection', socket);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

type Incoming = IncomingMessage | Http2ServerRequest;
type Outgoing = (ServerResponse | Http2ServerResponse) & { stream?: { destroy(): void } };

async function answer(routes: WireRoutes, incoming: Incoming, outgoing: Outgoing): Promise<void> {
  const body = await readBody(incoming);
  const { status, headers, body: text = '', hangUp } = await route(routes, incoming, body);
  if (hangUp === true) {
    if (outgoing.stream === undefined) incoming.socket.destroy();
    else outgoing.stream.destroy();
    return;
  }
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  outgoing.statusCode = status;
  for (const [name, value] of Object.entries(headers ?? {})) outgoing.setHeader(name, value);
  outgoing.setHeader('content-length', headers?.['content-length'] ?? bytes.byteLength);
  if (incoming.method === 'HEAD') outgoing.end();
  else outgoing.end(bytes);
}

async function route(
  routes: WireRoutes,
  incoming: Incoming,
  body: Uint8Array | undefined,
): Promise<WireResponse> {
  if (body === undefined) return failure(413, 'RequestEntityTooLargeException');
  const request = toWireRequest(incoming, body);
  const service = request.headers['x-amz-target']?.split('.')[0];
  const handler =
    (service === undefined ? undefined : routes.targets[service]) ??
    routes.paths.find(({ matches }) => matches(request))?.handler;
  if (handler === undefined) return failure(404, 'UnknownOperationException');
  try {
    return routes.admit?.(request) ?? (await handler.handle(request));
  } catch (error) {
    routes.onDefect?.(error);
    return failure(500, 'InternalFailure', error instanceof Error ? error.message : String(error));
  }
}

function toWireRequest(incoming: Incoming, body: Uint8Array): WireRequest {
  const url = incoming.url ?? '/';
  const mark = url.indexOf('?');
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return {
    method: incoming.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)),
    headers,
    body,
  };
}

/** The whole body; undefined when it is larger than any service takes. */
async function readBody(incoming: Incoming): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.byteLength;
    if (bytes <= REQUEST_BYTES_MAX) chunks.push(chunk);
  }
  if (bytes > REQUEST_BYTES_MAX) return undefined;
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

function failure(status: number, code: string, message = code): WireResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', 'x-amzn-requestid': randomUUID() },
    body: JSON.stringify({ __type: code, message }),
  };
}
