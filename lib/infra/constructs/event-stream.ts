import { CfnStream } from 'aws-cdk-lib/aws-kinesis';
import type { RemovalPolicy } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { StreamSettings } from '#config/pipeline-settings';
import { RECORD_BYTES_MAX_DEFAULT } from '#core/batch/record-size';

/** The key that AWS manages for Kinesis: free of charge, and no policy to keep. */
const MANAGED_KEY = 'alias/aws/kinesis';
const KIB = 1_024;

export interface EventStreamProps {
  readonly streamName: string;
  readonly settings: StreamSettings;
  /** Undefined on demand. */
  readonly shardCount: number | undefined;
  readonly removalPolicy: RemovalPolicy;
}

/** A stream, encrypted, with as many shards as it is given. */
export class EventStream extends Construct {
  constructor(scope: Construct, id: string, props: EventStreamProps) {
    super(scope, id);
    const { settings } = props;
    const stream = new CfnStream(this, 'Stream', {
      name: props.streamName,
      ...capacityOf(props.shardCount),
      retentionPeriodHours: settings.retentionHours,
      ...recordSizeOf(settings),
      streamEncryption: { encryptionType: 'KMS', keyId: settings.kmsKeyArn ?? MANAGED_KEY },
    });
    stream.applyRemovalPolicy(props.removalPolicy);
  }
}

function capacityOf(shardCount: number | undefined) {
  return shardCount === undefined
    ? { streamModeDetails: { streamMode: 'ON_DEMAND' } }
    : { streamModeDetails: { streamMode: 'PROVISIONED' }, shardCount };
}

/** Left out at its default: not every region knows the property. */
function recordSizeOf({ recordBytesMax }: StreamSettings) {
  return recordBytesMax === RECORD_BYTES_MAX_DEFAULT
    ? {}
    : { maxRecordSizeInKiB: recordBytesMax / KIB };
}
