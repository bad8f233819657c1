/** Calls a consumer's function with records out of their turn. */
import type { KinesisStreamRecord } from 'aws-lambda';
import { AwsError } from '#adapters/aws/aws-error';
import type { SignedFetch } from '#adapters/aws/signed-fetch';
import type { RecordEnd } from '#core/checkpoint/record-end';
import type { StoredRecord } from '#core/record/records';
import type { ConsumerCall } from '#ports/consumer-call';
import type { ConsumeAnswer, ConsumeInput } from './consume-input.ts';

/** @source AWS Lambda: a function runs 900 seconds at most. */
const TIMEOUT_MS = 910_000;

/** Answers that another try may change. @source AWS Lambda API, Invoke, errors (2026-10). */
const RETRYABLE_STATUSES = new Set([408, 409, 410, 429, 500, 502, 503, 504]);

const ENDS: ReadonlySet<unknown> = new Set<RecordEnd>([
  'written',
  'stale',
  'folded',
  'refused',
  'returned',
]);

/** @param lambda signed requests to Lambda, by path. */
export function consumerFunction(
  lambda: SignedFetch,
  functionName: string,
  timeoutMs: number = TIMEOUT_MS,
): ConsumerCall {
  return async (records, passage) => {
    const input: ConsumeInput = { Records: records.map(toKinesisRecord), passage };
    const answer = await invoke(JSON.stringify(input));
    const { ends } = answer;
    if (ends?.length === records.length && ends.every((end) => ENDS.has(end))) return ends;
    throw failed('did not say how each record ended: it was deployed before it could; deploy it');
  };

  async function invoke(body: string): Promise<ConsumeAnswer> {
    const path = `/2015-03-31/functions/${functionName}/invocations`;
    const headers = { 'content-type': 'application/json' };
    let response: Response;
    let text: string;
    try {
      response = await lambda({ method: 'POST', path, headers, body, timeoutMs });
      text = await response.text();
    } catch (cause) {
      throw failed('did not answer', { retryable: true, cause });
    }
    if (response.status === 404) throw failed('is missing: is it deployed in this stage?');
    if (response.status !== 200) {
      const retryable = RETRYABLE_STATUSES.has(response.status);
      throw failed(`was not run (${response.status}): ${text}`, { retryable });
    }
    if (response.headers.has('x-amz-function-error')) {
      throw failed(`ended by an error: ${text}`, { retryable: true });
    }
    return JSON.parse(text) as ConsumeAnswer;
  }

  function failed(
    what: string,
    { retryable = false, cause }: { retryable?: boolean; cause?: unknown } = {},
  ): AwsError {
    return new AwsError(`The function ${functionName} ${what}`, { retryable, cause });
  }
}

/** In the shape in which its event source mapping hands it over; what no consumer reads is empty. */
function toKinesisRecord(record: StoredRecord): KinesisStreamRecord {
  const { shardId, sequenceNumber, partitionKey, data, arrivalTimeMs } = record;
  return {
    eventID: `${shardId}:${sequenceNumber}`,
    eventName: 'aws:kinesis:record',
    eventVersion: '1.0',
    eventSource: 'aws:kinesis',
    eventSourceARN: '',
    invokeIdentityArn: '',
    awsRegion: '',
    kinesis: {
      kinesisSchemaVersion: '1.0',
      partitionKey,
      sequenceNumber,
      data: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64'),
      approximateArrivalTimestamp: arrivalTimeMs / 1_000,
    },
  };
}
