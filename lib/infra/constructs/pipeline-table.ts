import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';

export interface PipelineTableProps {
  readonly tableName: string;
  /** Names of the key's attributes; both hold text. */
  readonly partitionKey: string;
  readonly sortKey?: string;
  /** Attribute that holds when an item may be removed, in epoch seconds. */
  readonly expiresAttribute: string;
  readonly removalPolicy: RemovalPolicy;
}

/** A table that is paid by the request and can be restored to any second; one that is kept, nobody deletes by mistake. */
export class PipelineTable extends Construct {
  constructor(scope: Construct, id: string, props: PipelineTableProps) {
    super(scope, id);
    new Table(this, 'Table', {
      tableName: props.tableName,
      partitionKey: { name: props.partitionKey, type: AttributeType.STRING },
      ...(props.sortKey === undefined
        ? {}
        : { sortKey: { name: props.sortKey, type: AttributeType.STRING } }),
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: props.expiresAttribute,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy: props.removalPolicy,
      deletionProtection: props.removalPolicy === RemovalPolicy.RETAIN,
    });
  }
}
