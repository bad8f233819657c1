/** AWS's JSON protocol, 1.0 and 1.1: an operation by header, an object in, an object out. */
import { crc32 } from 'node:zlib';
import type { NewId, WireRequest, WireResponse } from '#local/contracts';
import { RANDOM_ID } from '#local/new-id';

/** A refusal that the caller is told of, by its code. */
export class ServiceError extends Error {
  readonly code: string;
  readonly status: number;
  /** Members of the answer beside code and message. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    code: string,
    message: string,
    more: { status?: number; members?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message);
    this.code = code;
    this.status = more.status ?? 400;
    this.members = more.members ?? {};
  }
}

/** The work is done, and the caller never hears of it. */
export class HangUp extends Error {}

export type JsonInput = Readonly<Record<string, unknown>>;
export type JsonOperation = (input: JsonInput) => object;

export interface JsonProtocol {
  readonly version: '1.0' | '1.1';
  readonly operations: Readonly<Record<string, JsonOperation>>;
  /** Stands before an error's code, as `com.amazonaws.dynamodb.v20120810#`. */
  readonly errorNamespace: (code: string) => string;
  /** DynamoDB's clients check `x-amz-crc32`. */
  readonly checksum: 'crc32' | 'none';
  /** Of a request. Default: random. */
  readonly newId?: NewId | undefined;
}

/** Answer a request of the JSON protocol; a failure of ours is thrown on. */
export function answerJson(protocol: JsonProtocol, request: WireRequest): WireResponse {
  const target = request.headers['x-amz-target'] ?? '';
  const name = target.slice(target.indexOf('.') + 1);
  try {
    const operation = Object.hasOwn(protocol.operations, name)
      ? protocol.operations[name]
      : undefined;
    if (operation === undefined) {
      throw new ServiceError('UnknownOperationException', `emulator limit: no operation ${name}`);
    }
    return toResponse(protocol, 200, operation(parseInput(request.body)));
  } catch (error) {
    if (error instanceof HangUp) return { status: 500, hangUp: true };
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, status, members } = error;
    const __type = `${protocol.errorNamespace(code)}${code}`;
    return toResponse(protocol, status, { __type, message, ...members });
  }
}

function parseInput(body: Uint8Array): JsonInput {
  const input = jsonObjectIn(body);
  // Nobody asks again: kept on, it would outlive its request.
  latest = undefined;
  if (input !== undefined) return input;
  throw new ServiceError('SerializationException', 'The request body is not a JSON object.');
}

/** Whoever looks at a request before its handler does so just before. */
let latest: { readonly body: Uint8Array; readonly input: JsonInput } | undefined;

/** A body's object, parsed once for the gate and the handler; undefined when it holds none. */
export function jsonObjectIn(body: Uint8Array): JsonInput | undefined {
  if (body.byteLength === 0) return {};
  if (latest?.body === body) return latest.input;
  try {
    const input: unknown = JSON.parse(
      Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString(),
    );
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
    latest = { body, input: input as JsonInput };
    return latest.input;
  } catch {
    return undefined;
  }
}

function toResponse(protocol: JsonProtocol, status: number, content: object): WireResponse {
  const body = JSON.stringify(content);
  return {
    status,
    headers: {
      'content-type': `application/x-amz-json-${protocol.version}`,
      'x-amzn-requestid': (protocol.newId ?? RANDOM_ID)(),
      ...(protocol.checksum === 'crc32' ? { 'x-amz-crc32': String(crc32(body)) } : {}),
    },
    body,
  };
}
