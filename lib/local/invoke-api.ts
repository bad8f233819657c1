/** Lambda's Invoke operation over its wire protocol. */
import type { InvokeResult, WireHandler, WireRequest, WireResponse } from './contracts.ts';
import { functionArn, functionIdIn } from './function-id.ts';

/** @source AWS Lambda API 2015-03-31, Invoke. */
const PATH = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

/** @source Lambda quotas, 2026-10: of a request that is waited for, and of one that is not. */
const BYTES_MAX = { RequestResponse: 6 * 1_024 * 1_024, Event: 1_024 * 1_024 };

/** @source AWS Lambda API 2015-03-31, Invoke, X-Amz-Client-Context. */
const CLIENT_CONTEXT_CHARS_MAX = 3_583;

const TYPES = ['RequestResponse', 'Event', 'DryRun'];

export function isInvokePath(path: string): boolean {
  return PATH.test(path);
}

export interface InvokeApiDeps {
  invoke(
    functionName: string,
    payload: string,
    clientContext: string | undefined,
  ): Promise<InvokeResult>;
  hasFunction(functionName: string): boolean;
  /** Takes an event that nobody waits for. */
  accept(functionName: string, payload: string): void;
}

export function createInvokeApi({ invoke, hasFunction, accept }: InvokeApiDeps): WireHandler {
  return {
    async handle(request) {
      const { path, query, headers, body } = request;
      const { name, qualifier } = functionIdIn(PATH.exec(path)?.[1] ?? '', query.get('Qualifier'));
      if (!hasFunction(name) || qualifier !== '$LATEST') return notFound(name, qualifier);
      const type = headers['x-amz-invocation-type'] ?? 'RequestResponse';
      const payload = Buffer.from(body).toString() || '{}';
      const refused = refusalOf(request, type, payload);
      if (refused !== undefined) return refused;
      if (type === 'DryRun') return { status: 204 };
      if (type === 'Event') {
        accept(name, payload);
        return { status: 202 };
      }
      const context = headers['x-amz-client-context'];
      const decoded = context === undefined ? undefined : Buffer.from(context, 'base64').toString();
      const wantsLog = headers['x-amz-log-type'] === 'Tail';
      return toResponse(await invoke(name, payload, decoded), wantsLog);
    },
  };
}

function refusalOf(
  { headers, body }: WireRequest,
  type: string,
  payload: string,
): WireResponse | undefined {
  if (!TYPES.includes(type)) return invalid('invocationType', type, TYPES);
  const logType = headers['x-amz-log-type'] ?? 'None';
  if (logType !== 'None' && logType !== 'Tail')
    return invalid('logType', logType, ['None', 'Tail']);
  if (headers['x-amz-durable-execution-name'] !== undefined) {
    return failure(400, 'InvalidParameterValueException', {
      Type: 'User',
      message: 'emulator limit: parameter DurableExecutionName is not supported',
    });
  }
  const bytesMax = type === 'Event' ? BYTES_MAX.Event : BYTES_MAX.RequestResponse;
  if (body.byteLength > bytesMax) {
    const message =
      type === 'Event'
        ? `${body.byteLength} byte payload is too large for the Event invocation type (limit ${bytesMax} bytes)`
        : `Request must be smaller than ${bytesMax} bytes for the InvokeFunction operation`;
    return failure(413, 'RequestTooLargeException', { Type: 'User', message });
  }
  const context = headers['x-amz-client-context'] ?? '';
  const isContext =
    context === '' || isJson(Buffer.from(context, 'base64').toString(), CLIENT_CONTEXT_CHARS_MAX);
  if (!isContext || context.length > CLIENT_CONTEXT_CHARS_MAX) {
    const message = 'Client context must be a valid Base64-encoded JSON object.';
    return failure(400, 'InvalidRequestContentException', { Type: 'User', message });
  }
  if (!isJson(payload)) {
    const message = 'Could not parse request body into json';
    return failure(400, 'InvalidRequestContentException', { Type: 'User', message });
  }
  return undefined;
}

function toResponse(result: InvokeResult, wantsLog: boolean): WireResponse {
  if (result.kind === 'throttled') {
    return failure(429, 'TooManyRequestsException', {
      Reason:
        result.by === 'account'
          ? 'ConcurrentInvocationLimitExceeded'
          : 'ReservedFunctionConcurrentInvocationLimitExceeded',
      Type: 'User',
      message: 'Rate Exceeded.',
    });
  }
  const log = Buffer.from(result.logTail ?? '').toString('base64');
  return {
    status: 200,
    headers: {
      ...COMMON,
      ...(result.kind === 'error' ? { 'x-amz-function-error': 'Unhandled' } : {}),
      ...(wantsLog ? { 'x-amz-log-result': log } : {}),
    },
    body: result.payload,
  };
}

const COMMON = { 'content-type': 'application/json', 'x-amz-executed-version': '$LATEST' };

function notFound(name: string, qualifier: string): WireResponse {
  const suffix = qualifier === '$LATEST' ? '' : `:${qualifier}`;
  const message = `Function not found: ${functionArn(name)}${suffix}`;
  return failure(404, 'ResourceNotFoundException', { Type: 'User', Message: message });
}

function invalid(member: string, value: string, allowed: readonly string[]): WireResponse {
  const message =
    `1 validation error detected: Value '${value}' at '${member}' failed to satisfy constraint: ` +
    `Member must satisfy enum value set: [${allowed.join(', ')}]`;
  return failure(400, 'ValidationException', { message });
}

function isJson(text: string, charsMax = Infinity): boolean {
  try {
    JSON.parse(text);
    return text.length <= charsMax;
  } catch {
    return false;
  }
}

function failure(status: number, code: string, body: object): WireResponse {
  const headers = { 'content-type': 'application/json', 'x-amzn-errortype': code };
  return { status, headers, body: JSON.stringify(body) };
}
