import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { PipelineSettings } from '#config/pipeline-settings';
import { consumerNames, pipelineNames, secretName } from '#config/resource-names';
import { EventStream } from '#infra/constructs/event-stream';
import { QuarantineBucket } from '#infra/constructs/quarantine-bucket';
import { RetainedTable } from '#infra/constructs/retained-table';
import { bucketName } from '#infra/resource-arns';

export interface DataStackProps extends StackProps {
  readonly stage: string;
  readonly settings: PipelineSettings;
}

/** What a pipeline keeps: its stream, tables, quarantine and secret. All outlive the stack. */
export class DataStack extends Stack {
  constructor(scope: Construct, id: string, props: DataStackProps) {
    super(scope, id, props);
    const { stage, settings } = props;
    const names = pipelineNames(stage, settings.name);

    new EventStream(this, 'Stream', {
      streamName: names.stream,
      settings: settings.stream,
      sharedReaders: settings.consumers.length,
    });
    for (const consumer of settings.consumers) {
      new RetainedTable(this, `Table-${consumer.name}`, {
        tableName: consumerNames(stage, settings.name, consumer.name).table,
        partitionKey: settings.record.key.split('.').at(-1) ?? settings.record.key,
        expiresAttribute: '_expires',
      });
    }
    new QuarantineBucket(this, 'Quarantine', {
      bucketName: bucketName(names.quarantineBucketPrefix),
      keptDays: settings.quarantine.keptDays,
    });
    const { auth } = settings.source;
    if (auth.kind === 'bearer') this.addSecret(secretName(stage, auth.secret));
  }

  /** The secret is empty: its value is put by a person, never by a template. */
  private addSecret(name: string): void {
    const secret = new CfnSecret(this, 'Secret', {
      name,
      description: 'Token that the poll function sends to its source. Put its value by hand.',
    });
    secret.applyRemovalPolicy(RemovalPolicy.RETAIN);
  }
}
