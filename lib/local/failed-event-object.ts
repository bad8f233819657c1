/** What Lambda leaves in a bucket of an event that it gave up. */
import type { NewId } from '#local/contracts';
import type { FailedEvent } from '#local/emulators/scheduler/async-invoke';

export interface FailedEventObject {
  readonly key: string;
  readonly body: Uint8Array;
}

/**
 * Name and write the object.
 *
 * @source Lambda Developer Guide, Capturing records of Lambda asynchronous invocations.
 */
export function failedEventObject(
  { functionName, condition, attempts, payload, result }: FailedEvent,
  { functionArn, nowMs, newId }: { functionArn: string; nowMs: number; newId: NewId },
): FailedEventObject {
  const timestamp = new Date(nowMs).toISOString();
  const [date = '', time = ''] = timestamp.slice(0, 19).split('T');
  const stamp = `${date}T${time.replaceAll(':', '.')}`;
  const requestId = newId();
  const record = {
    version: '1.0',
    timestamp,
    requestContext: {
      requestId,
      functionArn: `${functionArn}:$LATEST`,
      condition,
      approximateInvokeCount: attempts,
    },
    requestPayload: jsonOr(payload),
    responseContext: {
      statusCode: result.kind === 'throttled' ? 429 : 200,
      executedVersion: '$LATEST',
      ...(result.kind === 'error' ? { functionError: 'Unhandled' } : {}),
    },
    responsePayload: result.kind === 'throttled' ? null : jsonOr(result.payload),
  };
  return {
    key: `aws/lambda/async/${functionName}/${date.replaceAll('-', '/')}/${stamp}-${requestId}`,
    body: Buffer.from(JSON.stringify(record)),
  };
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
