/** Reading a shard: where an iterator stands, and what follows it. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import type { LogPage, ReadFrom } from '#local/contracts';
import { endDryRun } from './dry-run.ts';
import { decodeIterator, encodeIterator, expired } from './iterator.ts';
import { refill } from './rate-limit.ts';
import { refused } from './refused.ts';
import { COUNTER_LAST, counterOf } from './sequence-number.ts';
import type { KinesisState } from './state.ts';
import { horizonMs, livingShards, readyStreamOf, shardOf, trafficOf } from './state.ts';
import { encryptionOf } from './stream.ts';
import { describeShard } from './describe-shard.ts';
import type { Shard, Stream } from './stream.ts';

export function getShardIterator(state: KinesisState, input: JsonInput): object {
  const stream = readyStreamOf(state, input);
  const shard = shardOf(state, stream, String(input['ShardId']));
  const counter = counterAt(state, shard, parseStart(state, input));
  takeIteratorCapacity(state, stream, shard);
  endDryRun(input);
  return { ShardIterator: encodeIterator(state, { stream, shard, counter }) };
}

export function getRecords(state: KinesisState, input: JsonInput): object {
  const { limits } = state;
  const { Limit: records = limits.readRecordsMax, StreamARN } = input as {
    Limit?: number;
    StreamARN?: string;
  };
  const { stream, shard, counter, issuedMs } = decodeIterator(
    state,
    String(input['ShardIterator']),
  );
  if (StreamARN !== undefined && StreamARN !== stream.arn) {
    throw refused(`StreamARN ${StreamARN} is not of the stream that ShardIterator reads.`);
  }
  if (takeReadCapacity(state, stream, shard) === 'expire') throw expired(state, issuedMs);
  endDryRun(input);
  const page = readOn(state, stream, shard, counter, { records, bytes: limits.readBytesMax });
  payForRead(state, shard, page.bytes);
  const EncryptionType = encryptionOf(stream);
  return {
    Records: page.records.map(({ sequenceNumber, partitionKey, data, arrivalTimeMs }) => ({
      SequenceNumber: sequenceNumber,
      PartitionKey: partitionKey,
      Data: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64'),
      ApproximateArrivalTimestamp: arrivalTimeMs / 1_000,
      EncryptionType,
    })),
    MillisBehindLatest: page.millisBehindLatest,
    ...(page.endOfShard
      ? // Absent, not null: what clients of AWS look for.
        { ChildShards: childrenOf(state, stream, shard) }
      : { NextShardIterator: encodeIterator(state, { stream, shard, counter: page.next }) }),
  };
}

export interface ShardPage extends LogPage {
  /** The counter to read on from. */
  readonly next: number;
  readonly bytes: number;
}

/** What follows a counter, as far as retention and the bounds let it. */
export function readOn(
  state: KinesisState,
  stream: Stream,
  shard: Shard,
  counter: number,
  max: { readonly records: number; readonly bytes: number },
): ShardPage {
  const records = state.records.read({
    shard,
    counter,
    sinceMs: horizonMs(state, stream),
    recordsMax: max.records,
    bytesMax: max.bytes,
  });
  const last = records.at(-1);
  const next = last === undefined ? Math.max(counter, shard.counter + 1) : last.counter + 1;
  const behind = next <= shard.counter && last !== undefined;
  return {
    records,
    next,
    bytes: records.reduce((sum, { bytes }) => sum + bytes, 0),
    endOfShard: shard.closedMs !== undefined && next > shard.counter,
    millisBehindLatest: behind ? Math.max(0, state.clock.nowMs() - last.arrivalTimeMs) : 0,
  };
}

/** The counter of the first record wanted from a place. */
export function counterAt(state: KinesisState, shard: Shard, from: Start): number {
  switch (from.kind) {
    case 'trim-horizon':
      return 1;
    case 'latest':
      return shard.counter + 1;
    case 'at-timestamp':
      return state.records.firstSince(shard, from.timestampMs) ?? shard.counter + 1;
    case 'at':
    case 'after': {
      const counter = counterOf(shard, from.sequenceNumber);
      if (counter === undefined || (counter > BigInt(shard.counter) && counter !== COUNTER_LAST)) {
        throw refused(
          `StartingSequenceNumber ${from.sequenceNumber} used in GetShardIterator on shard ` +
            `${shard.shardId} is invalid because it did not come from this shard.`,
        );
      }
      if (counter === COUNTER_LAST) return shard.counter + 1;
      return Number(counter) + (from.kind === 'after' ? 1 : 0);
    }
  }
}

