import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { bucketArn, streamArn } from '#infra/resource-arns';
import type { ConsumerSettings } from '#config/pipeline-settings';
import { PipelineFunction } from './pipeline-function.ts';
import type { PipelineFunctionProps } from './pipeline-function.ts';

const SEC_PER_HOUR = 3_600;

/** @source Lambda, S3 as on-failure destination: keys begin so, then the mapping's id. */
const GIVEN_UP_KEYS = 'aws/lambda/*';

/** @source Lambda API, CreateEventSourceMapping: -1 retries until the record's age is over. */
const UNLIMITED = -1;

export interface StreamConsumerProps {
  readonly streamName: string;
  /** Receives what is given up, with its payload: a queue would hold only where it was. */
  readonly quarantineBucketName: string;
  readonly settings: ConsumerSettings;
  readonly consume: PipelineFunctionProps;
}

/** A function fed by every shard of a stream; what it gives up on rests in the quarantine. */
export class StreamConsumer extends Construct {
  /** The id that AWS gives the mapping. */
  readonly mappingId: string;

  constructor(scope: Construct, id: string, props: StreamConsumerProps) {
    super(scope, id);
    const { settings } = props;
    const source = streamArn(this, props.streamName);
    const { fn } = new PipelineFunction(this, 'Consume', {
      ...props.consume,
      allow: [...props.consume.allow, readStream(source), ...keepGivenUp(props)],
    });
    const mapping = new CfnEventSourceMapping(this, 'Mapping', {
      eventSourceArn: source,
      functionName: fn.functionName,
      enabled: true,
      // LATEST may pass over records that are written while the mapping starts or changes.
      startingPosition: 'TRIM_HORIZON',
      batchSize: settings.batchSize,
      maximumBatchingWindowInSeconds: settings.batchingWindowSec,
      parallelizationFactor: settings.batchesPerShard,
      // Poison is set aside at once: what fails is the world, and that may take its time.
      maximumRetryAttempts: settings.retryAttempts ?? UNLIMITED,
      maximumRecordAgeInSeconds: settings.recordAgeMaxHours * SEC_PER_HOUR,
      bisectBatchOnFunctionError: true,
      functionResponseTypes: ['ReportBatchItemFailures'],
      destinationConfig: { onFailure: { destination: bucketArn(props.quarantineBucketName) } },
      // Counts what is given up: an alarm listens.
      metricsConfig: { metrics: ['EventCount'] },
    });
    this.mappingId = mapping.ref;
  }
}

/** @source Lambda Developer Guide, Kinesis event source mappings: rights of the function's role. */
function readStream(arn: string): PolicyStatement {
  return new PolicyStatement({
    actions: [
      'kinesis:DescribeStream',
      'kinesis:DescribeStreamSummary',
      'kinesis:GetRecords',
      'kinesis:GetShardIterator',
      'kinesis:ListShards',
    ],
    resources: [arn],
  });
}

function keepGivenUp({ quarantineBucketName }: StreamConsumerProps): readonly PolicyStatement[] {
  const ours = { StringEquals: { 's3:ResourceAccount': Aws.ACCOUNT_ID } };
  return [
    new PolicyStatement({
      actions: ['s3:PutObject'],
      resources: [bucketArn(quarantineBucketName, GIVEN_UP_KEYS)],
      conditions: ours,
    }),
    new PolicyStatement({
      actions: ['s3:ListBucket'],
      resources: [bucketArn(quarantineBucketName)],
      conditions: ours,
    }),
  ];
}
