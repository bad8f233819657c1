/** Reading a shard: where an iterator stands, and what follows it. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import type { LogPage, ReadFrom } from '#local/contracts';
import { onlyKnown, optionalCount, optionalText, refused, requiredText } from './inputs.ts';
import { decodeIterator, encodeIterator } from './iterator.ts';
import { refill } from './rate-limit.ts';
import { COUNTER_LAST, counterOf } from './sequence-number.ts';
import type { KinesisState } from './state.ts';
import { horizonMs, livingShards, shardOf, streamOf, trafficOf } from './state.ts';
import { describeShard } from './describe-shard.ts';
import type { Shard, Stream } from './stream-store.ts';

export function getShardIterator(state: KinesisState, input: JsonInput): object {
  const known = ['StreamName', 'StreamARN', 'StreamId', 'ShardId', 'ShardIteratorType'];
  onlyKnown(input, [...known, 'StartingSequenceNumber', 'Timestamp']);
  const type = requiredText(input, 'ShardIteratorType');
  const shardId = requiredText(input, 'ShardId');
  const stream = streamOf(state, input);
  const shard = shardOf(state, stream, shardId);
  const counter = counterAt(state, shard, parseStart(state, type, input));
  return { ShardIterator: encodeIterator(stream, shard, counter, state.clock.nowMs()) };
}

export function getRecords(state: KinesisState, input: JsonInput): object {
  onlyKnown(input, ['ShardIterator', 'Limit', 'StreamARN', 'StreamId']);
  const { limits } = state;
  const Limit = optionalCount(input, 'Limit', { min: 1, max: limits.readRecordsMax });
  const text = requiredText(input, 'ShardIterator');
  const { stream, shard, counter } = decodeIterator(state, text);
  takeReadCapacity(state, stream, shard);
  const page = readOn(state, stream, shard, counter, {
    records: Limit ?? limits.readRecordsMax,
    bytes: limits.readBytesMax,
  });
  payForRead(state, shard, page.bytes);
  return {
    Records: page.records.map(({ sequenceNumber, partitionKey, data, arrivalTimeMs }) => ({
      SequenceNumber: sequenceNumber,
      PartitionKey: partitionKey,
      Data: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64'),
      ApproximateArrivalTimestamp: arrivalTimeMs / 1_000,
      EncryptionType: 'NONE',
    })),
    MillisBehindLatest: page.millisBehindLatest,
    ...(page.endOfShard
      ? { NextShardIterator: null, ChildShards: childrenOf(state, stream, shard) }
      : { NextShardIterator: encodeIterator(stream, shard, page.next, state.clock.nowMs()) }),
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

function parseStart(state: KinesisState, type: string, input: JsonInput): Start {
  const sequenceNumber = optionalText(input, 'StartingSequenceNumber');
  const timestamp = input['Timestamp'];
  const ofSequence = type === 'AT_SEQUENCE_NUMBER' || type === 'AFTER_SEQUENCE_NUMBER';
  if (ofSequence !== (sequenceNumber !== undefined)) {
    throw refused(
      `Iterator type ${type} and StartingSequenceNumber do not go together or the latter is missing.`,
    );
  }
  if ((type === 'AT_TIMESTAMP') !== (typeof timestamp === 'number')) {
    throw refused(
      `Iterator type ${type} and Timestamp do not go together or the latter is missing.`,
    );
  }
  switch (type) {
    case 'TRIM_HORIZON':
      return { kind: 'trim-horizon' };
    case 'LATEST':
      return { kind: 'latest' };
    case 'AT_SEQUENCE_NUMBER':
      return { kind: 'at', sequenceNumber: sequenceNumber ?? '' };
    case 'AFTER_SEQUENCE_NUMBER':
      return { kind: 'after', sequenceNumber: sequenceNumber ?? '' };
    case 'AT_TIMESTAMP': {
      const timestampMs = Math.round(Number(timestamp) * 1_000);
      if (timestampMs > state.clock.nowMs()) {
        throw refused(
          `The timestampInMillis parameter cannot be greater than the current time: ${timestampMs}`,
        );
      }
      return { kind: 'at-timestamp', timestampMs };
    }
    default:
      throw refused(`Iterator type ${type} is unknown.`);
  }
}

/** Refuse a read too soon after the others. */
function takeReadCapacity(state: KinesisState, stream: Stream, shard: Shard): void {
  const traffic = trafficOf(state, shard);
  const nowMs = state.clock.nowMs();
  refill(traffic.reads, nowMs);
  const fault = state.faults.onRead?.(stream.name, shard.shardId);
  const isTaken = fault === undefined && nowMs >= traffic.shutUntilMs && traffic.reads.level >= 1;
  state.measure(stream.name, 'ReadProvisionedThroughputExceeded', isTaken ? 0 : 1);
  if (isTaken) {
    traffic.reads.level -= 1;
    return;
  }
  throw new ServiceError(
    'ProvisionedThroughputExceededException',
    `Rate exceeded for shard ${shard.shardId} in stream ${stream.name} under account ${state.accountId}.`,
  );
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
