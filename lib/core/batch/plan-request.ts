/** Plans one PutRecords request. */
import { assert } from '#core/assert';

export interface RequestLimits {
  readonly requestRecordsMax: number;
  readonly requestBytesMax: number;
}

/**
 * What Kinesis accepts in one request.
 *
 * @source Kinesis API 2013-12-02, PutRecords: 500 records, 10 MiB with partition keys (2025-10).
 */
export const REQUEST_LIMITS: RequestLimits = {
  requestRecordsMax: 500,
  requestBytesMax: 10 * 1024 * 1024,
};

/** A record that waits to be written. */
export interface Pending {
  readonly partitionKey: string;
  /** Partition key and data together. */
  readonly bytes: number;
}

export interface RequestPlan<Record> {
  /** At most one record of a partition key, in the order given. */
  readonly request: readonly Record[];
  /** All others, in the order given. */
  readonly later: readonly Record[];
}

/**
 * Choose what the next request carries: the first record of each partition key, in order, until
 * one does not fit.
 *
 * Kinesis writes the entries of a request in any order and may refuse any of them; a second
 * record of a key in the same request could therefore overtake the first.
 *
 * @throws {Defect} when a record alone exceeds the request.
 */
export function planRequest<Record extends Pending>(
  pending: readonly Record[],
  limits: RequestLimits,
): RequestPlan<Record> {
  assert(limits.requestRecordsMax >= 1, 'a request holds at least one record');
  const request: Record[] = [];
  const waiting: Record[] = [];
  const keys = new Set<string>();
  let requestBytes = 0;
  let at = 0;

  for (; at < pending.length && request.length < limits.requestRecordsMax; at++) {
    const record = pending[at] as Record;
    if (keys.has(record.partitionKey)) {
      waiting.push(record);
      continue;
    }
    assert(record.bytes <= limits.requestBytesMax, 'every record fits in a request');
    if (requestBytes + record.bytes > limits.requestBytesMax) break;
    keys.add(record.partitionKey);
    request.push(record);
    requestBytes += record.bytes;
  }
  return { request, later: waiting.concat(pending.slice(at)) };
}
