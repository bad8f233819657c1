/** What an event source mapping leaves in a bucket of a batch that it gave up on. */
import type { KinesisStreamEvent } from 'aws-lambda';
import { fromKinesisEvent } from '#adapters/kinesis/from-event';
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

/** @returns undefined when it is of another form, or holds no records. */
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
    return records.length === 0 ? undefined : { functionName, condition, attempts, atMs, records };
  } catch {
    return undefined;
  }
}
