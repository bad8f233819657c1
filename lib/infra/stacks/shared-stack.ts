import { Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { RetainedTable } from '#infra/constructs/retained-table';

export interface SharedStackProps extends StackProps {
  readonly stateTableName: string;
}

/** What all pipelines of a stage share: the table of cursors, leases and checkpoints. */
export class SharedStack extends Stack {
  constructor(scope: Construct, id: string, props: SharedStackProps) {
    super(scope, id, props);
    new RetainedTable(this, 'State', {
      tableName: props.stateTableName,
      partitionKey: 'pk',
      sortKey: 'sk',
      expiresAttribute: 'expires',
    });
  }
}
