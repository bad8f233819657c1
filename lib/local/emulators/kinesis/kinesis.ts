/** Kinesis Data Streams on one machine: the wire protocol, the limits, the errors. */
import { answerJson } from '#local/aws-json';
import type { JsonInput, JsonProtocol } from '#local/aws-json';
import type { Clock, FaultPlan, KinesisLog, NewId, Storage, WireHandler } from '#local/contracts';
import type { Measure } from '#local/metrics/measurement';
import { RANDOM_ID } from '#local/new-id';
import { inTransaction } from '#local/storage';
import { callRates } from './call-rates.ts';
import { checkInput } from './check-input.ts';
import { ensureStream } from './control.ts';
import { OPERATION_INPUTS } from './operation-inputs.ts';
import type { OperationName } from './operation-inputs.ts';
import { OPERATIONS } from './operations.ts';
import { subscribeToShard } from './consumers.ts';
import { counterAt, readOn } from './read-records.ts';
import { openRecordStore } from './record-store.ts';
import {
  KINESIS_LIMITS,
  horizonMs,
  livingShards,
  shardOf,
  streamNotFound,
  streamOf,
} from './state.ts';
import type { KinesisLimits, KinesisState } from './state.ts';
import { openStreamStore } from './stream-store.ts';
import { ofTemplate } from './stream-properties.ts';

export interface KinesisDependencies {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly region: string;
  readonly accountId: string;
  readonly faults?: FaultPlan;
  /** Of requests and iterators; random ones, unless it is given. */
  readonly newId?: NewId;
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

const SWEEP_EVERY_MS = 60_000;

/** Serve the streams of `storage`. */
export function createKinesis(dependencies: KinesisDependencies): Kinesis {
  const { storage, clock, region, accountId, faults = {} } = dependencies;
  const listeners = new Map<string, Set<() => void>>();
  const limits = { ...KINESIS_LIMITS, ...dependencies.limits };
  const state: KinesisState = {
    storage,
    clock,
    region,
    accountId,
    faults,
    limits,
    calls: callRates(limits.callRateFactor),
    newId: dependencies.newId ?? RANDOM_ID,
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
  const operations: Record<string, (input: JsonInput) => object> = {
    SubscribeToShard: subscribeToShard,
  };
  for (const name of Object.keys(OPERATIONS) as OperationName[]) {
    operations[name] = (input) => {
      sweep();
      checkInput(OPERATION_INPUTS[name], input);
      state.calls.take(name, String(input['StreamName'] ?? input['StreamARN']), clock.nowMs());
      return OPERATIONS[name](state, input);
    };
  }
  /** As a mapping sees it: what is being deleted is not there. */
  const present = (name: string) => {
    const stream = streamOf(state, { StreamName: name });
    if (stream.change?.status === 'DELETING') throw streamNotFound(state, name);
    return stream;
  };
  const protocol: JsonProtocol = {
    version: '1.1',
    operations,
    errorNamespace: () => '',
    checksum: 'none',
    newId: dependencies.newId,
  };

  return {
    target: 'Kinesis_20131202',
    async handle(request) {
      return answerJson(protocol, request);
    },
    createStream(properties) {
      const { name, arn } = ensureStream(state, ofTemplate(properties));
      return { name, arn };
    },
    listShards(name) {
      const stream = present(name);
      return livingShards(state, stream).map(({ shardId, parentShardIds, closedMs }) => ({
        shardId,
        parentShardIds,
        open: closedMs === undefined,
      }));
    },
    read(name, shardId, from, max) {
      sweep();
      const stream = present(name);
      const shard = shardOf(state, stream, shardId);
      return readOn(state, stream, shard, counterAt(state, shard, from), max);
    },
    creationOf(name) {
      const { id, createdMs } = present(name);
      return `${id}/${createdMs}`;
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
