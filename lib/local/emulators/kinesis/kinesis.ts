/** Kinesis Data Streams on one machine: the wire protocol, the limits, the errors. */
import { answerJson } from '#local/aws-json';
import type { JsonInput, JsonProtocol } from '#local/aws-json';
import type { Clock, FaultPlan, KinesisLog, Storage, WireHandler } from '#local/contracts';
import type { Measure } from '#local/metrics/measurement';
import { inTransaction } from '#local/storage';
import {
  createStream,
  decreaseRetention,
  deleteStream,
  ensureStream,
  increaseRetention,
  readStreamProperties,
  updateMaxRecordSize,
} from './control.ts';
import { describeStream, describeStreamSummary, listShards, listStreams } from './describe.ts';
import { onlyKnown } from './inputs.ts';
import { putRecord, putRecords } from './put-records.ts';
import { counterAt, getRecords, getShardIterator, readOn } from './read-records.ts';
import { openRecordStore } from './record-store.ts';
import { mergeShards, splitShard, updateShardCount } from './reshard.ts';
import { KINESIS_LIMITS, horizonMs, livingShards, shardOf, streamOf } from './state.ts';
import type { KinesisLimits, KinesisState } from './state.ts';
import { openStreamStore } from './stream-store.ts';

export interface KinesisDependencies {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly region: string;
  readonly accountId: string;
  readonly faults?: FaultPlan;
  readonly limits?: Partial<KinesisLimits>;
  readonly measure?: Measure;
}

export interface Kinesis extends WireHandler, KinesisLog {
  /** The prefix of `x-amz-target` that this emulator answers. */
  readonly target: string;
  /**
   * Create the stream of an AWS::Kinesis::Stream, all references resolved and the name given; one
   * that is there keeps its records and takes the new settings.
   *
   * @throws {ServiceError} when the properties are not possible.
   */
  createStream(properties: JsonInput): { readonly name: string; readonly arn: string };
}

type Operation = (state: KinesisState, input: JsonInput) => object;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  CreateStream: createStream,
  DecreaseStreamRetentionPeriod: decreaseRetention,
  DeleteStream: deleteStream,
  DescribeStream: describeStream,
  DescribeStreamSummary: describeStreamSummary,
  GetRecords: getRecords,
  GetShardIterator: getShardIterator,
  IncreaseStreamRetentionPeriod: increaseRetention,
  ListShards: listShards,
  ListStreams: listStreams,
  MergeShards: mergeShards,
  PutRecord: putRecord,
  PutRecords: putRecords,
  SplitShard: splitShard,
  UpdateMaxRecordSize: updateMaxRecordSize,
  UpdateShardCount: updateShardCount,
};

const SWEEP_EVERY_MS = 60_000;
const PROPERTIES = [
  'Name',
  'ShardCount',
  'RetentionPeriodHours',
  'StreamModeDetails',
  'MaxRecordSizeInKiB',
  'Tags',
  'StreamEncryption',
  'DesiredShardLevelMetrics',
  'WarmThroughputMiBps',
];

/** Serve the streams of `storage`. */
export function createKinesis(dependencies: KinesisDependencies): Kinesis {
  const { storage, clock, region, accountId, faults = {} } = dependencies;
  const listeners = new Map<string, Set<() => void>>();
  const state: KinesisState = {
    storage,
    clock,
    region,
    accountId,
    faults,
    limits: { ...KINESIS_LIMITS, ...dependencies.limits },
    streams: openStreamStore(storage),
    records: openRecordStore(storage),
    measure: (stream, name, value) =>
      dependencies.measure?.({
        namespace: 'AWS/Kinesis',
        name,
        dimensions: { StreamName: stream },
        value,
      }),
    announce: (name) => listeners.get(name)?.forEach((listener) => listener()),
  };
  const sweep = sweeper(state);
  const operations: Record<string, (input: JsonInput) => object> = {};
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    operations[name] = (input) => {
      sweep();
      return operation(state, input);
    };
  }
  const protocol: JsonProtocol = {
    version: '1.1',
    operations,
    errorNamespace: () => '',
    checksum: 'none',
  };

  return {
    target: 'Kinesis_20131202',
    async handle(request) {
      return answerJson(protocol, request);
    },
    createStream(properties) {
      onlyKnown(properties, PROPERTIES);
      const { name, arn } = ensureStream(state, readStreamProperties(properties));
      return { name, arn };
    },
    listShards(name) {
      const stream = streamOf(state, { StreamName: name });
      return livingShards(state, stream).map(({ shardId, parentShardIds, closedMs }) => ({
        shardId,
        parentShardIds,
        open: closedMs === undefined,
      }));
    },
    read(name, shardId, from, max) {
      sweep();
      const stream = streamOf(state, { StreamName: name });
      const shard = shardOf(state, stream, shardId);
      return readOn(state, stream, shard, counterAt(state, shard, from), max);
    },
    onWrite(name, listener) {
      const own = () => listener();
      const ofStream = listeners.get(name) ?? new Set();
      listeners.set(name, ofStream.add(own));
      return () => void ofStream.delete(own);
    },
  };
}

/** Now and then, really delete what retention has already hidden. */
function sweeper(state: KinesisState): () => void {
  let sweptMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = state.clock.nowMs();
    if (nowMs - sweptMs < SWEEP_EVERY_MS) return;
    sweptMs = nowMs;
    inTransaction(state.storage, () => {
      for (const stream of state.streams.streams.values()) {
        const living = new Set(livingShards(state, stream));
        for (const shard of stream.shards) {
          state.records.trim(shard, horizonMs(state, stream));
          if (!living.has(shard)) state.streams.removeShard(stream, shard);
        }
      }
    });
  };
}
