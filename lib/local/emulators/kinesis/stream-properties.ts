/** What a stream is made of: by CreateStream, or by a template. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import { checkInput } from './check-input.ts';
import { required } from './member.ts';
import type { Members } from './member.ts';
import { OPERATION_INPUTS, SHARD_METRICS } from './operation-inputs.ts';
import { retentionHoursIn } from './retention.ts';
import type { StreamMode, StreamSettings } from './stream.ts';
import { noSettings } from './stream-store.ts';
import { withTags } from './tags.ts';
import type { Tags } from './tags.ts';

export interface StreamProperties {
  readonly name: string;
  readonly shardCount: number;
  readonly mode: StreamMode;
  readonly retentionHours: number;
  readonly recordBytesMax: number;
  readonly settings: StreamSettings;
}

/** An on-demand stream starts with 4 MB/s. It does not grow here. */
const ON_DEMAND_SHARDS = 4;

/** Of AWS::Kinesis::Stream; a warm throughput is taken and changes nothing. */
const TEMPLATE: Members = {
  ...OPERATION_INPUTS.CreateStream,
  RetentionPeriodHours: { kind: 'count', min: 24, max: 8_760 },
  DesiredShardLevelMetrics: SHARD_METRICS,
  StreamEncryption: {
    kind: 'object',
    members: {
      EncryptionType: required({ kind: 'choice', values: ['KMS'] }),
      KeyId: required({ kind: 'text', min: 1, max: 2_048 }),
    },
  },
  WarmThroughputMiBps: { kind: 'count', min: 0 },
};

/** Read a request of CreateStream, which was checked. */
export function ofRequest(input: JsonInput): StreamProperties {
  const {
    StreamModeDetails,
    ShardCount,
    MaxRecordSizeInKiB,
    Tags = {},
  } = input as {
    StreamModeDetails?: { StreamMode: StreamMode };
    ShardCount?: number;
    MaxRecordSizeInKiB?: number;
    Tags?: Tags;
  };
  const mode = StreamModeDetails?.StreamMode ?? 'PROVISIONED';
  return {
    name: String(input['StreamName']),
    mode,
    shardCount: shardCountOf(mode, ShardCount),
    retentionHours: 24,
    recordBytesMax: (MaxRecordSizeInKiB ?? 1_024) * 1_024,
    settings: { ...noSettings(), tags: withTags({}, Tags) },
  };
}

/**
 * Read the properties of AWS::Kinesis::Stream, all references resolved and the name given.
 *
 * @throws {ServiceError} naming the property that is not possible.
 */
export function ofTemplate({ Name, Tags = [], ...properties }: JsonInput): StreamProperties {
  const tags = Object.fromEntries(
    (Tags as readonly { Key: string; Value: string }[]).map(({ Key, Value }) => [Key, Value]),
  );
  const input = {
    ...properties,
    StreamName: Name,
    ...(Object.keys(tags).length === 0 ? {} : { Tags: tags }),
  };
  checkInput(TEMPLATE, input);
  const { RetentionPeriodHours, StreamEncryption, DesiredShardLevelMetrics } = input as {
    RetentionPeriodHours?: number;
    StreamEncryption?: { KeyId: string };
    DesiredShardLevelMetrics?: readonly string[];
  };
  const base = ofRequest(input);
  return {
    ...base,
    retentionHours: retentionHoursIn(RetentionPeriodHours ?? 24),
    settings: {
      ...base.settings,
      keyId: StreamEncryption?.KeyId,
      shardLevelMetrics: DesiredShardLevelMetrics ?? [],
    },
  };
}

function shardCountOf(mode: StreamMode, asked: number | undefined): number {
  if (mode === 'ON_DEMAND') {
    if (asked === undefined) return ON_DEMAND_SHARDS;
    throw new ServiceError(
      'ValidationException',
      'ShardCount (shardCount) must not be given for an on-demand stream.',
    );
  }
  if (asked !== undefined) return asked;
  throw new ServiceError(
    'ValidationException',
    'ShardCount (shardCount) must be given for a provisioned stream.',
  );
}
