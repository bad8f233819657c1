/** Capacity mode, encryption and shard-level metrics: what is told, and changes no record. */
import type { JsonInput } from '#local/aws-json';
import { overLimit, refused } from './refused.ts';
import type { KinesisState } from './state.ts';
import { activeStreamOf, beginChange } from './state.ts';
import type { Stream, StreamMode } from './stream.ts';

const DAY_MS = 86_400_000;
/** @source Kinesis Developer Guide, "Quotas and limits": twice in 24 hours. */
const MODE_CHANGES_A_DAY = 2;

export function updateStreamMode(state: KinesisState, input: JsonInput): object {
  const { StreamMode: mode } = input['StreamModeDetails'] as { StreamMode: StreamMode };
  const stream = activeStreamOf(state, input);
  if (stream.mode === mode) return {};
  const nowMs = state.clock.nowMs();
  const { settings } = stream;
  const recent = settings.modeChangedMs.filter((ms) => ms > nowMs - DAY_MS);
  if (recent.length >= MODE_CHANGES_A_DAY) {
    throw overLimit(
      `The mode of stream ${stream.name} was changed ${recent.length} times in 24 hours.`,
    );
  }
  settings.modeChangedMs = [...recent, nowMs];
  stream.mode = mode;
  return settle(state, stream);
}

export function startStreamEncryption(state: KinesisState, input: JsonInput): object {
  refuseWithoutKms(input);
  const stream = activeStreamOf(state, input);
  stream.settings.keyId = String(input['KeyId']);
  return settle(state, stream);
}

export function stopStreamEncryption(state: KinesisState, input: JsonInput): object {
  refuseWithoutKms(input);
  const stream = activeStreamOf(state, input);
  stream.settings.keyId = undefined;
  return settle(state, stream);
}

export function enableEnhancedMonitoring(state: KinesisState, input: JsonInput): object {
  return switchMetrics(state, input, (now, asked) => [...new Set([...now, ...asked])].sort());
}

export function disableEnhancedMonitoring(state: KinesisState, input: JsonInput): object {
  return switchMetrics(state, input, (now, asked) => now.filter((one) => !asked.includes(one)));
}

const ALL_METRICS = [
  'IncomingBytes',
  'IncomingRecords',
  'IteratorAgeMilliseconds',
  'OutgoingBytes',
  'OutgoingRecords',
  'ReadProvisionedThroughputExceeded',
  'WriteProvisionedThroughputExceeded',
];

function switchMetrics(
  state: KinesisState,
  input: JsonInput,
  change: (now: readonly string[], asked: readonly string[]) => readonly string[],
): object {
  const named = input['ShardLevelMetrics'] as readonly string[];
  const asked = named.includes('ALL') ? ALL_METRICS : named;
  const stream = activeStreamOf(state, input);
  const before = stream.settings.shardLevelMetrics;
  const after = change(before, asked);
  stream.settings.shardLevelMetrics = after;
  state.streams.saveStream(stream);
  return {
    StreamName: stream.name,
    StreamARN: stream.arn,
    CurrentShardLevelMetrics: before,
    DesiredShardLevelMetrics: after,
  };
}

function refuseWithoutKms({ EncryptionType }: JsonInput): void {
  if (EncryptionType !== 'KMS') {
    throw refused('KMS is the only valid EncryptionType for this request.');
  }
}

function settle(state: KinesisState, stream: Stream): object {
  state.streams.saveStream(stream);
  beginChange(state, stream, 'UPDATING');
  return {};
}
