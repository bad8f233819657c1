/** Creating, changing and deleting streams; every change is done when it is answered. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import { inTransaction } from '#local/storage';
import { uniformRanges } from './hash-ring.ts';
import {
  invalid,
  onlyKnown,
  optionalCount,
  refused,
  requiredCount,
  requiredText,
} from './inputs.ts';
import { scaleUniformly } from './reshard.ts';
import type { KinesisState } from './state.ts';
import { streamOf } from './state.ts';
import type { Stream } from './stream-store.ts';

export interface StreamSettings {
  readonly name: string;
  readonly shardCount: number;
  readonly mode: 'PROVISIONED' | 'ON_DEMAND';
  readonly retentionHours: number;
  readonly recordBytesMax: number;
}

/** An on-demand stream starts with 4 MB/s. It does not grow here. */
const ON_DEMAND_SHARDS = 4;
const RETENTION_HOURS = { min: 24, max: 8_760 };
const RECORD_KIB = { min: 1_024, max: 10_240 };

/** Create the stream, or bring the one that is there to what the template says now. */
export function ensureStream(state: KinesisState, settings: StreamSettings): Stream {
  const present = state.streams.streams.get(settings.name);
  if (present === undefined) return addStream(state, settings);
  const { mode, retentionHours, recordBytesMax, shardCount } = settings;
  const rescale = mode === 'PROVISIONED' && present.templateShardCount !== shardCount;
  Object.assign(present, { mode, retentionHours, recordBytesMax, templateShardCount: shardCount });
  state.streams.saveStream(present);
  if (rescale) scaleUniformly(state, present, shardCount);
  return present;
}

export function createStream(state: KinesisState, input: JsonInput): object {
  onlyKnown(input, ['StreamName', 'ShardCount', 'StreamModeDetails', 'MaxRecordSizeInKiB', 'Tags']);
  const settings = readStreamProperties({ ...input, Name: input['StreamName'] });
  if (state.streams.streams.has(settings.name)) {
    throw new ServiceError(
      'ResourceInUseException',
      `Stream ${settings.name} under account ${state.accountId} already exists.`,
    );
  }
  addStream(state, settings);
  return {};
}

/** Read the properties of AWS::Kinesis::Stream, all references resolved. */
export function readStreamProperties(properties: JsonInput): StreamSettings {
  const name = requiredText(properties, 'Name');
  if (!/^[a-zA-Z0-9_.-]{1,128}$/.test(name)) {
    throw invalid('streamName', name, 'satisfy regular expression pattern: [a-zA-Z0-9_.-]+');
  }
  const details = properties['StreamModeDetails'] as { StreamMode?: unknown } | undefined;
  const mode = details?.StreamMode === 'ON_DEMAND' ? 'ON_DEMAND' : 'PROVISIONED';
  const shards = optionalCount(properties, 'ShardCount', { min: 1, max: 10_000 });
  if (mode === 'ON_DEMAND' && shards !== undefined) {
    throw invalid('shardCount', shards, 'be absent where the stream is on demand');
  }
  if (mode === 'PROVISIONED' && shards === undefined) {
    throw invalid('shardCount', undefined, 'not be null where the stream is provisioned');
  }
  return {
    name,
    mode,
    shardCount: shards ?? ON_DEMAND_SHARDS,
    retentionHours:
      optionalCount(properties, 'RetentionPeriodHours', RETENTION_HOURS) ?? RETENTION_HOURS.min,
    recordBytesMax:
      (optionalCount(properties, 'MaxRecordSizeInKiB', RECORD_KIB) ?? RECORD_KIB.min) * 1024,
  };
}

function addStream(state: KinesisState, settings: StreamSettings): Stream {
  const { name, mode, shardCount, retentionHours, recordBytesMax } = settings;
  const createdMs = state.clock.nowMs();
  const arn = `arn:aws:kinesis:${state.region}:${state.accountId}:stream/${name}`;
  return inTransaction(state.storage, () => {
    const stream = state.streams.addStream({
      name,
      arn,
      createdMs,
      mode,
      retentionHours,
      recordBytesMax,
      templateShardCount: shardCount,
    });
    const bornSec = Math.floor(createdMs / 1_000);
    uniformRanges(shardCount).forEach((range, index) => {
      state.streams.addShard(stream, { ...range, index, bornSec, parentShardIds: [], createdMs });
    });
    return stream;
  });
}

export function deleteStream(state: KinesisState, input: JsonInput): object {
  onlyKnown(input, ['StreamName', 'StreamARN', 'StreamId', 'EnforceConsumerDeletion']);
  const stream = streamOf(state, input);
  inTransaction(state.storage, () => {
    for (const shard of stream.shards) state.records.removeAll(shard);
    state.streams.removeStream(stream);
  });
  return {};
}

export function increaseRetention(state: KinesisState, input: JsonInput): object {
  return changeRetention(state, input, 'longer');
}

export function decreaseRetention(state: KinesisState, input: JsonInput): object {
  return changeRetention(state, input, 'shorter');
}

function changeRetention(state: KinesisState, input: JsonInput, to: 'longer' | 'shorter'): object {
  onlyKnown(input, ['StreamName', 'StreamARN', 'StreamId', 'RetentionPeriodHours']);
  const hours = requiredCount(input, 'RetentionPeriodHours', RETENTION_HOURS);
  const stream = streamOf(state, input);
  const wrong = to === 'longer' ? hours < stream.retentionHours : hours > stream.retentionHours;
  if (wrong) {
    throw refused(
      `${hours} hours are not ${to} than the ${stream.retentionHours} hours of ${stream.name}.`,
    );
  }
  stream.retentionHours = hours;
  state.streams.saveStream(stream);
  return {};
}

export function updateMaxRecordSize(state: KinesisState, input: JsonInput): object {
  onlyKnown(input, ['StreamARN', 'StreamId', 'MaxRecordSizeInKiB']);
  const kib = requiredCount(input, 'MaxRecordSizeInKiB', RECORD_KIB);
  const stream = streamOf(state, input);
  stream.recordBytesMax = kib * 1024;
  state.streams.saveStream(stream);
  return {};
}
