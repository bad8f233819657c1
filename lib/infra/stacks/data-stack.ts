import { Stack } from 'aws-cdk-lib';
import type { RemovalPolicy, StackProps } from 'aws-cdk-lib';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { keepsLedger } from '#config/keeps-ledger';
import type { PipelineSettings, SourceAuth } from '#config/pipeline-settings';
import { keyNames } from '#config/record-key';
import { authSecret, isRefreshGrant, requiredSecrets } from '#config/required-settings';
import { consumerNames, pipelineNames, secretName } from '#config/resource-names';
import { EventStream } from '#infra/constructs/event-stream';
import { LedgerBucket } from '#infra/constructs/ledger-bucket';
import { PipelineTable } from '#infra/constructs/pipeline-table';
import { QuarantineBucket } from '#infra/constructs/quarantine-bucket';
import { bucketName } from '#infra/resource-arns';
import { shardCountOf } from '#config/shard-count';

export interface DataStackProps extends StackProps {
  readonly stage: string;
  readonly settings: PipelineSettings;
  /** What becomes of data when the stack is deleted. */
  readonly dataRemoval: RemovalPolicy;
}

/** What a source's secret is, for whoever puts its value. */
const SENT: Readonly<Record<SourceAuth['kind'], string>> = {
  none: '',
  bearer: 'Token that the poll function sends to its source',
  'api-key': 'Key that the poll function sends to its source',
  basic: 'JSON of the username and the password that the poll function sends to its source',
  oauth2: 'Client secret that the poll function sends to its token endpoint',
};

const GRANT =
  'JSON of the client secret and the refresh token, which the poll function replaces by each new one';

/** What a pipeline keeps: its stream, tables, quarantine and secrets. */
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
      if (consumer.kind !== 'table') continue;
      new PipelineTable(this, `Table-${consumer.name}`, {
        tableName: consumerNames(stage, settings.name, consumer.name).table,
        keyNames: keyNames(settings.record.key),
        expiresAttribute: '_expires',
        removalPolicy,
      });
    }
    new QuarantineBucket(this, 'Quarantine', {
      bucketName: bucketName(names.quarantineBucketPrefix),
      keptDays: settings.quarantine.keptDays,
      removalPolicy,
    });
    if (keepsLedger(settings.source)) {
      new LedgerBucket(this, 'Ledgers', {
        bucketName: bucketName(names.ledgerBucketPrefix),
        removalPolicy,
      });
    }
    for (const secret of requiredSecrets(settings)) this.addSecret(secret, props);
  }

  /** The secret is empty: its value is put by a person, never by a template. */
  private addSecret(
    secret: string,
    { stage, settings: { source }, dataRemoval }: DataStackProps,
  ): void {
    const isSources = authSecret(source.auth) === secret;
    const sent = isRefreshGrant(source.auth) ? GRANT : SENT[source.auth.kind];
    const what = isSources ? sent : 'Text that a handler reads';
    const made = new CfnSecret(this, isSources ? 'Secret' : `Secret-${secret}`, {
      name: secretName(stage, secret),
      description: `${what}. Put its value by hand.`,
    });
    made.applyRemovalPolicy(dataRemoval);
  }
}
