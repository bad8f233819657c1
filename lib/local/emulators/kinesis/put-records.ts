/** PutRecord and PutRecords: first everything is checked, then each entry stands for itself. */
import { HangUp, ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import type { PutFault } from '#local/contracts';
import { inTransaction } from '#local/storage';
import { endDryRun } from './dry-run.ts';
import { findRange, hashKeyOf } from './hash-ring.ts';
import { checkSizes, parseEntry } from './put-entry.ts';
import type { PutEntry } from './put-entry.ts';
import { holds, refill } from './rate-limit.ts';
import { refused } from './refused.ts';
import { arrivalSecOf } from './sequence-number.ts';
import type { KinesisState } from './state.ts';
import { readyStreamOf, trafficOf } from './state.ts';
import { encryptionOf } from './stream.ts';
import type { Shard, Stream } from './stream.ts';

type Written = { readonly ShardId: string; readonly SequenceNumber: string };
type Failed = { readonly ErrorCode: string; readonly ErrorMessage: string };

const THROTTLED = 'ProvisionedThroughputExceededException';

export function putRecords(state: KinesisState, input: JsonInput): object {
  const stream = readyStreamOf(state, input);
  const entries = (input['Records'] as readonly JsonInput[]).map(parseEntry);
  checkSizes(state, stream, entries);
  endDryRun(input);
  const Records = writeAll(state, stream, entries);
  const FailedRecordCount = Records.reduce(
    (sum, result) => sum + ('ErrorCode' in result ? 1 : 0),
    0,
  );
  return { FailedRecordCount, Records, EncryptionType: encryptionOf(stream) };
}

export function putRecord(state: KinesisState, input: JsonInput): object {
  const stream = readyStreamOf(state, input);
  const entry = parseEntry(input);
  checkSizes(state, stream, [entry]);
  checkOrdering(state, stream, input['SequenceNumberForOrdering']);
  endDryRun(input);
  const [result] = writeAll(state, stream, [entry]);
  if (result === undefined) throw new Error('one entry has one result');
  if (!('ErrorCode' in result)) return { ...result, EncryptionType: encryptionOf(stream) };
  const throttled = result.ErrorCode === THROTTLED;
  throw new ServiceError(
    throttled ? THROTTLED : 'InternalFailureException',
    result.ErrorMessage,
    throttled ? {} : { status: 500 },
  );
}

/**
 * Numbers rise with every record of a shard, so what is asked for holds: the number given must only
 * be one that could have been given out.
 */
function checkOrdering(state: KinesisState, stream: Stream, given: unknown): void {
  if (given === undefined || given === null) return;
  const arrivalSec = arrivalSecOf(String(given));
  if (arrivalSec !== undefined && arrivalSec * 1_000 <= state.clock.nowMs()) return;
  throw refused(
    `ExclusiveMinimumSequenceNumber ${String(given)} used in PutRecord on stream ${stream.name} under ` +
      `account ${state.accountId} is invalid.`,
  );
}

function writeAll(
  state: KinesisState,
  stream: Stream,
  entries: readonly PutEntry[],
): readonly (Written | Failed)[] {
  const fault = state.faults.onPutRequest?.(stream.name);
  if (fault === 'refuse') {
    throw new ServiceError('InternalFailureException', 'refused on purpose', { status: 500 });
  }
  const results = inTransaction(state.storage, () => place(state, stream, entries));
  measureWritten(state, stream, entries, results);
  if (results.some((result) => !('ErrorCode' in result))) state.announce(stream.name);
  if (fault === 'timeout-after-write') throw new HangUp();
  return results;
}

/** First every entry finds its shard, or fails; then each shard takes its own at once. */
function place(
  state: KinesisState,
  stream: Stream,
  entries: readonly PutEntry[],
): readonly (Written | Failed)[] {
  const nowMs = state.clock.nowMs();
  const results: (Written | Failed)[] = [];
  const accepted = new Map<Shard, number[]>();
  entries.forEach((entry, index) => {
    const shard = shardFor(stream, entry);
    const failure =
      state.faults.onPut?.(stream.name, index) ??
      takeCapacity(state, shard, { nowMs, bytes: entry.bytes });
    if (failure !== undefined) {
      results[index] = failed(state, stream, shard, failure);
      return;
    }
    const indexes = accepted.get(shard);
    if (indexes === undefined) accepted.set(shard, [index]);
    else indexes.push(index);
  });
  for (const [shard, indexes] of accepted) {
    const records = indexes.flatMap((index) => entries[index] ?? []);
    const numbers = state.records.append(shard, records, nowMs);
    indexes.forEach((index, at) => {
      results[index] = { SequenceNumber: numbers[at] ?? '', ShardId: shard.shardId };
    });
    state.streams.saveShard(shard);
  }
  return results;
}

function shardFor({ name, openShards }: Stream, entry: PutEntry): Shard {
  const [only] = openShards;
  if (openShards.length === 1 && only !== undefined) return only;
  const shard = findRange(openShards, entry.explicitHashKey ?? hashKeyOf(entry.partitionKey));
  if (shard === undefined) throw new Error(`the ring of ${name} has a gap`);
  return shard;
}

/** Throttles of 0 count too; the bytes are of data and partition keys. */
function measureWritten(
  { measure }: KinesisState,
  { name }: Stream,
  entries: readonly PutEntry[],
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

function takeCapacity(
  state: KinesisState,
  shard: Shard,
  { nowMs, bytes }: { nowMs: number; bytes: number },
): PutFault | undefined {
  const { writtenRecords, writtenBytes } = trafficOf(state, shard);
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
