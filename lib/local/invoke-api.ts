/** Lambda's Invoke operation over its wire protocol. */
import type { InvokeResult, Invoker, WireHandler, WireResponse } from './contracts.ts';

/** @source AWS Lambda API 2015-03-31, Invoke. */
const PATH = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

export function isInvokePath(path: string): boolean {
  return PATH.test(path);
}

export function createInvokeApi({
  invoker,
  hasFunction,
  accept,
}: {
  invoker: Invoker;
  hasFunction: (functionName: string) => boolean;
  /** Takes an event that nobody waits for. */
  accept: (functionName: string, payload: string) => void;
}): WireHandler {
  return {
    async handle({ path, headers, body }) {
      const functionName = functionNameIn(path);
      if (!hasFunction(functionName)) {
        const message = `Function not found: ${functionName}`;
        return fail(404, 'ResourceNotFoundException', { Type: 'User', Message: message });
      }
      const payload = Buffer.from(body).toString() || '{}';
      if (!isJson(payload)) {
        const message = 'Could not parse request body into json';
        return fail(400, 'InvalidRequestContentException', { Type: 'User', message });
      }
      switch (headers['x-amz-invocation-type'] ?? 'RequestResponse') {
        case 'DryRun':
          return { status: 204 };
        case 'Event':
          accept(functionName, payload);
          return { status: 202 };
        default: {
          const wantsLog = headers['x-amz-log-type'] === 'Tail';
          return toResponse(await invoker.invoke(functionName, payload), wantsLog);
        }
      }
    },
  };
}

function toResponse(result: InvokeResult, wantsLog: boolean): WireResponse {
  switch (result.kind) {
    case 'ok':
      return { status: 200, headers: COMMON, body: result.payload };
    case 'error': {
      const log = Buffer.from(result.logTail ?? '').toString('base64');
      return {
        status: 200,
        headers: {
          ...COMMON,
          'x-amz-function-error': 'Unhandled',
          ...(wantsLog ? { 'x-amz-log-result': log } : {}),
        },
        body: result.payload,
      };
    }
    case 'throttled':
      return fail(429, 'TooManyRequestsException', {
        Reason: 'ReservedFunctionConcurrentInvocationLimitExceeded',
        Type: 'User',
        message: 'Rate Exceeded.',
      });
  }
}

const COMMON = { 'content-type': 'application/json', 'x-amz-executed-version': '$LATEST' };

/** The name in a name, an ARN or a partial ARN, with or without `:$LATEST`. */
export function functionNameIn(path: string): string {
  const given = decodeURIComponent(PATH.exec(path)?.[1] ?? '');
  return given
    .replace(/^.*function:/, '')
    .replace(/^\d{12}:/, '')
    .replace(/:\$LATEST$/, '');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function fail(status: number, code: string, body: object): WireResponse {
  const headers = { 'content-type': 'application/json', 'x-amzn-errortype': code };
  return { status, headers, body: JSON.stringify(body) };
}
