/** Records as Lambda hands them to a function. */
import type { LogRecord } from '#local/contracts';

export interface HeldRecord {
  readonly sequenceNumber: string;
  readonly arrivalTimeMs: number;
  /** The record's member of `Records`, as JSON. */
  readonly json: string;
  /** Of the JSON. */
  readonly bytes: number;
}

export interface EventSource {
  readonly streamArn: string;
  readonly shardId: string;
  readonly region: string;
  readonly roleArn: string;
}

/**
 * Write one record in the shape of AWS: data in base64 once, arrival in seconds with a fraction.
 *
 * @source Lambda developer guide, "Process records from Amazon Kinesis", example event, 2026-10.
 */
export function heldRecord(record: LogRecord, source: EventSource): HeldRecord {
  const { sequenceNumber, partitionKey, data, arrivalTimeMs } = record;
  const json = JSON.stringify({
    kinesis: {
      kinesisSchemaVersion: '1.0',
      partitionKey,
      sequenceNumber,
      data: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64'),
      approximateArrivalTimestamp: arrivalTimeMs / 1000,
    },
    eventSource: 'aws:kinesis',
    eventVersion: '1.0',
    eventID: `${source.shardId}:${sequenceNumber}`,
    eventName: 'aws:kinesis:record',
    invokeIdentityArn: source.roleArn,
    awsRegion: source.region,
    eventSourceARN: source.streamArn,
  });
  return { sequenceNumber, arrivalTimeMs, json, bytes: Buffer.byteLength(json) };
}

/** `{"Records":[` and `]}`. */
const WRAPPING_BYTES = 14;

/** The bytes of an event of these records, with the commas between them. */
export function eventBytes(records: readonly HeldRecord[]): number {
  const commas = Math.max(0, records.length - 1);
  return records.reduce((sum, { bytes }) => sum + bytes, WRAPPING_BYTES + commas);
}

/** `members` is what stands beside the records, as JSON members with a comma before each. */
export function eventOf(records: readonly HeldRecord[], members = ''): string {
  let list = '';
  for (const { json } of records) list += list === '' ? json : `,${json}`;
  return `{"Records":[${list}]${members}}`;
}
