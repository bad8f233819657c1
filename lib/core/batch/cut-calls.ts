/** Cuts records into calls of a consumer. */
import type { StoredRecord } from '#core/record/records';
import { utf8Bytes } from '#core/utf8';

export interface CallLimits {
  readonly recordsMax: number;
  /** Of a call as it goes over the wire. */
  readonly bytesMax: number;
}

/** @source AWS Lambda quotas (2026-10): a synchronous invocation's payload, 6 MiB. */
export const CALL_BYTES_MAX = 6 * 1_024 * 1_024;

/** What stands around the records of a call, and around the data and keys of one; both are less. */
const AROUND_CALL_BYTES = 256;
const AROUND_RECORD_BYTES = 1_024;
/** A character of a partition key may be written as `\u0000`. */
const ESCAPED_BYTES = 6;

/**
 * Cut a run of records so that each call is of one shard and within the limits, in their order.
 *
 * A record too large for any call is alone in one.
 */
export function cutCalls(
  records: readonly StoredRecord[],
  { recordsMax, bytesMax }: CallLimits,
): readonly (readonly StoredRecord[])[] {
  const calls: StoredRecord[][] = [];
  let [call, bytes]: [StoredRecord[], number] = [[], 0];
  for (const record of records) {
    const size = recordBytes(record);
    const fits = call.length < recordsMax && bytes + size <= bytesMax;
    if (!fits || call[0]?.shardId !== record.shardId) {
      [call, bytes] = [[], AROUND_CALL_BYTES];
      calls.push(call);
    }
    call.push(record);
    bytes += size;
  }
  return calls;
}

/** Whether a call may hold the record at all. */
export function fitsCall(record: StoredRecord, { bytesMax }: CallLimits): boolean {
  return AROUND_CALL_BYTES + recordBytes(record) <= bytesMax;
}

/** A bound, in base64 and with what stands around it. */
function recordBytes({ data, partitionKey }: StoredRecord): number {
  const base64 = 4 * Math.ceil(data.byteLength / 3);
  return AROUND_RECORD_BYTES + base64 + ESCAPED_BYTES * utf8Bytes(partitionKey);
}
