/** The SDK's request handler that needs no socket: a client's requests go straight to the cloud. */
import { Readable } from 'node:stream';
import type { WireRequest } from '#local/contracts';
import { currentWorld, outsideWorlds } from '#local/lambda/functions/in-process-scope';
import type { Delivery, Router } from '#local/router';

/** As `HttpRequest` of the SDK. */
export interface SdkRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | null | undefined>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface SdkResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: Readable;
}

/** As `HttpHandler` of the SDK. */
export interface RequestHandler {
  readonly metadata: { readonly handlerProtocol: string };
  handle(
    request: SdkRequest,
    options?: { readonly abortSignal?: unknown },
  ): Promise<{ response: SdkResponse }>;
  updateHttpClientConfig(): void;
  httpHandlerConfigs(): Record<string, never>;
  destroy(): void;
}

/**
 * Make one for the clients of a test, and of handlers in process.
 *
 * A connection that is cut, and an answer that never comes, look to a client as they would on a
 * network; of a client inside an invocation that has ended, nothing is done.
 */
export function requestHandlerOf(route: Router): RequestHandler {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
    destroy: () => undefined,
    async handle(request, { abortSignal } = {}) {
      const work = async () => {
        const asked = await wireRequest(request);
        return responseTo(await outsideWorlds(() => route(asked)));
      };
      const world = currentWorld();
      const answered = world === undefined ? work() : world.during(work);
      return { response: await abortable(answered, abortSignal as AbortSignal | undefined) };
    },
  };
}

async function wireRequest({
  method,
  path,
  query,
  headers,
  body,
}: SdkRequest): Promise<WireRequest> {
  const given = Object.entries(query ?? {}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [
      name,
      String(one ?? ''),
    ]),
  );
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    method,
    path,
    query: new URLSearchParams(given),
    headers: Object.fromEntries(lower) as Record<string, string>,
    body: await bytesOf(body),
  };
}

async function bytesOf(body: unknown): Promise<Uint8Array> {
  if (body === undefined || body === null) return new Uint8Array();
  if (typeof body === 'string') return Buffer.from(body);
  // The SDK's own arrays are strings in disguise: they are seen as the bytes that they are.
  if (body instanceof Uint8Array) {
    return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  }
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array | string>) {
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks);
}

/** @throws as a socket does, when the connection is cut before the answer. */
async function responseTo(delivery: Delivery): Promise<SdkResponse> {
  switch (delivery.kind) {
    case 'unanswered':
      return new Promise(() => undefined);
    case 'cut':
      throw connectionReset();
    case 'cut-amid':
    case 'answered': {
      const { status, headers = {}, body = '' } = delivery.response;
      const bytes = typeof body === 'string' ? Buffer.from(body) : body;
      const isWhole = delivery.kind === 'answered';
      return {
        statusCode: status,
        headers: { 'content-length': String(bytes.byteLength), ...headers },
        body: Readable.from(isWhole ? [bytes] : halfOf(bytes), { objectMode: false }),
      };
    }
  }
}

async function* halfOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, Math.ceil(bytes.byteLength / 2));
  throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
}

/** @source smithy-typescript, node-http-handler: ECONNRESET is named as a timeout. */
function connectionReset(): Error {
  return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET', name: 'TimeoutError' });
}

function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const aborted = new Promise<never>((_resolve, reject) => {
    const abort = (): void => {
      reject(Object.assign(new Error('Request aborted'), { name: 'AbortError' }));
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  return Promise.race([work, aborted]);
}
