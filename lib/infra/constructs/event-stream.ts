import { CfnStream } from 'aws-cdk-lib/aws-kinesis';
import { RemovalPolicy } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { StreamSettings } from '#config/pipeline-settings';
import { RECORD_BYTES_MAX_DEFAULT } from '#core/batch/record-size';
import { planShards } from '#core/capacity/plan-shards';

/** The key that AWS manages for Kinesis: free of charge, and no policy to keep. */
const MANAGED_KEY = 'alias/aws/kinesis';
const KIB = 1_024;

export interface EventStreamProps {
  readonly streamName: string;
  readonly settings: StreamSettings;
  /** Event source mappings that share each shard's reads. */
  readonly sharedReaders: number;
}

/** A stream with as many shards as its load asks for; it outlives its stack. */
export class EventStream extends Construct {
  constructor(scope: Construct, id: string, props: EventStreamProps) {
    super(scope, id);
    const { settings } = props;
    const stream = new CfnStream(this, 'Stream', {
      name: props.streamName,
      ...capacityOf(props),
      retentionPeriodHours: settings.retentionHours,
      ...recordSizeOf(settings),
      streamEncryption: { encryptionType: 'KMS', keyId: settings.kmsKeyArn ?? MANAGED_KEY },
    });
    stream.applyRemovalPolicy(RemovalPolicy.RETAIN);
  }
}

function capacityOf({ settings, sharedReaders }: EventStreamProps) {
  const { load } = settings;
  if ('onDemand' in load) return { streamModeDetails: { streamMode: 'ON_DEMAND' } };
  return {
    streamModeDetails: { streamMode: 'PROVISIONED' },
    shardCount: planShards({ ...load, sharedReaders }).shardCount,
  };
}

/** Left out at its default: not every region knows the property. */
function recordSizeOf({ recordBytesMax }: StreamSettings) {
  return recordBytesMax === RECORD_BYTES_MAX_DEFAULT
    ? {}
    : { maxRecordSizeInKiB: recordBytesMax / KIB };
}