type Start = ReadFrom | { readonly kind: 'at'; readonly sequenceNumber: string };

function parseStart(state: KinesisState, input: JsonInput): Start {
  const {
    ShardIteratorType: type,
    StartingSequenceNumber,
    Timestamp,
  } = input as {
    ShardIteratorType: string;
    StartingSequenceNumber?: string;
    Timestamp?: number;
  };
  const takesNumber = type === 'AT_SEQUENCE_NUMBER' || type === 'AFTER_SEQUENCE_NUMBER';
  if (takesNumber !== (StartingSequenceNumber !== undefined)) {
    throw refused(
      'Must either specify (1) AT_SEQUENCE_NUMBER or AFTER_SEQUENCE_NUMBER and StartingSequenceNumber or ' +
        `(2) TRIM_HORIZON or LATEST and no StartingSequenceNumber. Request specified ${type} and ` +
        `${takesNumber ? 'no' : 'also a'} StartingSequenceNumber.`,
    );
  }
  if ((type === 'AT_TIMESTAMP') !== (Timestamp !== undefined)) {
    throw refused(
      `Must specify timestampInMillis parameter for iterator of type AT_TIMESTAMP, and of no other: ${type}.`,
    );
  }
  const sequenceNumber = StartingSequenceNumber ?? '';
  switch (type) {
    case 'TRIM_HORIZON':
      return { kind: 'trim-horizon' };
    case 'LATEST':
      return { kind: 'latest' };
    case 'AT_SEQUENCE_NUMBER':
      return { kind: 'at', sequenceNumber };
    case 'AFTER_SEQUENCE_NUMBER':
      return { kind: 'after', sequenceNumber };
    default:
      return { kind: 'at-timestamp', timestampMs: pastMs(state, Number(Timestamp)) };
  }
}

function pastMs(state: KinesisState, timestampSec: number): number {
  const timestampMs = Math.round(timestampSec * 1_000);
  const nowMs = state.clock.nowMs();
  if (timestampMs <= nowMs) return timestampMs;
  throw refused(
    'The timestampInMillis parameter cannot be greater than the currentTimestampInMillis. ' +
      `timestampInMillis: ${timestampMs}, currentTimestampInMillis: ${nowMs}`,
  );
}

function takeIteratorCapacity(state: KinesisState, stream: Stream, shard: Shard): void {
  const { iterators } = trafficOf(state, shard);
  refill(iterators, state.clock.nowMs());
  if (iterators.level < 1) throw throttled(state, stream, shard);
  iterators.level -= 1;
}

function throttled(state: KinesisState, { name }: Stream, { shardId }: Shard): ServiceError {
  return new ServiceError(
    'ProvisionedThroughputExceededException',
    `Rate exceeded for shard ${shardId} in stream ${name} under account ${state.accountId}.`,
  );
}

/** Refuse a read too soon after the others, or by command. */
function takeReadCapacity(state: KinesisState, stream: Stream, shard: Shard): 'expire' | undefined {
  const traffic = trafficOf(state, shard);
  const nowMs = state.clock.nowMs();
  refill(traffic.reads, nowMs);
  const fault = state.faults.onRead?.(stream.name, shard.shardId);
  if (fault === 'expire') return fault;
  const isTaken = fault === undefined && nowMs >= traffic.shutUntilMs && traffic.reads.level >= 1;
  state.measure(stream.name, 'ReadProvisionedThroughputExceeded', isTaken ? 0 : 1);
  if (!isTaken) throw throttled(state, stream, shard);
  traffic.reads.level -= 1;
  return undefined;
}

/** A read of more bytes than the bucket holds shuts the shard until the bucket is full again. */
function payForRead(state: KinesisState, shard: Shard, bytes: number): void {
  const traffic = trafficOf(state, shard);
  const bucket = traffic.readBytes;
  const nowMs = state.clock.nowMs();
  refill(bucket, nowMs);
  bucket.level -= bytes;
  if (bucket.level >= 0) return;
  traffic.shutUntilMs = nowMs + ((bucket.capacity - bucket.level) / bucket.perSec) * 1_000;
}

function childrenOf(state: KinesisState, stream: Stream, parent: Shard): readonly object[] {
  return livingShards(state, stream)
    .filter(({ parentShardIds }) => parentShardIds.includes(parent.shardId))
    .map((child) => ({
      ShardId: child.shardId,
      ParentShards: child.parentShardIds,
      HashKeyRange: describeShard(child).HashKeyRange,
    }));
}
