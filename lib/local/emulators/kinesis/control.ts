/** Creating, changing and deleting streams. The work is done when it is answered; it shows for a while. */
import type { JsonInput } from '#local/aws-json';
import { inTransaction } from '#local/storage';
import { refuseStream } from './account-limits.ts';
import { uniformRanges } from './hash-ring.ts';
import { scaleUniformly } from './reshard.ts';
import type { KinesisState } from './state.ts';
import { activeStreamOf, beginChange, findStream, inUse, readyStreamOf } from './state.ts';
import type { Stream } from './stream.ts';
import { ofRequest } from './stream-properties.ts';
import type { StreamProperties } from './stream-properties.ts';

/** Create the stream, or bring the one that is there to what the template says now. */
export function ensureStream(state: KinesisState, properties: StreamProperties): Stream {
  const present = findStream(state, properties.name);
  if (present?.change?.status === 'DELETING') state.streams.forgetStream(present);
  if (present === undefined || present.change?.status === 'DELETING')
    return addStream(state, properties);
  const { mode, retentionHours, recordBytesMax, shardCount, settings } = properties;
  const rescale = mode === 'PROVISIONED' && present.templateShardCount !== shardCount;
  Object.assign(present, { mode, retentionHours, recordBytesMax, templateShardCount: shardCount });
  const { keyId, shardLevelMetrics } = settings;
  // Tags that were given by hand stay, as CloudFormation leaves them.
  const tags = { ...present.settings.tags, ...settings.tags };
  Object.assign(present.settings, { tags, keyId, shardLevelMetrics });
  state.streams.saveStream(present);
  if (rescale) scaleUniformly(state, present, shardCount);
  return present;
}

export function createStream(state: KinesisState, input: JsonInput): object {
  const properties = ofRequest(input);
  if (findStream(state, properties.name) !== undefined) {
    throw inUse(`Stream ${properties.name} under account ${state.accountId} already exists.`);
  }
  beginChange(state, addStream(state, properties), 'CREATING');
  return {};
}

function addStream(state: KinesisState, properties: StreamProperties): Stream {
  const { shardCount, ...rest } = properties;
  refuseStream(state, properties);
  const createdMs = state.clock.nowMs();
  const arn = `arn:aws:kinesis:${state.region}:${state.accountId}:stream/${rest.name}`;
  return inTransaction(state.storage, () => {
    const stream = state.streams.addStream({
      ...rest,
      arn,
      createdMs,
      templateShardCount: shardCount,
    });
    const origin = { bornSec: Math.floor(createdMs / 1_000), parentShardIds: [], createdMs };
    state.streams.addShards(
      stream,
      uniformRanges(shardCount).map((range, index) => ({ ...range, ...origin, index })),
    );
    return stream;
  });
}

/** From now on nothing can be put or read, and nothing of it is kept. */
export function deleteStream(state: KinesisState, input: JsonInput): object {
  const stream = readyStreamOf(state, input);
  const { consumers } = stream.settings;
  if (consumers.length > 0 && input['EnforceConsumerDeletion'] !== true) {
    throw inUse(
      `Stream ${stream.name} under account ${state.accountId} has ${consumers.length} registered consumers: ` +
        'EnforceConsumerDeletion deletes them with it.',
    );
  }
  inTransaction(state.storage, () => {
    for (const shard of stream.shards) state.records.removeAll(shard);
    state.streams.removeStream(stream);
  });
  beginChange(state, stream, 'DELETING');
  state.announce(stream.name);
  return {};
}

export function updateMaxRecordSize(state: KinesisState, input: JsonInput): object {
  const stream = activeStreamOf(state, input);
  stream.recordBytesMax = Number(input['MaxRecordSizeInKiB']) * 1_024;
  state.streams.saveStream(stream);
  return {};
}
