/** The one HTTP port of the local cloud: every service's requests come in here. */
import { createServer as createHttp1 } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { createServer as createHttp2 } from 'node:http2';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { WireRequest, WireResponse } from '#local/contracts';
import { readBody } from './read-body.ts';
import type { BodyLimits } from './read-body.ts';
import { createRouter, failure } from './router.ts';
import type { Delivery, Router, WireRoutes } from './router.ts';

export interface Wire {
  /** As `http://127.0.0.1:4566`. */
  readonly url: string;
  readonly port: number;
  /** Stops listening and cuts every connection. */
  close(): Promise<void>;
}

export interface WireLimits extends BodyLimits {
  /** A connection that has sent nothing yet is closed, and so is one amid its headers. */
  readonly headersMsMax: number;
  /** How often the slow are looked for. */
  readonly checkEveryMs: number;
}

const MIB = 1_024 * 1_024;

/** A request: more than any service accepts, 10 MiB of records, in base64, with their names. */
const WIRE_LIMITS: WireLimits = {
  bytesMax: 32 * MIB,
  discardBytesMax: 64 * MIB,
  durationMsMax: 300_000,
  headersMsMax: 60_000,
  checkEveryMs: 5_000,
};

/** Longer than a client rests: a request that meets a closing connection is lost, and so are its retries if all rested. */
const KEEP_ALIVE_MS = 600_000;

const HTTP2_PREFACE = 'PRI * HTTP/2.0';

/** Listen on 127.0.0.1, for HTTP/1.1 and for HTTP/2 without TLS; port 0 takes a free one. */
export async function openWire(
  routes: WireRoutes,
  options: { port?: number; limits?: Partial<WireLimits> } = {},
): Promise<Wire> {
  const route = createRouter(routes);
  const limits = { ...WIRE_LIMITS, ...options.limits };
  const serve = (incoming: Incoming, outgoing: Outgoing): void => {
    answer(routes, { route, limits }, { incoming, outgoing }).catch((error: unknown) => {
      routes.onDefect?.(error);
      outgoing.stream?.destroy();
      incoming.socket.destroy();
    });
  };
  const http1 = createHttp1(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: limits.headersMsMax,
      requestTimeout: limits.durationMsMax,
      connectionsCheckingInterval: limits.checkEveryMs,
    },
    serve,
  );
  // It never listens itself, and would not look for the slow: this is what begins it.
  http1.emit('listening');
  const http2 = createHttp2(serve);
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => void sockets.delete(socket));
    socket.setTimeout(limits.headersMsMax, () => socket.destroy());
    socket.once('readable', () => {
      const first: Buffer | null = socket.read();
      if (first === null) return;
      socket.setTimeout(0).removeAllListeners('timeout');
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
      http1.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

type Incoming = IncomingMessage | Http2ServerRequest;
type Outgoing = (ServerResponse | Http2ServerResponse) & {
  stream?: { destroy(): void };
  write(bytes: Uint8Array, written: () => void): boolean;
  writeHead(status: number, headers: OutgoingHttpHeaders): unknown;
};

async function answer(
  routes: WireRoutes,
  { route, limits }: { readonly route: Router; readonly limits: BodyLimits },
  { incoming, outgoing }: { incoming: Incoming; outgoing: Outgoing },
): Promise<void> {
  const body = await readBody(incoming, limits, () => cut(incoming, outgoing));
  if (body.kind === 'gone') return;
  const delivery: Delivery =
    body.kind === 'whole'
      ? await route(toWireRequest(incoming, body.bytes))
      : refusalOf(routes, body.kind);
  switch (delivery.kind) {
    case 'unanswered':
      return;
    case 'cut':
      return cut(incoming, outgoing);
    case 'cut-amid': {
      const bytes = Buffer.from(writeHead(delivery.response, outgoing));
      const half = bytes.subarray(0, Math.ceil(bytes.byteLength / 2));
      outgoing.write(half, () => cut(incoming, outgoing));
      return;
    }
    case 'answered': {
      // Answers of one turn of the event loop go out together: a client that sleeps is woken once.
      await new Promise((resolve) => setImmediate(resolve));
      const bytes = writeHead(delivery.response, outgoing);
      if (incoming.method === 'HEAD') outgoing.end();
      else outgoing.end(bytes);
    }
  }
}

function refusalOf(routes: WireRoutes, kind: 'too-large' | 'too-slow'): Delivery {
  const response =
    kind === 'too-large'
      ? failure(routes, 413, 'RequestEntityTooLargeException')
      : failure(routes, 408, 'RequestTimeoutException');
  return { kind: 'answered', response };
}

function cut(incoming: Incoming, outgoing: Outgoing): void {
  if (outgoing.stream === undefined) incoming.socket.destroy();
  else outgoing.stream.destroy();
}

/** @returns the body, which is still to be written; text goes out with the head in one piece. */
function writeHead(
  { status, headers, body = '' }: WireResponse,
  outgoing: Outgoing,
): Uint8Array | string {
  outgoing.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers });
  return body;
}

const NO_QUERY = new URLSearchParams();

function toWireRequest(incoming: Incoming, body: Uint8Array): WireRequest {
  const url = incoming.url ?? '/';
  const mark = url.indexOf('?');
  return {
    method: incoming.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? NO_QUERY : new URLSearchParams(url.slice(mark + 1)),
    // Of a request's headers, Node lists the values of `set-cookie` alone, which nobody reads.
    headers: incoming.headers as WireRequest['headers'],
    body,
  };
}
