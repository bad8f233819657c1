import type { Refusal } from '#core/record/refusal';

/**
 * What a stream accepts as one record, unless it opted into more.
 *
 * @source Kinesis API 2013-12-02, MaxRecordSizeInKiB: 1,024 to 10,240.
 */
export const RECORD_BYTES_MAX_DEFAULT = 1024 * 1024;

/** Refuse a record before it is sent, as Kinesis would: the partition key counts too. */
export function refuseOversized(bytes: number, recordBytesMax: number): Refusal | undefined {
  if (bytes <= recordBytesMax) return undefined;
  return {
    kind: 'refused',
    reason: 'record-too-large',
    detail: `partition key and data take ${bytes} bytes; the stream accepts ${recordBytesMax}`,
  };
}
