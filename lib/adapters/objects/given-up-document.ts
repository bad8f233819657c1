/** What an event source mapping leaves in a bucket of a batch that it gave up on. */
import type { KinesisStreamEvent } from 'aws-lambda';
import { fromKinesisEvent } from '#adapters/kinesis/from-event';
import type { StoredRecord } from '#core/record/records';
import type { GivenUp } from '#ports/given-up-documents';

export interface GivenUpDocument extends Omit<GivenUp, 'consumer'> {
  readonly functionName: string;
}

/** @source Lambda Developer Guide, "Retain discarded batch records for a Kinesis data stream …". */
interface Document {
  readonly requestContext: {
    readonly functionArn: string;
    readonly condition: string;
    readonly approximateInvokeCount: number;
  };
  readonly version: string;
  readonly timestamp: string;
  /** The function's event, as JSON in a text; LocalStack leaves out the text. */
  readonly payload: string | KinesisStreamEvent;
}

const VERSION = '1.0';
/** Of what `Date` takes: a record without a time has no place in quarantine. */
const TIME_MAX_MS = 8.64e15;
const SEQUENCE = /^(0|[1-9]\d{0,128})$/;

/** @returns undefined when it is of another form, or holds no records, or one that cannot be placed. */
export function readGivenUpDocument(body: Uint8Array): GivenUpDocument | undefined {
  try {
    const document = JSON.parse(Buffer.from(body).toString()) as Document;
    const { requestContext, timestamp, payload, version } = document;
    const { functionArn, condition, approximateInvokeCount: attempts } = requestContext;
    const event =
      typeof payload === 'string' ? (JSON.parse(payload) as KinesisStreamEvent) : payload;
    const records = fromKinesisEvent(event);
    // `arn:aws:lambda:<region>:<account>:function:<name>`, then perhaps a version.
    const functionName = functionArn.split(':')[6];
    const atMs = Date.parse(timestamp);
    if (version !== VERSION || functionName === undefined || Number.isNaN(atMs)) return undefined;
    const isWhole = records.length > 0 && records.every(hasPlace);
    return !isWhole ? undefined : { functionName, condition, attempts, atMs, records };
  } catch {
    return undefined;
  }
}

function hasPlace({ arrivalTimeMs, sequenceNumber, partitionKey }: StoredRecord): boolean {
  const hasTime = Math.abs(arrivalTimeMs) <= TIME_MAX_MS;
  return hasTime && SEQUENCE.test(sequenceNumber) && typeof partitionKey === 'string';
}
