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
