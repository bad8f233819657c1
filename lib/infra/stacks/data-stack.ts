import { Stack } from 'aws-cdk-lib';
import type { RemovalPolicy, StackProps } from 'aws-cdk-lib';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { PipelineSettings } from '#config/pipeline-settings';
import { consumerNames, pipelineNames, secretName } from '#config/resource-names';
import { EventStream } from '#infra/constructs/event-stream';
import { PipelineTable } from '#infra/constructs/pipeline-table';
import { QuarantineBucket } from '#infra/constructs/quarantine-bucket';
import { bucketName } from '#infra/resource-arns';
import { shardCountOf } from '#infra/shard-count';

export interface DataStackProps extends StackProps {
  readonly stage: string;
  readonly settings: PipelineSettings;
  /** What becomes of data when the stack is deleted. */
  readonly dataRemoval: RemovalPolicy;
}

/** What a pipeline keeps: its stream, tables, quarantine and secret. */
export class DataStack extends Stack {
  constructor(scope: Construct, id: string, props: DataStackProps) {
    super(scope, id, props);
    const { stage, settings, dataRemoval: removalPolicy } = props;
    const names = pipelineNames(stage, settings.name);

    new EventStream(this, 'Stream', {
      streamName: names.stream,
      settings: settings.stream,
      shardCount: shardCountOf(settings),
      removalPolicy,
    });
    for (const consumer of settings.consumers) {
      new PipelineTable(this, `Table-${consumer.name}`, {
        tableName: consumerNames(stage, settings.name, consumer.name).table,
        partitionKey: settings.record.key.split('.').at(-1) ?? settings.record.key,
        expiresAttribute: '_expires',
        removalPolicy,
      });
    }
    new QuarantineBucket(this, 'Quarantine', {
      bucketName: bucketName(names.quarantineBucketPrefix),
      keptDays: settings.quarantine.keptDays,
      removalPolicy,
    });
    const { auth } = settings.source;
    if (auth.kind === 'bearer') this.addSecret(secretName(stage, auth.secret), removalPolicy);
  }

  /** The secret is empty: its value is put by a person, never by a template. */
  private addSecret(name: string, removalPolicy: RemovalPolicy): void {
    const secret = new CfnSecret(this, 'Secret', {
      name,
      description: 'Token that the poll function sends to its source. Put its value by hand.',
    });
    secret.applyRemovalPolicy(removalPolicy);
  }
}
