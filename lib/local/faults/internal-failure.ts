/** A 500, in the words of the service that would have answered. */
import type { WireRequest, WireResponse } from '#local/contracts';
import { operationOf } from './operation-of.ts';

/**
 * The code of each service's failure of its own.
 *
 * @source botocore 1.43.107, service models: the exception with `fault: true` and status 500.
 */
const CODES: Readonly<Record<string, string>> = {
  dynamodb: 'com.amazonaws.dynamodb.v20120810#InternalServerError',
  kinesis: 'InternalFailure',
  lambda: 'ServiceException',
  logs: 'ServiceUnavailableException',
  s3: 'InternalError',
  secretsmanager: 'InternalServiceError',
};

const MESSAGE = 'We encountered an internal error. Please try again.';

export function internalFailure(request: WireRequest, requestId: string): WireResponse {
  const service = operationOf(request)?.service ?? '';
  const code = CODES[service] ?? 'InternalFailure';
  if (service === 's3') {
    return {
      status: 500,
      headers: { 'content-type': 'application/xml', 'x-amz-request-id': requestId },
      body:
        '<?xml version="1.0" encoding="UTF-8"?>\n' +
        `<Error><Code>${code}</Code><Message>${MESSAGE}</Message></Error>`,
    };
  }
  return {
    status: 500,
    headers: {
      'content-type': request.headers['content-type'] ?? 'application/x-amz-json-1.1',
      'x-amzn-requestid': requestId,
      'x-amzn-errortype': code,
    },
    body: JSON.stringify({ __type: code, message: MESSAGE }),
  };
}
