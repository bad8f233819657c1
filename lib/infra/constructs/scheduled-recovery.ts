import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { PipelineSettings } from '#config/pipeline-settings';
import { consumerNames, pipelineNames, stageNames } from '#config/resource-names';
import { bucketArn, bucketName, functionArn, tableArn } from '#infra/resource-arns';
import { addSchedule } from './function-schedule.ts';
import { PipelineFunction } from './pipeline-function.ts';

export interface ScheduledRecoveryProps {
  readonly stage: string;
  readonly settings: PipelineSettings;
  /** Folder that holds `index.mjs`. */
  readonly bundle: string;
  /** Environment variables of every function of the pipeline. */
  readonly environment: Readonly<Record<string, string>>;
}

const EVERY_MINUTES = 5;
/** Less than the time between two ticks: no two run at once. */
const TIMEOUT_SEC = 290;
/** A document of 6 MB, as text, as JSON and as records; and a call with them. */
const MEMORY_MB = 256;
/** A table that is down for longer is somebody's work, who then sees each record for itself. */
const WAIT_MINUTES = 60;
/** @source Lambda, S3 as on-failure destination: keys begin so. */
const DOCUMENTS = 'aws/lambda/*';

/** A function that tries once more what event source mappings gave up on, every few minutes. */
export class ScheduledRecovery extends Construct {
  constructor(scope: Construct, id: string, props: ScheduledRecoveryProps) {
    super(scope, id);
    const { stage, settings } = props;
    const { recoverFunction } = pipelineNames(stage, settings.name);
    const { fn } = new PipelineFunction(this, 'Recover', {
      functionName: recoverFunction,
      description: `Tries once more what consumers of ${settings.name} gave up on.`,
      bundle: props.bundle,
      memoryMb: MEMORY_MB,
      timeoutSec: TIMEOUT_SEC,
      environment: {
        ...props.environment,
        PENSTOCK_STAGE: stage,
        PENSTOCK_WAIT_MINUTES: String(WAIT_MINUTES),
        POWERTOOLS_SERVICE_NAME: `${settings.name}-recover`,
      },
      allow: recoverRights(this, stage, settings),
    });
    addSchedule(this, {
      scheduleName: recoverFunction,
      schedule: { everyMinutes: EVERY_MINUTES },
      fn,
    });
  }
}

function recoverRights(
  scope: Construct,
  stage: string,
  { name, consumers }: PipelineSettings,
): readonly PolicyStatement[] {
  const bucket = bucketName(pipelineNames(stage, name).quarantineBucketPrefix);
  const ours = { StringEquals: { 's3:ResourceAccount': Aws.ACCOUNT_ID } };
  const names = consumers.map((consumer) => consumer.name);
  return [
    new PolicyStatement({
      actions: ['s3:ListBucket'],
      resources: [bucketArn(bucket)],
      conditions: ours,
    }),
    new PolicyStatement({
      actions: ['s3:GetObject', 's3:DeleteObject'],
      resources: [bucketArn(bucket, DOCUMENTS)],
      conditions: ours,
    }),
    new PolicyStatement({
      actions: ['s3:PutObject'],
      resources: names.map((consumer) => bucketArn(bucket, `${consumer}/given-up/*`)),
      conditions: ours,
    }),
    new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: names.map((consumer) =>
        functionArn(scope, consumerNames(stage, name, consumer).function),
      ),
    }),
    new PolicyStatement({
      actions: ['dynamodb:GetItem'],
      resources: [tableArn(scope, stageNames(stage).stateTable)],
      conditions: {
        'ForAllValues:StringEquals': {
          'dynamodb:LeadingKeys': names.map((consumer) => `checkpoint#${name}#${consumer}`),
        },
      },
    }),
  ];
}
