import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { assert } from '#core/assert';

export interface PipelineTableProps {
  readonly tableName: string;
  /** Names of the key's attributes, which hold text: the partition key's, then the sort key's if any. */
  readonly keyNames: readonly string[];
  /** Attribute that holds when an item may be removed, in epoch seconds. */
  readonly expiresAttribute: string;
  readonly removalPolicy: RemovalPolicy;
}

/** A table that is paid by the request and can be restored to any second; one that is kept, nobody deletes by mistake. */
export class PipelineTable extends Construct {
  constructor(scope: Construct, id: string, props: PipelineTableProps) {
    super(scope, id);
    const [partitionKey, sortKey] = props.keyNames.map((name) => ({
      name,
      type: AttributeType.STRING,
    }));
    assert(partitionKey !== undefined, 'a table has a key');
    new Table(this, 'Table', {
      tableName: props.tableName,
      partitionKey,
      ...(sortKey && { sortKey }),
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: props.expiresAttribute,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy: props.removalPolicy,
      deletionProtection: props.removalPolicy === RemovalPolicy.RETAIN,
    });
  }
}
