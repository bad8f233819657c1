/** PutRecord and PutRecords: first everything is checked, then each entry stands for itself. */
import { HangUp, ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import type { PutFault } from '#local/contracts';
import { inTransaction } from '#local/storage';
import { HASH_KEY_MAX, findRange, hashKeyOf } from './hash-ring.ts';
import { invalid, onlyKnown, refused } from './inputs.ts';
import { holds, refill } from './rate-limit.ts';
import type { KinesisState } from './state.ts';
import { streamOf, trafficOf } from './state.ts';
import type { Shard, Stream } from './stream-store.ts';

interface Entry {
  readonly partitionKey: string;
  readonly data: Uint8Array;
  readonly bytes: number;
  readonly explicitHashKey: bigint | undefined;
}

type Written = { readonly ShardId: string; readonly SequenceNumber: string };
type Failed = { readonly ErrorCode: string; readonly ErrorMessage: string };

const PARTITION_KEY_CHARACTERS_MAX = 256;
const RECORD_BYTES_HARD_MAX = 10 * 1024 * 1024;
const HASH_KEY = /^(0|[1-9]\d{0,38})$/;
const SEQUENCE_NUMBER = /^(0|[1-9]\d{0,128})$/;

export function putRecords(state: KinesisState, input: JsonInput): object {
  onlyKnown(input, ['StreamName', 'StreamARN', 'StreamId', 'Records']);
  const entries = parseEntries(state, input['Records']);
  const stream = streamOf(state, input);
  checkSizes(state, stream, entries);
  const Records = writeAll(state, stream, entries);
  const FailedRecordCount = Records.filter((result) => 'ErrorCode' in result).length;
  return { FailedRecordCount, Records, EncryptionType: 'NONE' };
}

export function putRecord(state: KinesisState, input: JsonInput): object {
  const known = ['StreamName', 'StreamARN', 'StreamId', 'Data', 'PartitionKey', 'ExplicitHashKey'];
  onlyKnown(input, [...known, 'SequenceNumberForOrdering']);
  const ordering = input['SequenceNumberForOrdering'];
  if (ordering !== undefined && !SEQUENCE_NUMBER.test(String(ordering))) {
    throw invalid(
      'sequenceNumberForOrdering',
      ordering,
      'satisfy regular expression pattern: 0|([1-9]\\d{0,128})',
    );
  }
  const entry = parseEntry(input, '');
  const stream = streamOf(state, input);
  checkSizes(state, stream, [entry]);
  const [result] = writeAll(state, stream, [entry]);
  if (result === undefined) throw new Error('one entry has one result');
  if (!('ErrorCode' in result)) return { ...result, EncryptionType: 'NONE' };
  const throttled = result.ErrorCode === THROTTLED;
  throw new ServiceError(
    throttled ? THROTTLED : 'InternalFailureException',
    result.ErrorMessage,
    throttled ? {} : { status: 500 },
  );
}

const THROTTLED = 'ProvisionedThroughputExceededException';

function parseEntries(state: KinesisState, records: unknown): readonly Entry[] {
  const { requestRecordsMax } = state.limits;
  if (!Array.isArray(records)) throw invalid('records', undefined, 'not be null');
  if (records.length === 0) {
    throw invalid('records', '[]', 'have length greater than or equal to 1');
  }
  if (records.length > requestRecordsMax) {
    throw invalid(
      'records',
      `[${records.length} records]`,
      `have length less than or equal to ${requestRecordsMax}`,
    );
  }
  return records.map((record: JsonInput, index) => {
    onlyKnown(record, ['Data', 'PartitionKey', 'ExplicitHashKey']);
    return parseEntry(record, `records.${index + 1}.member.`);
  });
}

function parseEntry(record: JsonInput, path: string): Entry {
  const { PartitionKey: partitionKey, Data: text, ExplicitHashKey: hashKey } = record;
  if (typeof text !== 'string') throw invalid(`${path}data`, undefined, 'not be null');
  if (typeof partitionKey !== 'string') {
    throw invalid(`${path}partitionKey`, undefined, 'not be null');
  }
  if (partitionKey === '') {
    throw invalid(`${path}partitionKey`, '', 'have length greater than or equal to 1');
  }
  if (
    partitionKey.length > PARTITION_KEY_CHARACTERS_MAX &&
    [...partitionKey].length > PARTITION_KEY_CHARACTERS_MAX
  ) {
    throw invalid(`${path}partitionKey`, partitionKey, 'have length less than or equal to 256');
  }
  const data = Buffer.from(text, 'base64');
  if (data.byteLength > RECORD_BYTES_HARD_MAX) {
    throw invalid(
      `${path}data`,
      '[bytes]',
      `have length less than or equal to ${RECORD_BYTES_HARD_MAX}`,
    );
  }
  const bytes = data.byteLength + Buffer.byteLength(partitionKey);
  return { partitionKey, data, bytes, explicitHashKey: parseHashKey(hashKey, path) };
}

function parseHashKey(hashKey: unknown, path: string): bigint | undefined {
  if (hashKey === undefined || hashKey === null) return undefined;
  if (typeof hashKey !== 'string' || !HASH_KEY.test(hashKey)) {
    throw invalid(
      `${path}explicitHashKey`,
      hashKey,
      'satisfy regular expression pattern: 0|([1-9]\\d{0,38})',
    );
  }
  const value = BigInt(hashKey);
  if (value > HASH_KEY_MAX) {
    throw refused(
      `Invalid ExplicitHashKey. ExplicitHashKey must be in the range: [0, 2^128-1]. Specified value was ${hashKey}`,
    );
  }
  return value;
}

function checkSizes(state: KinesisState, stream: Stream, entries: readonly Entry[]): void {
  let requestBytes = 0;
  for (const { bytes } of entries) {
    requestBytes += bytes;
    if (bytes > stream.recordBytesMax) {
      throw refused(
        `The record's size of ${bytes} bytes, partition key included, exceeds the stream's maximum of ` +
          `${stream.recordBytesMax} bytes.`,
      );
    }
  }
  if (requestBytes > state.limits.requestBytesMax) {
    throw refused(
      `Records size of ${requestBytes} bytes exceeds ${state.limits.requestBytesMax} bytes.`,
    );
  }
}

function writeAll(
  state: KinesisState,
  stream: Stream,
  entries: readonly Entry[],
): readonly (Written | Failed)[] {
  const fault = state.faults.onPutRequest?.(stream.name);
  if (fault === 'refuse') {
    throw new ServiceError('InternalFailureException', 'refused on purpose', { status: 500 });
  }
  const touched = new Set<Shard>();
  const results = inTransaction(state.storage, () => {
    const answers = entries.map((entry, index) => {
      const shard = findRange(
        stream.openShards,
        entry.explicitHashKey ?? hashKeyOf(entry.partitionKey),
      );
      if (shard === undefined) throw new Error(`the ring of ${stream.name} has a gap`);
      const failure =
        state.faults.onPut?.(stream.name, index) ?? takeCapacity(state, shard, entry.bytes);
      if (failure !== undefined) return failed(state, stream, shard, failure);
      touched.add(shard);
      const { partitionKey, data } = entry;
      const record = { partitionKey, data, nowMs: state.clock.nowMs() };
      return { SequenceNumber: state.records.append(shard, record), ShardId: shard.shardId };
    });
    for (const shard of touched) state.streams.saveShard(shard);
    return answers;
  });
  measureWritten(state, stream, entries, results);
  if (touched.size > 0) state.announce(stream.name);
  if (fault === 'timeout-after-write') throw new HangUp();
  return results;
}

/** Throttles of 0 count too; the bytes are of data and partition keys. */
function measureWritten(
  { measure }: KinesisState,
  { name }: Stream,
  entries: readonly Entry[],
  results: readonly (Written | Failed)[],
): void {
  const written = entries.filter((_, index) => !('ErrorCode' in (results[index] ?? {})));
  const throttled = results.filter((one) => 'ErrorCode' in one && one.ErrorCode === THROTTLED);
  measure(name, 'WriteProvisionedThroughputExceeded', throttled.length);
  if (written.length === 0) return;
  measure(name, 'IncomingRecords', written.length);
  measure(
    name,
    'IncomingBytes',
    written.reduce((sum, { bytes }) => sum + bytes, 0),
  );
}

function takeCapacity(state: KinesisState, shard: Shard, bytes: number): PutFault | undefined {
  const { writtenRecords, writtenBytes } = trafficOf(state, shard);
  const nowMs = state.clock.nowMs();
  refill(writtenRecords, nowMs);
  refill(writtenBytes, nowMs);
  if (!holds(writtenRecords, 1) || !holds(writtenBytes, bytes)) return 'throttle';
  writtenRecords.level -= 1;
  writtenBytes.level -= bytes;
  return undefined;
}

function failed(state: KinesisState, stream: Stream, shard: Shard, fault: PutFault): Failed {
  if (fault === 'fail') {
    return { ErrorCode: 'InternalFailure', ErrorMessage: 'Internal Service Failure' };
  }
  const place = `${shard.shardId} in stream ${stream.name} under account ${state.accountId}`;
  return { ErrorCode: THROTTLED, ErrorMessage: `Rate exceeded for shard ${place}.` };
}
